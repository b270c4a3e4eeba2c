import Inertial
import InertialEssentials
import InertialSystem

/// Prints a JSON document on standard output, with keys in a fixed order.
func printJSON(_ value: some Encodable) throws { Page.standard.text(try jsonText(value)) }

/// Prints the summary of a result on standard output, or on standard error if the result itself is on standard output.
func printLines(_ lines: [String], besides output: String) {
  for line in lines {
    if output == "-" { Console.line(line) } else { Page.standard.line(line) }
  }
}

/// Returns a number with a fixed number of decimals.
func fixed(_ value: Double, _ decimals: Int) -> String { String(cFormat: "%.\(decimals)f", value) }

/// Returns a number with a fixed number of decimals, or "-" for `nil`.
func fixed(_ value: Double?, _ decimals: Int) -> String { value.map { fixed($0, decimals) } ?? "-" }

/// Returns a number with at most the given number of significant digits.
func significant(_ value: Double, _ digits: Int = 6) -> String { String(cFormat: "%.\(digits)g", value) }

/// Returns a count with its noun: "1 log", "2 logs".
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Returns a string padded to a width, on the left for numbers.
func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
  let space = String(repeating: " ", count: max(0, width - text.count))
  return left ? space + text : text + space
}

/// Returns a string padded to a width on the left.
func right(_ text: String, _ width: Int) -> String { padded(text, width, left: true) }

/// Prints a string wrapped to the page's width, the first line after a lead, the others indented.
func printWrapped(_ lead: String, _ text: String, indent: Int? = nil, on page: Page = .standard) {
  let margin = String(repeating: " ", count: indent ?? lead.count)
  let width = min(page.width, Page.plainWidth)
  var line = lead
  var isEmpty = true
  for word in text.split(separator: " ") {
    if !isEmpty, line.count + 1 + word.count > width {
      page.line(line)
      (line, isEmpty) = (margin, true)
    }
    line += (isEmpty ? "" : " ") + word
    isEmpty = false
  }
  page.line(line)
}
