internal import InertialSensors

extension LogFormat {
  /// Tables with a time column before each channel or sensor, as analysis programs for muscle sensors export them:
  /// `X[s],ACC.X [g],X[s],ACC.Y [g],...`.
  ///
  /// Each sensor is read as a separate table, with the clock of its first axis.
  static var channelClocks: LogFormat {
    LogFormat(
      id: "channel-clocks", title: "table with a clock for each channel",
      recognition:
        "a header with a time before each channel or sensor, X[s],ACC.X [g],X[s],ACC.Y [g] ..., and times that differ",
      units: "from the header or the options; acceleration is specific force unless specified otherwise",
      recognizes: { candidate in
        guard candidate.folder == nil, !candidate.head.isEmpty else { return false }
        let scanner = LineScanner(bytes: candidate.head, name: candidate.path)
        return (try? CSVHeader(scanner, columns: nil)).flatMap { sensors(of: $0) } != nil
      },
      open: { path, options throws(LogError) in
        guard options.columns == nil else { return try CSVLogReader(path: path, options: options) }
        return try openSensors(path, options)
      })
  }

  /// Returns the columns of each sensor, with "-" for the others, or `nil` if the table has only one clock.
  private static func sensors(of header: CSVHeader) -> [[String]]? {
    let names = header.names
    let clocks = names.indices.filter { names[$0].meaning?.quantity == .time }
    // The clocks must be separated by other columns.
    guard clocks.count >= 2, clocks[0] == 0, Swift.zip(clocks.dropFirst(), clocks).allSatisfy({ $0 > $1 + 1 }) else {
      return nil
    }
    var quantities: [ColumnMeaning.Quantity] = []
    var columns: [[String]] = []
    for (index, clock) in clocks.enumerated() {
      let end = index + 1 < clocks.count ? clocks[index + 1] : names.count
      for column in clock + 1..<end {
        guard let quantity = names[column].meaning?.quantity else { continue }
        if !quantities.contains(quantity) {
          quantities.append(quantity)
          columns.append(Array(repeating: "-", count: names.count))
          columns[columns.count - 1][clock] = names[clock].text
        }
        columns[quantities.firstIndex(of: quantity)!][column] = names[column].text
      }
    }
    let clocksOfSensors = Set(columns.compactMap { sensor in clocks.first { sensor[$0] != "-" } })
    guard quantities.contains(.acceleration), quantities.contains(.rotationRate),
      clocksOfSensors.count == columns.count,
      areDifferent(clocks, header)
    else { return nil }
    return columns
  }

  /// Whether the time columns differ in the first rows.
  private static func areDifferent(_ clocks: [Int], _ header: CSVHeader) -> Bool {
    header.firstRows(64).contains { row in
      let texts = row.withUnsafeBytes { line in
        FieldScanner.texts(line, header.separator)
      }
      return clocks.allSatisfy { $0 < texts.count } && Set(clocks.map { texts[$0] }).count > 1
    }
  }

  /// Opens the table.
  ///
  /// - Throws: ``LogError`` if it cannot be read or does not specify a unit.
  private static func openSensors(_ path: String, _ options: LogOptions) throws(LogError) -> MergedLogReader {
    let header = try CSVHeader(LineScanner(path: path), columns: nil)
    var sources: [CSVSource] = []
    for columns in sensors(of: header) ?? [] {
      var own = options
      own.columns = columns
      sources.append(CSVSource(try CSVLogReader(path: path, options: own)))
    }
    let clock = CSVSource.shareClock(&sources)
    var description = LogDescription(
      format: "channel-clocks", summary: "table with a clock for each channel", path: path)
    description.notes = ["time: each sensor's from the clock of its first axis"]
    for source in sources {
      description.note(source.description.notes.filter { !$0.hasPrefix("raw ") })
      description.columns.merge(source.description.columns) { first, _ in first }
    }
    description.epoch = clock.epoch
    description.clock = sources.first?.description.clock
    return MergedLogReader(description, sources)
  }
}
