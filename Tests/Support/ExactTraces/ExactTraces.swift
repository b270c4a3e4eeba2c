// Writes the exact outputs of all filters and trackers on simulated logs, and compares them with another version's:
//
// ExactTraces FILE           writes the traces to a file
// ExactTraces FILE AGAINST   also prints the largest difference of each trace from those in the file AGAINST, relative to
//                            max(1, |x|). Exit 1 if one exceeds 1e-9.

import Foundation

/// Rows of numbers: every seventh output of a filter or tracker.
struct Trace: Equatable {
  /// The subject, scene and form, for example "mekf, gap, smoothed".
  var name: String
  var rows: [[Double]]
}

@main struct ExactTraces {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 1 || arguments.count == 2 else { fail("usage: ExactTraces FILE [AGAINST]") }
    // Read first, since both names can be of the same file.
    let expected = arguments.count == 2 ? try read(arguments[1]) : nil
    let traces = try FilterTraces.all() + TrackerTraces.all()
    try write(traces, to: arguments[0])
    if let expected, !compare(traces, with: expected) {
      fail("a trace is missing or differs by more than \(Comparison.limit)")
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    exit(1)
  }

  // MARK: Files

  /// Writes a line "# NAME" for each trace and a line for each row. A number's description is exact.
  static func write(_ traces: [Trace], to path: String) throws {
    var text = ""
    for trace in traces {
      text += "# \(trace.name)\n"
      for row in trace.rows { text += row.map { "\($0)" }.joined(separator: ",") + "\n" }
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  static func read(_ path: String) throws -> [Trace] {
    var traces: [Trace] = []
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("# ") {
        traces.append(Trace(name: String(line.dropFirst(2)), rows: []))
        continue
      }
      let row = line.split(separator: ",").compactMap { Double($0) }
      guard !traces.isEmpty, !row.isEmpty else { fail("\(path) is not a file of traces: \(line)") }
      traces[traces.count - 1].rows.append(row)
    }
    return traces
  }

  // MARK: Comparison

  /// Prints the largest difference of each trace, and returns whether all are small.
  static func compare(_ traces: [Trace], with others: [Trace]) -> Bool {
    let expected = Dictionary(uniqueKeysWithValues: others.map { ($0.name, $0) })
    var isEqual = true
    for trace in traces {
      guard let other = expected[trace.name] else {
        print("new      \(trace.name)")
        continue
      }
      let comparison = Comparison(trace, other)
      print(comparison)
      isEqual = isEqual && comparison.isSmall
    }
    let names = Set(traces.map(\.name))
    for other in others where !names.contains(other.name) {
      print("missing  \(other.name)")
      isEqual = false
    }
    return isEqual
  }
}

/// The largest difference of two traces.
struct Comparison: CustomStringConvertible {
  /// The largest permitted difference, relative to max(1, |x|).
  static let limit = 1e-9

  let name: String
  /// The largest difference, relative to max(1, |x|), infinite if the numbers of rows or columns differ.
  private(set) var difference = 0.0
  /// The index of the row with the largest difference.
  private(set) var row = 0

  init(_ trace: Trace, _ other: Trace) {
    name = trace.name
    if trace.rows.count != other.rows.count { difference = .infinity }
    for (index, (a, b)) in zip(trace.rows, other.rows).enumerated() {
      var largest = a.count == b.count ? 0 : Double.infinity
      for (x, y) in zip(a, b) where !(x == y || x.isNaN && y.isNaN) {
        // A difference that is not a number is infinite.
        let ratio = abs(x - y) / max(1, abs(y))
        largest = ratio < .infinity ? max(largest, ratio) : .infinity
      }
      if largest > difference { (difference, row) = (largest, index) }
    }
  }

  var isSmall: Bool { difference <= Self.limit }

  var description: String {
    "\(isSmall ? "        " : "DIFFERS ") \(name): "
      + (difference == 0 ? "equal" : "\(String(format: "%.1e", difference)), row \(row)")
  }
}

extension Array {
  /// Every seventh element.
  var everySeventh: [Element] { indices.filter { $0.isMultiple(of: 7) }.map { self[$0] } }
}
