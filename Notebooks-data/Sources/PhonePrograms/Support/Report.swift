import Foundation

/// A printer for the counts of the programs and the results of the checks.
struct Report {
  private(set) var failures = 0

  /// Prints a line of the report.
  mutating func note(_ text: String) { print(text) }

  mutating func check(_ isRight: Bool, _ text: String) {
    if !isRight { failures += 1 }
    print("\(isRight ? "  ok   " : "  WRONG")  \(text)")
  }

  /// Returns a row of numbers for a table with named columns.
  static func row(_ name: String, _ cells: [String]) -> String {
    let first = name.padding(toLength: 26, withPad: " ", startingAt: 0)
    return first + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }
}
