internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// JSON of the live stream: external names and strings are quoted so that they cannot end a line or an element.
enum LiveJSON {
  static func text(_ text: String) -> String { PushMessageWriter.quoted(text) }

  /// Returns a number with the given number of decimals, or `null` if it is not finite.
  static func number(_ value: Double, digits: Int) -> String {
    value.isFinite ? String(cFormat: "%.*f", digits, value) : "null"
  }

  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Returns rows of numbers as lists: the time in full precision, the other numbers in single precision, whose 24 bits
  /// exceed a sensor's resolution.
  static func rows(_ numbers: [Double], width: Int) -> String {
    var text = ""
    text.reserveCapacity(numbers.count * 10)
    for start in stride(from: 0, to: numbers.count, by: width) {
      text += start > 0 ? ",[" : "["
      text += "\(numbers[start])"
      for index in 1..<width {
        let value = Float(numbers[start + index])
        text += ","
        if !value.isFinite {
          text += "null"
        } else if value == value.rounded(), value.magnitude < 1e6 {
          text += "\(Int(value))"
        } else {
          text += "\(value)"
        }
      }
      text += "]"
    }
    return text
  }
}
