import Inertial

extension EventEvaluationJob {
  func print(_ rows: [Row]) {
    guard let first = rows.first else { return }
    let hours = fixed(first.score.otherTime / 3600, 2)
    Page.standard.line("\(counted(inputs.count, "log")), \(hours) h without \(event)\n")
    Page.standard.line(
      padded("detector", 22), right("found", 9), right("of", 6), right("95 % interval", 16),
      right("delay s", 9), right("90 %", 7), right("false", 7), right("per h", 8), right("below", 8), right("ns", 7))
    for row in rows {
      let score = row.score
      let interval = score.detectionInterval.map {
        "\(fixed($0.lowerBound * 100, 1)) to \(fixed($0.upperBound * 100, 1)) %"
      }
      Page.standard.line(
        padded(Self.name(row), 22), right("\(score.found)", 9), right("\(score.stretches)", 6),
        right(interval ?? "-", 16), right(fixed(score.medianDelay, 2), 9), right(fixed(score.lateDelay, 2), 7),
        right("\(score.falseAlarms)", 7), right(fixed(score.falseAlarmsPerHour, 2), 8),
        right(fixed(score.falseAlarmBound, 2), 8), right(fixed(row.nanosecondsPerSample, 0), 7))
    }
    if first.score.stretches > 0 {
      Page.standard.line("\nevents matched one to one with labels, within \(first.score.tolerance) s")
      Page.standard.line(padded("detector", 22), EventMatches.head)
      for row in rows { Page.standard.line(padded(Self.name(row), 22), row.score.matches.row) }
    }
    let labels = Set(rows.flatMap(\.score.windows.keys)).sorted()
    guard !labels.isEmpty else { return }
    Page.standard.line("\nwindows with an event, by label")
    Page.standard.line(padded("detector", 22), labels.map { right($0, 14) }.joined(separator: " "))
    for row in rows {
      let cells = labels.map { label in
        right(row.score.windows[label].map { "\($0.touched) of \($0.count)" } ?? "-", 14)
      }
      Page.standard.line(padded(Self.name(row), 22), cells.joined(separator: " "))
    }
  }

  private static func name(_ row: Row) -> String {
    row.detector + (row.sensitivity.map { " \($0)" } ?? "")
  }
}
