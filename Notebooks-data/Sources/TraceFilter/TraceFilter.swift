// Runs one filter over a table of numbers and writes the attitude after each row, for comparisons with other programs:
// swift run --package-path Notebooks-data TraceFilter TABLE OUTPUT FILTER [name=value...]
//
// TABLE is a CSV without a header: time (s), angular rate x, y, z (rad/s), acceleration x, y, z (g, Core Motion's sign:
// at rest face up 0, 0, -1) and, optionally, field x, y, z (µT). OUTPUT is quaternion x, y, z, w, device to
// north-west-up, one line per row.
import Foundation
import Inertial

@main struct TraceFilter {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 3 else { throw Problem("usage: TraceFilter TABLE OUTPUT FILTER [name=value...]") }
    let words = Array(arguments)
    let kind = try FilterKind.all.known(words[2])
    var filter = try kind.make(try settings(words[3...]))
    let table = try String(contentsOfFile: words[0], encoding: .utf8)
    var output = ""
    for line in table.split(whereSeparator: \.isNewline) {
      let values = line.split(separator: ",").compactMap { Double($0) }
      guard values.count == 7 || values.count == 10 else { throw Problem("7 or 10 numbers expected: \(line)") }
      func vector(_ first: Int) -> Vector3 { Vector3(values[first], values[first + 1], values[first + 2]) }
      filter.update(gyroscope: vector(1), at: values[0])
      filter.update(accelerometer: vector(4), at: values[0])
      if values.count == 10 { filter.update(magneticField: vector(7), at: values[0]) }
      guard let q = filter.estimate?.earthFromDevice else { throw Problem("no attitude yet: \(line)") }
      output += "\(q.x),\(q.y),\(q.z),\(q.w)\n"
    }
    try output.write(toFile: words[1], atomically: true, encoding: .utf8)
  }

  static func settings(_ words: ArraySlice<String>) throws -> [String: Double] {
    var settings: [String: Double] = [:]
    for word in words {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let value = Double(parts[1]) else { throw Problem("name=value expected: \(word)") }
      settings[String(parts[0])] = value
    }
    return settings
  }

  struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
