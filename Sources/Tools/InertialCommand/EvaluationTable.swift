import Inertial
import InertialSystem

/// A human-readable evaluation, and its CSV.
struct EvaluationTable {
  private let report: EvaluationReport
  /// A short name per recording.
  private let names: [String: String]
  private let showsRows: Bool
  private let filterWidth: Int
  private let page: Page

  init(_ report: EvaluationReport, names: [String: String], showsRows: Bool, on page: Page = .standard) {
    (self.report, self.page, self.names, self.showsRows) = (report, page, names, showsRows)
    filterWidth = max(6, report.rows.map { Self.fileName($0.filter).count }.max() ?? 0) + 2
  }

  func print() {
    if showsRows { printRows() }
    guard Set(report.rows.map(\.recording)).count > 1 else {
      printInnovations()
      printFailures()
      return
    }
    if showsRows { page.line("") }
    printSummaries()
    if !report.groups.isEmpty { printGroups() }
    printInnovations()
    printFailures()
  }

  // MARK: Tables

  private func printRows() {
    let width = max(9, report.rows.map { name($0.recording).count }.max() ?? 0)
    var table = TextTable([
      .init("recording", width, isLeft: true), .init("filter", filterWidth, isLeft: true), .init("total", 8),
      .init("heading", 8), .init("inclination", 11), .init("°/min", 8), .init("jumps", 5), .init("samples", 8),
      .init("ns/sample", 9),
    ])
    for row in report.rows {
      table.add(
        name(row.recording), Self.fileName(row.filter), northern(row.total, 0, digits: 3),
        northern(row.heading, 0, digits: 3), fixed(row.inclination, 3), fixed(row.headingDrift, 2),
        "\(row.jumps)", "\(row.samples)", fixed(row.nanosecondsPerSample, 0))
    }
    table.print(on: page)
    let isOne = Set(report.rows.map(\.recording)).count == 1
    if isOne { printBars(report.rows.map { ($0.filter, report.judgesHeading ? $0.total : $0.inclination) }) }
  }

  /// Prints the errors of the filters as bars, on a terminal.
  private func printBars(_ errors: [(filter: String, error: Double)]) {
    let maximum = errors.map(\.error).filter(\.isFinite).max() ?? 0
    guard page.isTerminal, errors.count > 1, maximum > 0 else { return }
    page.line("")
    page.line("\(report.judgesHeading ? "total" : "inclination") error, degrees", style: .bold)
    let width = max(8, min(60, page.width - filterWidth - 10))
    for (filter, error) in errors {
      page.line(
        padded(Self.fileName(filter), filterWidth), right(fixed(error, 2), 7), bar(error, of: maximum, width: width),
        style: .blue)
    }
  }

  private func printSummaries() {
    let counts = Set(report.summaries.map(\.errors.count))
    let count = counts.count == 1 ? "\(counts.first ?? 0)" : "up to \(counts.max() ?? 0)"
    page.line("Root mean square errors in degrees over \(count) recordings\n")
    printSummaryTable()
    printBars(
      report.summaries.map { ($0.filter, report.judgesHeading ? $0.errors.total.mean : $0.errors.inclination.mean) })
    if report.summaries.contains(where: \.isOnParetoFront) {
      let error = report.judgesHeading ? "mean total error" : "mean inclination error"
      page.line("\n* Pareto front: no other filter is better in \(error) or median cost and worse in neither")
    }
    if !report.judgesHeading {
      page.line("total and heading are undefined because X is arbitrary; use --align yaw to fit the difference")
    }
    printCourses()
    page.line("\nworst recordings")
    for s in report.summaries {
      var worst: [(recording: String, errors: [String])] = []
      let northern = [("total", s.errors.total.worstRecording), ("heading", s.errors.heading.worstRecording)]
      let all = (report.judgesHeading ? northern : []) + [("inclination", s.errors.inclination.worstRecording)]
      for (error, recording) in all {
        if let index = worst.firstIndex(where: { $0.recording == recording }) {
          worst[index].errors.append(error)
        } else {
          worst.append((recording, [error]))
        }
      }
      for (index, entry) in worst.enumerated() {
        let filter = index == 0 ? Self.fileName(s.filter) : ""
        page.line(padded(filter, filterWidth), entry.errors.joined(separator: ", ") + ":", name(entry.recording))
      }
    }
  }

