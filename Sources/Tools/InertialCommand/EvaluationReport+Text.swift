import Inertial
import InertialSystem

/// The human-readable evaluation, and its CSV.
extension EvaluationReport {
  private var filterWidth: Int { max(6, rows.map(\.filter.lastPathPart.count).max() ?? 0) + 2 }

  /// - Parameters:
  ///   - names: A short name per recording.
  ///   - showsRows: Whether to print a row for each recording and filter.
  func print(names: [String: String], showsRows: Bool, on page: Page = .standard) {
    if showsRows { printRows(names, on: page) }
    if Set(rows.map(\.recording)).count > 1 {
      if showsRows { page.line("") }
      printSummaries(names, on: page)
      if !groups.isEmpty { printGroups(names, on: page) }
    }
    printInnovations(on: page)
    printFailures(on: page)
  }

  // MARK: Tables

  private func printRows(_ names: [String: String], on page: Page) {
    let width = max(9, rows.map { names[$0.recording, default: $0.recording].count }.max() ?? 0)
    var table = TextTable([
      .init("recording", width, isLeft: true), .init("filter", filterWidth, isLeft: true), .init("total", 8),
      .init("heading", 8), .init("inclination", 11), .init("°/min", 8), .init("jumps", 5), .init("samples", 8),
      .init("ns/sample", 9),
    ])
    for row in rows {
      table.add(
        names[row.recording, default: row.recording], row.filter.lastPathPart, northern(row.total, 0, digits: 3),
        northern(row.heading, 0, digits: 3), fixed(row.inclination, 3), fixed(row.headingDrift, 2),
        "\(row.jumps)", "\(row.samples)", fixed(row.nanosecondsPerSample, 0))
    }
    table.print(on: page)
    let isOne = Set(rows.map(\.recording)).count == 1
    if isOne { printBars(rows.map { ($0.filter, judgesHeading ? $0.total : $0.inclination) }, on: page) }
  }

  /// Prints the errors of the filters as bars, on a terminal.
  private func printBars(_ errors: [(filter: String, error: Double)], on page: Page) {
    let maximum = errors.map(\.error).filter(\.isFinite).max() ?? 0
    guard page.isTerminal, errors.count > 1, maximum > 0 else { return }
    page.line("")
    page.line("\(judgesHeading ? "total" : "inclination") error, degrees", style: .bold)
    let filterWidth = filterWidth
    let width = max(8, min(60, page.width - filterWidth - 10))
    for (filter, error) in errors {
      page.line(
        padded(filter.lastPathPart, filterWidth), right(fixed(error, 2), 7), bar(error, of: maximum, width: width),
        style: .blue)
    }
  }

  private func printSummaries(_ names: [String: String], on page: Page) {
    let counts = Set(summaries.map(\.errors.count))
    let count = counts.count == 1 ? "\(counts.first ?? 0)" : "up to \(counts.max() ?? 0)"
    page.line("Root mean square errors in degrees over \(count) recordings\n")
    printSummaryTable(on: page)
    printBars(
      summaries.map { ($0.filter, judgesHeading ? $0.errors.total.mean : $0.errors.inclination.mean) }, on: page)
    if summaries.contains(where: \.isOnParetoFront) {
      let error = judgesHeading ? "mean total error" : "mean inclination error"
      page.line("\n* Pareto front: no other filter is better in \(error) or median cost and worse in neither")
    }
    if !judgesHeading {
      page.line("total and heading are undefined because X is arbitrary; use --align yaw to fit the difference")
    }
    printCourses(on: page)
    page.line("\nworst recordings")
    let filterWidth = filterWidth
    for s in summaries {
      var worst: [(recording: String, errors: [String])] = []
      let northern = [("total", s.errors.total.worstRecording), ("heading", s.errors.heading.worstRecording)]
      let all = (judgesHeading ? northern : []) + [("inclination", s.errors.inclination.worstRecording)]
      for (error, recording) in all {
        if let index = worst.firstIndex(where: { $0.recording == recording }) {
          worst[index].errors.append(error)
        } else {
          worst.append((recording, [error]))
        }
      }
      for (index, entry) in worst.enumerated() {
        let filter = index == 0 ? s.filter.lastPathPart : ""
        page.line(
          padded(filter, filterWidth), entry.errors.joined(separator: ", ") + ":",
          names[entry.recording, default: entry.recording])
      }
    }
  }

  private func printSummaryTable(on page: Page) {
    let filterWidth = filterWidth
    // A terminal has one name for each column; plain text has the errors' names in a separate line.
    if !page.isTerminal {
      page.line(
        padded("", filterWidth), center("total", 20), center("heading", 20), center("inclination", 20),
        right("ns/sample", 12))
    }
    let trio = { (error: String) in
      [page.isTerminal ? error : "mean", "median", "worst"].map { TextTable.Column($0, 6) }
    }
    var table = TextTable(
      [.init("filter", filterWidth, isLeft: true)] + trio("total") + trio("heading") + trio("inclination")
        + [.init(page.isTerminal ? "ns/sample" : "median", 7), .init("min", 7)])
    for s in summaries {
      let (total, heading, inclination) = (s.errors.total, s.errors.heading, s.errors.inclination)
      table.add(
        s.filter.lastPathPart + (s.isOnParetoFront ? " *" : ""), northern(total.mean, 0), northern(total.median, 0),
        northern(total.worst, 0), northern(heading.mean, 0), northern(heading.median, 0), northern(heading.worst, 0),
        fixed(inclination.mean, 2), fixed(inclination.median, 2), fixed(inclination.worst, 2),
        fixed(s.nanosecondsPerSample, 0), fixed(s.leastNanosecondsPerSample, 0))
    }
    table.print(on: page)
  }

