import Inertial
import InertialSystem

/// A human-readable evaluation of paths, and its CSV.
struct TrackEvaluationTable {
  typealias Row = TrackEvaluationReport.Row
  typealias Summary = TrackEvaluationReport.Summary
  typealias Figure = ScoreStatistics

  private let report: TrackEvaluationReport
  /// A short name per recording.
  private let names: [String: String]
  private let showsRows: Bool
  private let page: Page
  private let filterWidth: Int
  private let nameWidth: Int

  init(_ report: TrackEvaluationReport, names: [String: String], showsRows: Bool, on page: Page = .standard) {
    (self.report, self.names, self.showsRows, self.page) = (report, names, showsRows, page)
    filterWidth = max(6, report.rows.map { $0.filter.lastPathPart.count }.max() ?? 0)
    nameWidth = max(9, report.rows.map { (names[$0.recording] ?? $0.recording).count }.max() ?? 0)
  }

  func print() {
    if showsRows { printRows() }
    let count = Set(report.rows.map(\.recording)).count
    if count > 1 {
      if showsRows { page.line("") }
      page.line("Errors of paths in m over \(counted(count, "recording"))\n")
      printSummaries(report.summaries, group: nil)
      if !report.groups.isEmpty {
        page.line("")
        printSummaries(report.groups, group: max(5, report.groups.compactMap { $0.group?.count }.max() ?? 0))
      }
    }
    printRemarks()
  }

  // MARK: Tables

  private func printRows() {
    let tables = [
      table(
        report.rows.filter { $0.ate != nil },
        ["ATE", "horiz.", "vert.", "worst", "RTE", "in 95 %", "vert.", "points", "length"]
      ) { row in
        [
          metres(row.ate), metres(row.horizontal), metres(row.vertical), metres(row.largest), metres(row.rte),
          fraction(row.insideHorizontally), fraction(row.insideVertically), "\(row.points ?? 0)", metres(row.way, 1),
        ]
      },
      table(
        report.rows.filter { $0.closure != nil },
        ["closure", "% of length", "vert.", "% of length", "in 95 %", "vert.", "length"]
      ) { row in
        [
          metres(row.closure), metres(row.closurePercent), metres(row.closureVertical),
          metres(row.closureVerticalPercent),
          yes(row.closureIsInside), yes(row.closureIsInsideVertically), metres(row.pathLength, 1),
        ]
      },
      table(
        report.rows.filter { $0.outages != nil }, ["outages", "mean", "median", "worst", "in 95 %"]
      ) { row in
        [
          "\(row.outages?.count ?? 0)", metres(row.outageMean), metres(row.outageMedian), metres(row.outageWorst),
          fraction(row.outageInside),
        ]
      },
    ]
    for (index, table) in tables.compactMap({ $0 }).enumerated() {
      if index > 0 { page.line("") }
      table.print(on: page)
    }
  }

  /// Returns a table, or `nil` without rows.
  private func table(_ rows: [Row], _ titles: [String], _ cells: (Row) -> [String]) -> TextTable? {
    guard !rows.isEmpty else { return nil }
    var table = TextTable(
      [
        .init("recording", nameWidth, isLeft: true), .init("filter", filterWidth, isLeft: true),
        .init("on", 7, isLeft: true),
      ] + titles.map { .init($0, max(7, $0.count)) } + [.init("ns/sample", 9)])
    for row in rows {
      table.add(
        [name(row.recording), row.filter.lastPathPart, row.on ?? "-"] + cells(row)
          + [row.nanosecondsPerSample.map { fixed($0, 0) } ?? "-"])
    }
    return table
  }

  private func printSummaries(_ summaries: [Summary], group width: Int?) {
    var table = TextTable(
      (width.map { [.init("group", $0, isLeft: true)] } ?? []) + [
        .init("filter", filterWidth, isLeft: true), .init("error", 32, isLeft: true), .init("mean", 7),
        .init("median", 7), .init("worst", 7), .init("in 95 %", 7), .init("logs", 4),
        .init("worst recording", 15, isLeft: true),
      ])
    for summary in summaries {
      for (title, figure, inside) in figures(of: summary) {
        table.add(
          (width == nil ? [] : [summary.group ?? ""]) + [
            summary.filter.lastPathPart, title, metres(figure.mean), metres(figure.median), metres(figure.worst),
            fraction(inside), "\(figure.recordings)", name(figure.worstRecording),
          ])
      }
      if let cost = summary.nanosecondsPerSample, let minimum = summary.leastNanosecondsPerSample {
        table.remark(
          "\(summary.filter.lastPathPart): the path takes \(fixed(cost, 0)) ns/sample, minimum \(fixed(minimum, 0))")
      }
      if summary.unjudged > 0 {
        table.remark("\(summary.filter.lastPathPart): \(counted(summary.unjudged, "recording")) not evaluated")
      }
    }
    table.print(on: page)
  }

  /// Returns the available figures with their titles, and the fraction of errors inside the stated 95 %.
  private func figures(of summary: Summary) -> [(String, Figure, Double?)] {
    let outage = report.withheld.map { "after \(number($0)) s without fixes" } ?? ""
    let all: [(String, Figure?, Double?)] = [
      ("ATE", summary.ate, nil), ("horizontal", summary.horizontal, summary.insideHorizontally),
      ("vertical", summary.vertical, summary.insideVertically), ("RTE over \(interval)", summary.rte, nil),
      ("horizontal closure", summary.closure, summary.closureInside),
      ("horizontal closure, % of length", summary.closurePercent, nil),
      ("vertical closure", summary.closureVertical, summary.closureInsideVertically),
      ("vertical closure, % of length", summary.closureVerticalPercent, nil),
      (outage + ", mean", summary.outageMean, summary.outageInside), (outage + ", median", summary.outageMedian, nil),
    ]
    return all.compactMap { title, figure, inside in figure.map { (title, $0, inside) } }
  }

