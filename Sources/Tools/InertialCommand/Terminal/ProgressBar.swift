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
    Console.show("\r\u{1B}[K" + Page.standard.shown(line(fraction, width: Console.width)))
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
