internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// JSON of the live stream: names and texts of others are quoted so that nothing in them ends a line or an element.
enum LiveJSON {
  static func text(_ text: String) -> String { PushMessageWriter.quoted(text) }

  /// A number with so many digits behind the point; null where there is none.
  static func number(_ value: Double, digits: Int) -> String {
    value.isFinite ? String(cFormat: "%.*f", digits, value) : "null"
  }

  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
  }

  /// Rows of numbers as lists: the time as it is, all else as singles, whose 24 bits are more than a sensor has.
  static func rows(_ numbers: [Double], width: Int) -> String {
    var text = ""
    text.reserveCapacity(numbers.count * 10)
    for start in stride(from: 0, to: numbers.count, by: width) {
      text += start > 0 ? ",[" : "["
      text += "\(numbers[start])"
      for place in 1..<width {
        let value = Float(numbers[start + place])
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