  private func printSummaryTable() {
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
    for s in report.summaries {
      let (total, heading, inclination) = (s.errors.total, s.errors.heading, s.errors.inclination)
      table.add(
        Self.fileName(s.filter) + (s.isOnParetoFront ? " *" : ""), northern(total.mean, 0), northern(total.median, 0),
        northern(total.worst, 0), northern(heading.mean, 0), northern(heading.median, 0), northern(heading.worst, 0),
        fixed(inclination.mean, 2), fixed(inclination.median, 2), fixed(inclination.worst, 2),
        fixed(s.nanosecondsPerSample, 0), fixed(s.leastNanosecondsPerSample, 0))
    }
    table.print(on: page)
  }

  private func printCourses() {
    page.line("\n" + padded("", filterWidth), "mean heading drift, °/min, and jumps of more than 3° between samples")
    for s in report.summaries {
      page.line(
        padded(Self.fileName(s.filter), filterWidth), right(fixed(s.meanHeadingDrift, 2), 8), right("\(s.jumps)", 8))
    }
  }

  private func printGroups() {
    let width = max(5, report.groups.map(\.errors.group.count).max() ?? 0)
    page.line(
      "\n" + padded("group", width), padded("filter", filterWidth), right("logs", 5), right("total", 8),
      right("heading", 8), right("inclination", 12), right("worst", 8))
    for (filter, errors) in report.groups {
      let worst = report.judgesHeading ? "  \(name(errors.total.worstRecording))" : ""
      page.line(
        padded(errors.group, width), padded(Self.fileName(filter), filterWidth), right("\(errors.count)", 5),
        northern(errors.total.mean, 8), northern(errors.heading.mean, 8), right(fixed(errors.inclination.mean, 2), 12),
        northern(errors.total.worst, 8) + worst)
    }
  }

  private func printInnovations() {
    let tallies = report.summaries.compactMap { summary in summary.measurements.map { (summary.filter, $0) } }
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

  private func printFailures() {
    let failing = report.summaries.filter { $0.unjudged + $0.lost > 0 || isMissingMuch($0) }
    let unjudgedOnly = Set(report.unjudged.map(\.filter)).subtracting(report.summaries.map(\.filter)).sorted()
    guard !failing.isEmpty || !unjudgedOnly.isEmpty else { return }
    page.line("\nfailures")
    for s in failing {
      var parts: [String] = []
      if s.unjudged > 0 { parts.append("\(counted(s.unjudged, "recording")) not evaluated") }
      if isMissingMuch(s) { parts.append("\(counted(s.missing, "sample")) without an estimate") }
      if s.lost > 0 {
        parts.append(
          "an error above \(fixed(EvaluationReport.lostAngle, 0))° in \(s.lost) of \(s.errors.count) recordings")
      }
      page.line(padded(Self.fileName(s.filter), filterWidth), parts.joined(separator: ", "))
    }
    for filter in unjudgedOnly { page.line(padded(filter, filterWidth), "no recording evaluated") }
  }

  /// A reference may extend by a sample or two beyond the log, which is not the filter's fault.
  private func isMissingMuch(_ summary: EvaluationReport.Summary) -> Bool {
    let judged = report.rows.filter { $0.filter == summary.filter }.reduce(0) { $0 + $1.samples }
    return 100 * summary.missing > judged
  }

  // MARK: Comma separated values

  func printCSV() {
    Page.standard.line(
      "recording,filter,total,heading,inclination,samples,missing,clockShift,nanosecondsPerSample,largest,group,"
        + "largestHeading,largestInclination,headingDrift,jumps")
    for row in report.rows {
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
    for s in report.summaries {
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

  private func name(_ path: String) -> String { names[path] ?? path }
  private static func fileName(_ path: String) -> String { path.lastPathPart }
  /// Returns a figure that is only meaningful if the direction of north is known.
  private func northern(_ value: Double, _ width: Int, digits: Int = 2) -> String {
    right(report.judgesHeading ? fixed(value, digits) : "-", width)
  }
  private func center(_ text: String, _ width: Int) -> String {
    padded(String(repeating: " ", count: max(0, (width - text.count + 1) / 2)) + text, width)
  }
}
