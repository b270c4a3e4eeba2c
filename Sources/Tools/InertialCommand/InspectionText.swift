import Inertial
import InertialSystem

/// The human-readable output: problems first, then the contents.
extension InspectionReport {
  func print(on page: Page = .standard) {
    if let guess { return print(guess, on: page) }
    page.line("\(path): \(formatDescription)", style: .bold)
    printFindings(on: page)
    if let recognition { printWrapped("  \(format): recognised by ", recognition, indent: 4, on: page) }
    for note in notes { page.line("  \(note)") }
    if let clock { printWrapped("  clock: ", clock.description, indent: 4, on: page) }
    if let epoch { page.line("  time 0 is UNIX time \(fixed(epoch, 3)) s") }
    page.line("")
    printClocks(on: page)
    printValues(on: page)
    if let auxiliary { Self.print(auxiliary, on: page) }
    printCourse(on: page)
    printRest(on: page)
    printConsistency(on: page)
    if !alignment.isEmpty {
      page.line("time offsets relative to the gyroscope:")
      for entry in alignment { page.line("  \(entry.sentence)") }
    }
    if !warnings.isEmpty {
      page.line("")
      for warning in warnings { page.line("note: \(warning)") }
    }
    for remark in remarks { page.line("note: \(remark)") }
  }

  private func printFindings(on page: Page) {
    page.line("")
    if findings.isEmpty {
      page.line(untested.isEmpty ? "No problems found." : "No test failed.", style: .green)
    } else {
      for finding in findings { page.line("! \(finding.text)", style: .yellow) }
    }
    printUntested(on: page)
    page.line("")
  }

  private func printUntested(on page: Page) {
    guard !untested.isEmpty else { return }
    page.line("not tested:")
    for test in untested { printWrapped("  ", test, indent: 4, on: page) }
  }

  /// Prints the command in a separate line, to be copied, followed by the evidence for each part.
  private func print(_ guess: LogGuess, on page: Page) {
    page.line(guess.command, style: .bold)
    page.line("")
    if guess.parts.isEmpty { page.line(findings.isEmpty ? "The log needs no options." : "No option is certain.") }
    let width = guess.parts.map(\.answer.text.count).max() ?? 0
    for part in guess.parts {
      let lead = "\(padded(part.answer.text, width))  \(padded(part.certainty.rawValue, 7))  "
      printWrapped(lead, part.test, indent: 4, on: page)
    }
    for finding in findings { page.line("! \(finding.text)", style: .yellow) }
    printUntested(on: page)
    for remark in remarks { page.line("note: \(remark)") }
  }

  private static let clockColumns: [TextTable.Column] =
    [.init("channel", 26, isLeft: true)]
    + [
      "samples", "rate Hz", "median ms", "jitter ms", "spread", "gaps", "start s", "end s", "disordered", "repeated",
    ].map { .init($0, 10) }

  private func printClocks(on page: Page) {
    var table = TextTable(Self.clockColumns)
    for channel in channels {
      table.add(
        channel.name, "\(channel.used)", fixed(channel.rate, 2),
        channel.quality.map { fixed($0.medianInterval * 1000, 3) } ?? "-", fixed(channel.jitter * 1000, 3),
        channel.quality.map { fixed($0.intervalSpread * 100, 1) + " %" } ?? "-", "\(channel.gaps)",
        fixed(channel.firstTime, 2), fixed(channel.lastTime, 2),
        "\(channel.outOfOrder)", "\(channel.repeated + channel.setApart)")
      for gap in channel.quality?.gaps ?? [] {
        let line = gap.line > 0 ? ", to line \(gap.line)" : ""
        table.remark("  gap of \(fixed(gap.duration, 3)) s at \(fixed(gap.time, 3)) s\(line)")
      }
    }
    table.print(on: page)
    if let overlap {
      page.line("all motion sensors present from \(fixed(overlap.start, 2)) to \(fixed(overlap.end, 2)) s")
    }
    page.line("")
  }

