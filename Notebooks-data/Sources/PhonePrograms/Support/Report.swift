import Foundation

/// Prints what the programs count, and whether it is what it should be.
struct Report {
  private(set) var failures = 0

  /// A line of the report.
  mutating func note(_ text: String) { print(text) }

  mutating func check(_ isRight: Bool, _ text: String) {
    if !isRight { failures += 1 }
    print("\(isRight ? "  ok   " : "  WRONG")  \(text)")
  }

  /// A row of numbers under a heading of names.
  static func row(_ name: String, _ cells: [String]) -> String {
    let first = name.padding(toLength: 26, withPad: " ", startingAt: 0)
    return first + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }
}
