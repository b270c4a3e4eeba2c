import Inertial
import InertialSystem

/// The human-readable evaluation of paths, and its CSV.
extension TrackEvaluationReport {
  private var filterWidth: Int { max(6, rows.map(\.filter.lastPathPart.count).max() ?? 0) }

  /// - Parameters:
  ///   - names: A short name per recording.
  ///   - showsRows: Whether to print a row for each recording and filter.
  func print(names: [String: String], showsRows: Bool, on page: Page = .standard) {
    if showsRows { printRows(names, on: page) }
    let count = Set(rows.map(\.recording)).count
    if count > 1 {
      if showsRows { page.line("") }
      page.line("Errors of paths in m over \(counted(count, "recording"))\n")
      printSummaries(summaries, names, group: nil, on: page)
      if !groups.isEmpty {
        page.line("")
        let width = max(5, groups.compactMap { $0.group?.count }.max() ?? 0)
        printSummaries(groups, names, group: width, on: page)
      }
    }
    printRemarks(names, showsReasons: showsRows, on: page)
  }

  // MARK: Tables

  private func printRows(_ names: [String: String], on page: Page) {
    func table(_ rows: [Row], _ titles: [String], _ cells: (Row) -> [String]) -> TextTable? {
      guard !rows.isEmpty else { return nil }
      let width = max(9, self.rows.map { names[$0.recording, default: $0.recording].count }.max() ?? 0)
      var table = TextTable(
        [
          .init("recording", width, isLeft: true), .init("filter", filterWidth, isLeft: true),
          .init("on", 7, isLeft: true),
        ] + titles.map { .init($0, max(7, $0.count)) } + [.init("ns/sample", 9)])
      for row in rows {
        table.add(
          [names[row.recording, default: row.recording], row.filter.lastPathPart, row.on ?? "-"] + cells(row)
            + [fixed(row.nanosecondsPerSample, 0)])
      }
      return table
    }
    let tables = [
      table(
        rows.filter { $0.ate != nil },
        ["ATE", "horiz.", "vert.", "worst", "RTE", "in 95 %", "vert.", "points", "length"]
      ) { row in
        [
          fixed(row.ate, 2), fixed(row.horizontal, 2), fixed(row.vertical, 2), fixed(row.largest, 2), fixed(row.rte, 2),
          fixed(row.insideHorizontally, 2), fixed(row.insideVertically, 2), "\(row.points ?? 0)", fixed(row.way, 1),
        ]
      },
      table(
        rows.filter { $0.closure != nil },
        ["closure", "% of length", "vert.", "% of length", "in 95 %", "vert.", "length"]
      ) { row in
        [
          fixed(row.closure, 2), fixed(row.closurePercent, 2), fixed(row.closureVertical, 2),
          fixed(row.closureVerticalPercent, 2),
          yes(row.closureIsInside), yes(row.closureIsInsideVertically), fixed(row.pathLength, 1),
        ]
      },
      table(
        rows.filter { $0.outages != nil }, ["outages", "mean", "median", "worst", "in 95 %"]
      ) { row in
        [
          "\(row.outages?.count ?? 0)", fixed(row.outageMean, 2), fixed(row.outageMedian, 2), fixed(row.outageWorst, 2),
          fixed(row.outageInside, 2),
        ]
      },
    ]
    for (index, table) in tables.compactMap({ $0 }).enumerated() {
      if index > 0 { page.line("") }
      table.print(on: page)
    }
  }

  private func printSummaries(
    _ summaries: [Summary], _ names: [String: String], group width: Int?, on page: Page
  ) {
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
            summary.filter.lastPathPart, title, fixed(figure.mean, 2), fixed(figure.median, 2), fixed(figure.worst, 2),
            fixed(inside, 2), "\(figure.recordings)", names[figure.worstRecording, default: figure.worstRecording],
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
  private func figures(of summary: Summary) -> [(String, ScoreStatistics, Double?)] {
    let outage = withheld.map { "after \(number($0)) s without fixes" } ?? ""
    let all: [(String, ScoreStatistics?, Double?)] = [
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

  private func printRemarks(_ names: [String: String], showsReasons: Bool, on page: Page) {
    guard !rows.isEmpty else { return }
    page.line("")
    if rows.contains(where: { $0.ate != nil }) {
      printWrapped(
        "",
        "ATE, horizontal and vertical: root mean squares in m after \(alignmentText). RTE: the root mean square error of "
          + "the displacement over \(interval).", on: page)
    }
    if let withheld {
      printWrapped(
        "",
        "Outages: position fixes withheld for \(number(withheld)) s at a time, each in a separate run; the horizontal error "
          + "relative to the last withheld fix.", on: page)
    }
    printWrapped(
      "", "'in 95 %': the fraction of errors inside the 95 % confidence regions of the path, horizontal and vertical.",
      on: page)
    for row in rows where showsReasons {
      if let on = row.on, let reason = row.reason {
        printWrapped("", "\(names[row.recording, default: row.recording]) is on \(on): \(reason)", indent: 2, on: page)
      }
    }
  }

  private var alignmentText: String {
    switch alignment {
    case .none: "no alignment"
    case .origin: "a translation to a common start"
    case .yaw: "a fitted yaw rotation and translation"
    case .frame: "a fitted rotation and translation"
    }
  }

  private var interval: String {
    rteSeconds.map { "\(number($0)) s" } ?? rteMetres.map { "\(number($0)) m" } ?? ""
  }

  // MARK: Comma separated values

  func printCSV() {
    Page.standard.line(
      "recording,filter,on,ate,horizontal,vertical,median,largest,rte,pairs,insideHorizontally,insideVertically,points,"
        + "missing,way,yaw,closure,closureVertical,closurePercent,closureVerticalPercent,closureIsInside,"
        + "closureIsInsideVertically,pathLength,outages,outageMean,outageMedian,outageWorst,outageVerticalMean,outageInside,"
        + "nanosecondsPerSample,group")
    for row in rows {
      Page.standard.csv([
        row.recording, row.filter, row.on, row.ate, row.horizontal, row.vertical, row.median, row.largest, row.rte,
        row.pairs, row.insideHorizontally, row.insideVertically, row.points, row.missing, row.way, row.yaw, row.closure,
        row.closureVertical, row.closurePercent, row.closureVerticalPercent, row.closureIsInside,
        row.closureIsInsideVertically, row.pathLength, row.outages?.count, row.outageMean, row.outageMedian,
        row.outageWorst, row.outageVerticalMean, row.outageInside, row.nanosecondsPerSample, row.group,
      ])
    }
  }

  func printSummaryCSV() {
    let figures: [(String, (Summary) -> ScoreStatistics?)] = [
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
    let names = figures.flatMap { figure in labels.map { figure.0 + $0 } } + fractions.map(\.0)
    Page.standard.line("filter,recordings,\(names.joined(separator: ",")),outages,missing,unjudged")
    for summary in summaries {
      var fields: [(any CustomStringConvertible)?] = [summary.filter, summary.recordings]
      for (_, value) in figures {
        let figure = value(summary)
        fields += [figure?.mean, figure?.median, figure?.worst, figure?.worstRecording]
      }
      for (_, value) in fractions { fields.append(value(summary)) }
      fields += [summary.outages, summary.missing, summary.unjudged]
      Page.standard.csv(fields)
    }
  }

  // MARK: Parts

  private func yes(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "-" }
  /// Returns a number without a fraction if it is an integer.
  private func number(_ value: Double) -> String { value == value.rounded() ? fixed(value, 0) : "\(value)" }
}
