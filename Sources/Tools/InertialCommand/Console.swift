import CInertialShims
import Inertial
import InertialEssentials
import InertialSystem

/// Messages and progress go to standard error; standard output is for results.
///
/// The one way out: nothing that fails to arrive traps, and `exit` tells by its status that something was lost.
enum Console {
  /// Bytes of a message: a longer one is of a file that is no text.
  private static let longest = 4000

  static func line(_ text: String) { say(Page.oneLine(plain(text)) + "\n") }

  /// A text of several lines.
  static func text(_ text: String) { say(plain(text) + "\n") }

  private static func say(_ text: String) {
    Unfinished.waitIfEnding()
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { _ = process_say($0.baseAddress!, $0.count) }
    }
  }

  /// A text as a terminal may have it: names and cells of files may hold control characters, and be of any length.
  static func plain(_ text: String) -> String {
    let plain = Page.cleaned(text)
    guard plain.utf8.count > longest else { return plain }
    return plain.prefix(longest / 2) + " ... " + plain.suffix(longest / 4)
  }

  /// Ends the process. Where something that was told has not arrived, the status is not 0.
  static func exit(_ status: Int32) -> Never {
    Unfinished.waitIfEnding()
    var status = status
    let failure = process_output_failure()
    if failure != 0 {
      // Nobody is there to be told where the reader has left.
      if failure != EPIPE {
        error(
          "standard output: not all of it could be written (\(String(cString: strerror(failure)).lowercased())); "
            + "free some space, or give it to a file or program that takes it")
      }
      if status == 0 { status = 1 }
    }
    if process_messages_failed() != 0, status == 0 { status = 1 }
    // All that was written has been flushed. A thread that reads ahead may still run, and what is done at an ordinary exit would
    // take away what it uses.
    _exit(status)
  }

  /// What a process needs before it does anything: a reader that leaves early is an error of a write and not the death of
  /// the process, and there must be room for some open files.
  static func begin() {
    signal(SIGPIPE, SIG_IGN)
    let count = process_raise_file_limit(4096)
    if let line = lackOfMemory() {
      error(line)
      exit(1)
    }
    guard count < leastFiles else { return }
    error("no more than \(count) files may be open at a time; allow \(leastFiles) or more: ulimit -n 256")
    exit(1)
  }

  /// A line where the process may not map as much memory as the numerical library does: it asks for 128 MB for each thread that
  /// computes, and retries indefinitely without them.
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
    return "the process may not use enough memory (\(limit >> 20) MB); allow \((size >> 20) + 256) MB or more: "
      + "ulimit -v \((size >> 10) + (256 << 10))"
  }

  /// A folder of sensors, outputs in several formats, and what the system's own libraries open.
  private static let leastFiles = 24

  static func error(_ text: String) { line("error: " + text) }

  static func warning(_ text: String) { line("warning: " + text) }

  /// What a user may want to know, and that nothing is wrong with.
  static func note(_ text: String) { line("note: " + text) }

  /// What stays on the line, such as a bar.
  static func show(_ text: String) { say(text) }

  /// Whether a line can be written over. TERM=dumb says that it cannot.
  static let isTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  /// Characters in a line of the terminal.
  static var width: Int { Page.columns(of: STDERR_FILENO) ?? 80 }
}

/// A bar on a terminal with the time that is left. In a pipe nothing, or, of what may take minutes, a line now and then.
struct ProgressBar {
  let title: String
  private var shown = -1
  private let start = ContinuousClock.now
  private var pace: ProgressPace?

  /// - Parameter isLong: whether it may take minutes, so that a file or another program is told of it as well.
  init(_ title: String, isLong: Bool = false) {
    self.title = title
    pace = isLong ? ProgressPace() : nil
  }

  mutating func show(_ share: Double) {
    let percent = Int((share * 100).rounded(.down))
    guard Console.isTerminal else {
      let elapsed = start.duration(to: .now) / .seconds(1)
      if pace?.isDue(after: elapsed) == true {
        Console.note("\(title): \(percent) %\(left(after: share))")
      }
      return
    }
    guard percent != shown else { return }
    shown = percent
    Console.show("\r\u{1B}[K" + line(share, width: Console.width))
  }

  /// The bar in one line, however narrow: what does not fit is left out of the title.
  func line(_ share: Double, width: Int) -> String {
    let percent = Int((share * 100).rounded(.down))
    let end = " \(percent) %\(left(after: share))"
    let bar = min(30, max(5, width - end.count - 12))
    let room = max(0, width - 2 - end.count - bar)
    let name = Page.oneLine(Console.plain(title))
    let shown = name.count <= room ? name : "…" + name.suffix(max(0, room - 1))
    let filled = min(bar, percent * bar / 100)
    return shown + " " + String(repeating: "█", count: filled) + String(repeating: "░", count: bar - filled) + end
  }

  /// As it has gone so far; nothing while that says little.
  private func left(after share: Double) -> String {
    let elapsed = start.duration(to: .now) / .seconds(1)
    guard elapsed > 2, share > 0.02, share < 1 else { return "" }
    let seconds = elapsed * (1 - share) / share
    return seconds < 90 ? ", \(Int(seconds.rounded(.up))) s left" : ", \(Int((seconds / 60).rounded(.up))) min left"
  }

  /// Wipes the bar, so that what follows starts on a clean line.
  mutating func end() {
    guard Console.isTerminal, shown >= 0 else { return }
    shown = -1
    Console.show("\r\u{1B}[K")
  }
}

/// When a line tells how far something is: after ten seconds, and then whenever as much time again has passed, but once in
/// five minutes at least. So a minute has three lines, and an hour eighteen.
struct ProgressPace {
  private static let first = 10.0
  private static let longest = 300.0
  private var due = Self.first

  /// Whether a line is to be told so many seconds after the beginning; the next one is then due later.
  mutating func isDue(after elapsed: Double) -> Bool {
    guard elapsed >= due else { return false }
    due = elapsed + min(elapsed, Self.longest)
    return true
  }
}

/// One JSON document on standard output, keys in a fixed order.
func printJSON(_ value: some Encodable) throws { Page.standard.text(try jsonText(value)) }

func jsonText(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  encoder.nonConformingFloatEncodingStrategy = .convertToString(
    positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
  // The encoder escapes some of the characters that a terminal obeys; the others are in texts, too, and keep their meaning.
  return Page.cleaned(String(decoding: try encoder.encode(value), as: UTF8.self)) {
    String(cFormat: "\\u%04x", $0.value)
  }
}

/// A number with a fixed count of decimals.
func fixed(_ value: Double, _ decimals: Int) -> String { String(cFormat: "%.\(decimals)f", value) }

/// A count with its noun: "1 log", "2 logs".
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// Text filled with spaces to a width, on the left for numbers.
func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
  let space = String(repeating: " ", count: max(0, width - text.count))
  return left ? space + text : text + space
}

/// A text in lines of the page's width, the first after a lead, the others below it.
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
