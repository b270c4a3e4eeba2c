import CInertialShims
import Inertial
import InertialEssentials
import InertialSystem

/// Writes messages and progress to standard error; standard output is for results.
///
/// All messages are written here: failed writes do not trap, and the status of `exit` reveals lost output.
package enum Console {
  /// The maximum length of a message in bytes; a longer one contains the contents of a file that is not text.
  private static let maximumMessageLength = 4000

  static func line(_ text: String) { show(Page.oneLine(plain(text)) + "\n") }

  /// Writes a string of several lines.
  static func text(_ text: String) { show(plain(text) + "\n") }

  /// Writes a string without a line break, such as a progress bar.
  static func show(_ text: String) {
    AtomicFile.waitIfEnding()
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = process_say($0.baseAddress!, $0.count) }
    }
  }

  /// Returns a string that is safe for a terminal: names and cells of files may contain control characters, and have
  /// any length.
  static func plain(_ text: String) -> String {
    let plain = Page.cleaned(text)
    guard plain.utf8.count > maximumMessageLength else { return plain }
    return plain.prefix(maximumMessageLength / 2) + " ... " + plain.suffix(maximumMessageLength / 4)
  }

  /// Ends the process. If any output was not written, the status is not 0.
  static func exit(_ status: Int32) -> Never {
    AtomicFile.waitIfEnding()
    var status = status
    let failure = process_output_failure()
    if failure != 0 {
      // If the reader has closed the pipe, no message is needed.
      if failure != EPIPE {
        error(
          "standard output: not all output could be written (\(String(cString: strerror(failure)).lowercased())); "
            + "free some space, or redirect the output to another file or program")
      }
      if status == 0 { status = 1 }
    }
    if process_messages_failed() != 0, status == 0 { status = 1 }
    // All output has been flushed. A thread that reads ahead may still be running, and an ordinary exit would destroy
    // the objects that it uses.
    _exit(status)
  }

  /// Prepares the process: a reader that closes the pipe early causes a write error instead of terminating the process,
  /// and the limit of open files is raised.
  static func begin() {
    signal(SIGPIPE, SIG_IGN)
    let count = process_raise_file_limit(4096)
    if let line = lackOfMemory() {
      error(line)
      exit(1)
    }
    guard count < minimumFileCount else { return }
    error("the limit of open files is \(count); allow \(minimumFileCount) or more: ulimit -n 256")
    exit(1)
  }

  /// Returns a message if the process may map less memory than the numerical library needs: it allocates 128 MB per
  /// computing thread, and retries indefinitely on failure.
  private static func lackOfMemory() -> String? {
    let limit = process_memory_limit()
    guard limit >= 0 else { return nil }
    let threads = min(ProcessInfo.processInfo.activeProcessorCount, 7) + 1
    let size = (threads << 27) + (256 << 20)
    let probe = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard probe == MAP_FAILED else {
      munmap(probe, size)
      return nil
    }
    return "the memory limit of the process is too low (\(limit >> 20) MB); allow \((size >> 20) + 256) MB or more: "
      + "ulimit -v \((size >> 10) + (256 << 10))"
  }

  /// The number of open files for a folder of sensors, outputs in several formats, and the system libraries.
  private static let minimumFileCount = 24

  /// Writes the reason why the command ends.
  package static func error(_ text: String) { line("error: " + text) }

  /// Writes a problem that does not end the command.
  package static func warning(_ text: String) { line("warning: " + text) }

  /// Writes a note that does not indicate a problem.
  package static func note(_ text: String) { line("note: " + text) }

  /// Whether a line can be overwritten, which TERM=dumb excludes.
  static let isTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// The number of characters per line of the terminal.
  static var width: Int { Page.columns(of: STDERR_FILENO) ?? 80 }
}

/// A progress bar on a terminal with the remaining time. In a pipe, only long operations write a line periodically.
struct ProgressBar {
  let title: String
  private var shown = -1
  private let start = ContinuousClock.now
  /// The elapsed time in seconds at which the next line is due in a pipe, or `nil` for no lines.
  private var due: Double?

  /// Creates a progress bar.
  ///
  /// - Parameter isLong: Whether the operation may take minutes, so that progress is also written to a file or a pipe.
  init(_ title: String, isLong: Bool = false) {
    self.title = title
    due = isLong ? 10 : nil
  }

  /// Returns the result of an operation, and shows its progress meanwhile.
  static func during<Result>(_ title: String, _ operation: ((Double) -> Void) throws -> Result) rethrows -> Result {
    var bar = ProgressBar(title)
    defer { bar.end() }
    return try operation { bar.show($0) }
  }

  mutating func show(_ fraction: Double) {
    let percent = Int((fraction * 100).rounded(.down))
    guard Console.isTerminal else {
      let elapsed = start.duration(to: .now) / .seconds(1)
      if isDue(after: elapsed) { Console.note("\(title): \(percent) %\(left(after: fraction))") }
      return
    }
    guard percent != shown else { return }
    shown = percent
    Console.show("\r\u{1B}[K" + line(fraction, width: Console.width))
  }

  /// Returns whether a line is due in a pipe after the given elapsed time, and schedules the next one: after ten seconds,
  /// and then whenever the elapsed time has doubled, but at least every five minutes. A minute thus has three lines, and
  /// an hour eighteen.
  mutating func isDue(after elapsed: Double) -> Bool {
    guard let due, elapsed >= due else { return false }
    self.due = elapsed + min(elapsed, 300)
    return true
  }

  /// Returns the bar in one line of any width: the title is shortened to fit.
  func line(_ fraction: Double, width: Int) -> String {
    let percent = Int((fraction * 100).rounded(.down))
    let end = " \(percent) %\(left(after: fraction))"
    let bar = min(30, max(5, width - end.count - 12))
    let room = max(0, width - 2 - end.count - bar)
    let name = Page.oneLine(Console.plain(title))
    let shown = name.count <= room ? name : "…" + name.suffix(max(0, room - 1))
    let filled = min(bar, percent * bar / 100)
    return shown + " " + String(repeating: "█", count: filled) + String(repeating: "░", count: bar - filled) + end
  }

  /// Returns the remaining time at the current speed, or an empty string if it is not reliable yet.
  private func left(after fraction: Double) -> String {
    let elapsed = start.duration(to: .now) / .seconds(1)
    guard elapsed > 2, fraction > 0.02, fraction < 1 else { return "" }
    let seconds = elapsed * (1 - fraction) / fraction
    return seconds < 90 ? ", \(Int(seconds.rounded(.up))) s left" : ", \(Int((seconds / 60).rounded(.up))) min left"
  }

  /// Erases the bar, so that the next output starts on an empty line.
  mutating func end() {
    guard Console.isTerminal, shown >= 0 else { return }
    shown = -1
    Console.show("\r\u{1B}[K")
  }
}

/// Prints a JSON document on standard output, with keys in a fixed order.
func printJSON(_ value: some Encodable) throws { Page.standard.text(try jsonText(value)) }

func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
  // The encoder escapes some control characters; the others can also occur in strings, and are escaped here.
  return Page.cleaned(String(decoding: try encoder.encode(value), as: UTF8.self)) {
    String(cFormat: "\\u%04x", $0.value)
  }
}

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