  private func printRemarks() {
    guard !report.rows.isEmpty else { return }
    page.line("")
    if report.rows.contains(where: { $0.ate != nil }) {
      printWrapped(
        "",
        "ATE, horizontal and vertical: root mean squares in m after \(alignment). RTE: the root mean square error of the "
          + "displacement over \(interval).", on: page)
    }
    if let withheld = report.withheld {
      printWrapped(
        "",
        "Outages: position fixes withheld for \(number(withheld)) s at a time, each in a separate run; the horizontal error "
          + "relative to the last withheld fix.", on: page)
    }
    printWrapped(
      "", "'in 95 %': the fraction of errors inside the 95 % confidence regions of the path, horizontal and vertical.",
      on: page)
    for row in report.rows where showsRows {
      if let on = row.on, let reason = row.reason {
        printWrapped("", "\(name(row.recording)) is on \(on): \(reason)", indent: 2, on: page)
      }
    }
  }

  private var alignment: String {
    switch report.alignment {
    case .none: "no alignment"
    case .origin: "a translation to a common start"
    case .yaw: "a fitted yaw rotation and translation"
    case .frame: "a fitted rotation and translation"
    }
  }

  private var interval: String {
    report.rteSeconds.map { "\(number($0)) s" } ?? report.rteMetres.map { "\(number($0)) m" } ?? ""
  }

  // MARK: Comma separated values

  func printCSV() {
    Page.standard.line(
      "recording,filter,on,ate,horizontal,vertical,median,largest,rte,pairs,insideHorizontally,insideVertically,points,"
        + "missing,way,yaw,closure,closureVertical,closurePercent,closureVerticalPercent,closureIsInside,"
        + "closureIsInsideVertically,pathLength,outages,outageMean,outageMedian,outageWorst,outageVerticalMean,outageInside,"
        + "nanosecondsPerSample,group")
    let optional = { (value: Double?) in CSVFields.optional(value) }
    for row in report.rows {
      var fields = [CSVFields.quoted(row.recording), CSVFields.quoted(row.filter), row.on ?? ""]
      fields += [row.ate, row.horizontal, row.vertical, row.median, row.largest, row.rte].map(optional)
      fields += [CSVFields.optional(row.pairs), optional(row.insideHorizontally), optional(row.insideVertically)]
      fields += [CSVFields.optional(row.points), "\(row.missing)"]
      fields += [row.way, row.yaw, row.closure, row.closureVertical, row.closurePercent].map(optional)
      fields += [optional(row.closureVerticalPercent), CSVFields.optional(row.closureIsInside)]
      fields += [CSVFields.optional(row.closureIsInsideVertically), optional(row.pathLength)]
      fields += [CSVFields.optional(row.outages?.count)]
      fields += [row.outageMean, row.outageMedian, row.outageWorst, row.outageVerticalMean].map(optional)
      fields += [optional(row.outageInside), optional(row.nanosecondsPerSample), CSVFields.quoted(row.group ?? "")]
      CSVFields.print(fields)
    }
  }

  func printSummaryCSV() {
    let figures: [(String, (Summary) -> Figure?)] = [
      ("ate", \.ate), ("horizontal", \.horizontal), ("vertical", \.vertical), ("rte", \.rte), ("closure", \.closure),
      ("closurePercent", \.closurePercent), ("closureVertical", \.closureVertical),
      ("closureVerticalPercent", \.closureVerticalPercent), ("outageMean", \.outageMean),
      ("outageMedian", \.outageMedian),
    ]
    let fractions: [(String, (Summary) -> Double?)] = [
      ("insideHorizontally", \.insideHorizontally), ("insideVertically", \.insideVertically),
      ("closureInside", \.closureInside), ("closureInsideVertically", \.closureInsideVertically),
      ("outageInside", \.outageInside), ("nanosecondsPerSample", \.nanosecondsPerSample),
      ("leastNanosecondsPerSample", \.leastNanosecondsPerSample),
    ]
    let labels = ["Mean", "Median", "Worst", "WorstRecording"]
    CSVFields.print(
      ["filter", "recordings"] + figures.flatMap { figure in labels.map { figure.0 + $0 } } + fractions.map(\.0)
        + ["outages", "missing", "unjudged"])
    for summary in report.summaries {
      var fields = [CSVFields.quoted(summary.filter), "\(summary.recordings)"]
      for (_, value) in figures {
        let figure = value(summary)
        fields += [figure?.mean, figure?.median, figure?.worst].map { CSVFields.optional($0) }
        fields.append(CSVFields.quoted(figure?.worstRecording ?? ""))
      }
      fields += fractions.map { CSVFields.optional($0.1(summary)) }
      CSVFields.print(fields + ["\(summary.outages)", "\(summary.missing)", "\(summary.unjudged)"])
    }
  }

  // MARK: Parts

  private func name(_ path: String) -> String { names[path] ?? path }
  private func metres(_ value: Double?, _ digits: Int = 2) -> String { value.map { fixed($0, digits) } ?? "-" }
  private func fraction(_ value: Double?) -> String { metres(value) }
  private func yes(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "-" }
  /// Returns a number without a fraction if it is an integer.
  private func number(_ value: Double) -> String { value == value.rounded() ? fixed(value, 0) : "\(value)" }
}