  private func printCourses(on page: Page) {
    let filterWidth = filterWidth
    page.line("\n" + padded("", filterWidth), "mean heading drift, °/min, and jumps of more than 3° between samples")
    for s in summaries {
      page.line(
        padded(s.filter.lastPathPart, filterWidth), right(fixed(s.meanHeadingDrift, 2), 8), right("\(s.jumps)", 8))
    }
  }

  private func printGroups(_ names: [String: String], on page: Page) {
    let filterWidth = filterWidth
    let width = max(5, groups.map(\.errors.group.count).max() ?? 0)
    page.line(
      "\n" + padded("group", width), padded("filter", filterWidth), right("logs", 5), right("total", 8),
      right("heading", 8), right("inclination", 12), right("worst", 8))
    for (filter, errors) in groups {
      let recording = errors.total.worstRecording
      let worst = judgesHeading ? "  \(names[recording, default: recording])" : ""
      page.line(
        padded(errors.group, width), padded(filter.lastPathPart, filterWidth), right("\(errors.count)", 5),
        northern(errors.total.mean, 8), northern(errors.heading.mean, 8), right(fixed(errors.inclination.mean, 2), 12),
        northern(errors.total.worst, 8) + worst)
    }
  }

  private func printInnovations(on page: Page) {
    let tallies = summaries.compactMap { summary in summary.measurements.map { (summary.filter, $0) } }
    guard !tallies.isEmpty else { return }
    page.line("\nmeasurements: accepted and rejected in %, and the mean NIS per component")
    TextTable(measurements: tallies).print(on: page)
    let silent = tallies.filter(\.1.isEmpty).map(\.0)
    if !silent.isEmpty { page.line("\(silent.joined(separator: ", ")): no innovations") }
    page.line(
      "NIS: 1 is consistent, and 95 % of the values lie in the band if innovations are independent; above, the filter "
        + "overestimates the accuracy of its measurements, below it underestimates it. 'in 95': the fraction inside the "
        + "95 % region. Measurements with less than a tenth of their weight are rejected and not part of the NIS.")
  }

  private func printFailures(on page: Page) {
    let failing = summaries.filter { $0.unjudged + $0.lost > 0 || isMissingMuch($0) }
    let unjudgedOnly = Set(unjudged.map(\.filter)).subtracting(summaries.map(\.filter)).sorted()
    guard !failing.isEmpty || !unjudgedOnly.isEmpty else { return }
    page.line("\nfailures")
    let filterWidth = filterWidth
    for s in failing {
      var parts: [String] = []
      if s.unjudged > 0 { parts.append("\(counted(s.unjudged, "recording")) not evaluated") }
      if isMissingMuch(s) { parts.append("\(counted(s.missing, "sample")) without an estimate") }
      if s.lost > 0 {
        parts.append(
          "an error above \(fixed(Self.lostAngle, 0))° in \(s.lost) of \(s.errors.count) recordings")
      }
      page.line(padded(s.filter.lastPathPart, filterWidth), parts.joined(separator: ", "))
    }
    for filter in unjudgedOnly { page.line(padded(filter, filterWidth), "no recording evaluated") }
  }

  /// A reference may extend by a sample or two beyond the log, which is not the filter's fault.
  private func isMissingMuch(_ summary: Summary) -> Bool {
    let judged = rows.filter { $0.filter == summary.filter }.reduce(0) { $0 + $1.samples }
    return 100 * summary.missing > judged
  }

  // MARK: Comma separated values

  func printCSV() {
    Page.standard.line(
      "recording,filter,total,heading,inclination,samples,missing,clockShift,nanosecondsPerSample,largest,group,"
        + "largestHeading,largestInclination,headingDrift,jumps")
    for row in rows {
      Page.standard.csv([
        row.recording, row.filter, row.total, row.heading, row.inclination, row.samples, row.missing, row.clockShift,
        row.nanosecondsPerSample, row.largest, row.group, row.largestHeading, row.largestInclination, row.headingDrift,
        row.jumps,
      ])
    }
  }

  func printSummaryCSV() {
    Page.standard.line(
      "filter,recordings,meanTotal,medianTotal,worstTotal,worstRecording,meanHeading,medianHeading,worstHeading,"
        + "worstHeadingRecording,meanInclination,medianInclination,worstInclination,worstInclinationRecording,"
        + "nanosecondsPerSample,leastNanosecondsPerSample,isOnParetoFront,unjudged,missing,lost,"
        + "meanHeadingDrift,jumps")
    for s in summaries {
      let (total, heading, inclination) = (s.errors.total, s.errors.heading, s.errors.inclination)
      Page.standard.csv([
        s.filter, s.errors.count, total.mean, total.median, total.worst, total.worstRecording, heading.mean,
        heading.median, heading.worst, heading.worstRecording, inclination.mean, inclination.median, inclination.worst,
        inclination.worstRecording, s.nanosecondsPerSample, s.leastNanosecondsPerSample, s.isOnParetoFront,
        s.unjudged, s.missing, s.lost, s.meanHeadingDrift, s.jumps,
      ])
    }
  }

  // MARK: Parts

  /// Returns a figure that is only meaningful if the direction of north is known.
  private func northern(_ value: Double, _ width: Int, digits: Int = 2) -> String {
    right(judgesHeading ? fixed(value, digits) : "-", width)
  }
  private func center(_ text: String, _ width: Int) -> String {
    padded(String(repeating: " ", count: max(0, (width - text.count + 1) / 2)) + text, width)
  }
}