  private func printValues(on page: Page) {
    var table = TextTable(
      [.init("channel", 26, isLeft: true)]
        + ["norm", "smallest", "at it", "largest", "at it", "step", "equal run", "zeros"].map { .init($0, 10) }
        + [.init(" unit", 0, isLeft: true)])
    for channel in channels {
      guard let quality = channel.quality else { continue }
      let total = Double(max(quality.changeCount, 1))
      for (name, axis) in quality.namedAxes {
        let isFirst = name == "x"
        table.add(
          padded(isFirst ? channel.name : "", page.isTerminal ? 0 : 24) + " " + padded(name, 1),
          isFirst ? significant(quality.norms.median, 5) : "", significant(axis.smallest, 5),
          Self.percent(Double(axis.atSmallest) / total), significant(axis.largest, 5),
          Self.percent(Double(axis.atLargest) / total),
          axis.step.map { significant($0, 4) } ?? "-", isFirst ? "\(quality.longestConstantRun.count)" : "",
          isFirst ? "\(quality.zeroCount)" : "", isFirst ? " \(channel.unit)" : "")
      }
    }
    table.print(on: page)
    page.line("")
  }

  /// Prints a timeline of channels and rest, on a terminal.
  private func printCourse(on page: Page) {
    let (first, last) = (channels.compactMap(\.firstTime).min(), channels.compactMap(\.lastTime).max())
    guard page.isTerminal, let first, let last, last > first else { return }
    let names = channels.map(\.name) + ["at rest"]
    let lead = names.map(\.count).max() ?? 0
    func line(_ name: String, _ marks: [(from: Double, to: Double, mark: Character)], _ style: Page.Style) {
      let strip = timeline(from: first, to: last, width: page.picture(beside: lead + 2), marks: marks)
      page.line(padded(name, lead), strip, style: style)
    }
    for channel in channels {
      guard let start = channel.firstTime, let end = channel.lastTime else { continue }
      let gaps = channel.quality?.gaps ?? []
      line(channel.name, [(start, end, "█")] + gaps.map { ($0.time, $0.time + $0.duration, "·") }, .blue)
    }
    if !rest.phases.isEmpty { line("at rest", rest.phases.map { ($0.start, $0.end, "█") }, .green) }
    page.line("")
  }

  private func printRest(on page: Page) {
    guard !rest.phases.isEmpty else {
      page.line("rest: no interval of two seconds or more")
      return
    }
    let total = rest.phases.reduce(0) { $0 + $1.end - $1.start }
    page.line(
      "rest: \(rest.phases.count) phase\(rest.phases.count == 1 ? "" : "s"), \(fixed(total, 1)) s in total, "
        + "the first at \(fixed(rest.phases[0].start, 1)) s")
    if let bias = rest.gyroscopeBias {
      page.line("  gyroscope bias \(fixed(bias.x, 5)), \(fixed(bias.y, 5)), \(fixed(bias.z, 5)) rad/s")
    }
    if let norm = rest.accelerationNorm { page.line("  acceleration \(fixed(norm, 4)) g") }
  }

  private func printConsistency(on page: Page) {
    func line(_ what: String, _ rates: ConsistencyReport.Rates) {
      let scale = rates.scale.map { ", rates scaled by \(significant($0, 3))" } ?? ""
      // If the motion is not sufficient, the fraction is meaningless.
      let fraction = rates.scale == nil ? "" : ", \(fixed(rates.fraction * 100, 0)) % explained"
      page.line("gyroscope and \(what): \(rates.verdict)\(scale)\(fraction)")
    }
    line("gravity", consistency.gravity)
    if let field = consistency.field { line("magnetic field", field) }
    if let field = consistency.fieldText { page.line("magnetic field: \(field)") }
  }

  private static func print(_ auxiliary: [Auxiliary], on page: Page) {
    // The columns of the clocks; in plain text their names are not repeated.
    var table = TextTable(clockColumns, isNamed: page.isTerminal)
    for channel in auxiliary {
      // Events occur irregularly and have no rate.
      table.add(
        channel.name, "\(channel.used)", channel.isEvent ? "-" : fixed(channel.rate, 2), "-", "-", "-", "-",
        fixed(channel.firstTime, 2), fixed(channel.lastTime, 2),
        "\(channel.outOfOrder)", "\(channel.repeated)")
      for field in channel.fields {
        guard let smallest = field.smallest, let largest = field.largest else { continue }
        let unit = field.unit == "1" ? "" : " \(field.unit)"
        table.remark("  \(padded(field.name, 24)) \(significant(smallest, 9)) to \(significant(largest, 9))\(unit)")
      }
    }
    table.print(on: page)
    page.line("")
  }

  private static func percent(_ fraction: Double) -> String { fixed(fraction * 100, 2) + " %" }
}
