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
    self.report = report
    self.page = page
    self.names = names
    self.showsRows = showsRows
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
        northern(row.heading, 0, digits: 3), fixed(row.inclination, 3), row.headingDrift.map { fixed($0, 2) } ?? "-",
        "\(row.jumps)", "\(row.samples)", row.nanosecondsPerSample.map { fixed($0, 0) } ?? "-")
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
        padded(Self.fileName(filter), filterWidth), padded(fixed(error, 2), 7, left: true),
        Bar.text(error, of: maximum, width: width), style: .blue)
    }
  }

  private func printSummaries() {
    let counts = Set(report.summaries.map(\.recordings))
    let count = counts.count == 1 ? "\(counts.first ?? 0)" : "up to \(counts.max() ?? 0)"
    page.line("Root mean square errors in degrees over \(count) recordings\n")
    if page.isTerminal {
      summaryTable.print(on: page)
      printBars(report.summaries.map { ($0.filter, report.judgesHeading ? $0.meanTotal : $0.meanInclination) })
    } else {
      printPlainSummaries()
    }
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
      let northern = [("total", s.worstRecording), ("heading", s.worstHeadingRecording)]
      let all = (report.judgesHeading ? northern : []) + [("inclination", s.worstInclinationRecording)]
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

  private func printPlainSummaries() {
    page.line(
      padded("", filterWidth), center("total", 20), center("heading", 20), center("inclination", 20),
      header("ns/sample", 12))
    let trio = [header("mean", 6), header("median", 6), header("worst", 6)].joined(separator: " ")
    page.line(
      padded("filter", filterWidth), trio, trio, trio, header("median", 7), header("min", 7))
    for s in report.summaries {
      page.line(
        padded(Self.fileName(s.filter) + (s.isOnParetoFront ? " *" : ""), filterWidth),
        northern(s.meanTotal, 6), northern(s.medianTotal, 6), northern(s.worstTotal, 6),
        northern(s.meanHeading, 6), northern(s.medianHeading, 6), northern(s.worstHeading, 6),
        number(s.meanInclination), number(s.medianInclination), number(s.worstInclination),
        header(s.nanosecondsPerSample.map { fixed($0, 0) } ?? "-", 7),
        header(s.leastNanosecondsPerSample.map { fixed($0, 0) } ?? "-", 7))
    }
  }

  /// The same table for a terminal, where each column has one name.
  private var summaryTable: TextTable {
    let trio = { (error: String) in [error, "median", "worst"].map { TextTable.Column($0, 6) } }
    var table = TextTable(
      [.init("filter", filterWidth, isLeft: true)] + trio("total") + trio("heading") + trio("inclination")
        + [.init("ns/sample", 7), .init("min", 7)])
    for s in report.summaries {
      table.add(
        Self.fileName(s.filter) + (s.isOnParetoFront ? " *" : ""), northern(s.meanTotal, 0), northern(s.medianTotal, 0),
        northern(s.worstTotal, 0), northern(s.meanHeading, 0), northern(s.medianHeading, 0),
        northern(s.worstHeading, 0), fixed(s.meanInclination, 2), fixed(s.medianInclination, 2),
        fixed(s.worstInclination, 2), s.nanosecondsPerSample.map { fixed($0, 0) } ?? "-",
        s.leastNanosecondsPerSample.map { fixed($0, 0) } ?? "-")
    }
    return table
  }

  private func printCourses() {
    page.line(
      "\n" + padded("", filterWidth), "mean heading drift, °/min, and jumps of more than 3° between samples")
    for s in report.summaries {
      page.line(
        padded(Self.fileName(s.filter), filterWidth), header(s.meanHeadingDrift.map { fixed($0, 2) } ?? "-", 8),
        header("\(s.jumps)", 8))
    }
  }

  private func printGroups() {
    let width = max(5, report.groups.map(\.group.count).max() ?? 0)
    page.line(
      "\n" + padded("group", width), padded("filter", filterWidth), header("logs", 5), header("total", 8),
      header("heading", 8), header("inclination", 12), header("worst", 8))
    for group in report.groups {
      let worst = report.judgesHeading ? "  \(name(group.worstRecording))" : ""
      page.line(
        padded(group.group, width), padded(Self.fileName(group.filter), filterWidth),
        header("\(group.recordings)", 5), northern(group.meanTotal, 8), northern(group.meanHeading, 8),
        header(fixed(group.meanInclination, 2), 12), northern(group.worstTotal, 8) + worst)
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
          "an error above \(fixed(EvaluationReport.lostAngle, 0))° in \(s.lost) of \(s.recordings) recordings")
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
      CSVFields.print([
        CSVFields.quoted(row.recording), CSVFields.quoted(row.filter), "\(row.total)", "\(row.heading)",
        "\(row.inclination)",
        "\(row.samples)", "\(row.missing)", CSVFields.optional(row.clockShift),
        CSVFields.optional(row.nanosecondsPerSample),
        "\(row.largest)", CSVFields.quoted(row.group ?? ""), "\(row.largestHeading)", "\(row.largestInclination)",
        CSVFields.optional(row.headingDrift), "\(row.jumps)",
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
      CSVFields.print([
        CSVFields.quoted(s.filter), "\(s.recordings)", "\(s.meanTotal)", "\(s.medianTotal)", "\(s.worstTotal)",
        CSVFields.quoted(s.worstRecording), "\(s.meanHeading)", "\(s.medianHeading)", "\(s.worstHeading)",
        CSVFields.quoted(s.worstHeadingRecording), "\(s.meanInclination)", "\(s.medianInclination)",
        "\(s.worstInclination)", CSVFields.quoted(s.worstInclinationRecording),
        CSVFields.optional(s.nanosecondsPerSample),
        CSVFields.optional(s.leastNanosecondsPerSample), "\(s.isOnParetoFront)", "\(s.unjudged)", "\(s.missing)",
        "\(s.lost)", CSVFields.optional(s.meanHeadingDrift), "\(s.jumps)",
      ])
    }
  }

  // MARK: Parts

  private func name(_ path: String) -> String { names[path] ?? path }
  private static func fileName(_ path: String) -> String { path.lastPathPart }
  private func header(_ text: String, _ width: Int) -> String { padded(text, width, left: true) }
  private func number(_ value: Double) -> String { header(fixed(value, 2), 6) }
  /// Returns a figure that is only meaningful if the direction of north is known.
  private func northern(_ value: Double, _ width: Int, digits: Int = 2) -> String {
    header(report.judgesHeading ? fixed(value, digits) : "-", width)
  }
  private func center(_ text: String, _ width: Int) -> String {
    padded(String(repeating: " ", count: max(0, (width - text.count + 1) / 2)) + text, width)
  }
}
