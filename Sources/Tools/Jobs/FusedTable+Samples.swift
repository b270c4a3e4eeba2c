package import InertialLogs
internal import InertialSensors

extension FusedTable {
  /// Reads all samples of a log as tables, one for each channel, sorted by time.
  ///
  /// - Parameters:
  ///   - path: A file, a folder, or "-" for standard input.
  ///   - progress: Called periodically with the fraction of the log that was read, 0...1.
  package static func samples(
    _ path: String, _ options: LogOptions, progress: (Double) -> Void
  ) throws(FusionError) -> (tables: [(name: String, block: FusedTable)], summary: LogSummary) {
    var feed = LogFeed(path: path, options: options)
    feed.neededChannels = []
    var motion: [SensorChannel: FusedTable] = [:]
    var others: [AuxiliaryChannel: FusedTable] = [:]
    let summary = try feed.run(
      start: { (_) throws(FusionError) in (motion, others) = ([:], [:]) },
      progress: progress,
      auxiliary: { (block) throws(FusionError) in
        for sample in block {
          let table = others[sample.channel] ?? FusedTable(columns: FusedColumn.samples(of: sample.channel))
          others[sample.channel] = table
          try append([sample.time] + sample.values, to: table)
        }
      },
      consume: { (block) throws(FusionError) in
        for sample in block {
          let table =
            motion[sample.channel]
            ?? FusedTable(columns: FusedColumn.samples(of: sample.channel), capacity: options.held?.rowCount ?? 0)
          motion[sample.channel] = table
          try append([sample.time] + sample.channel.numbers(of: sample), to: table)
        }
      })
    let tables =
      motion.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) }
      + others.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) }
    return (tables, summary)
  }

  private static func append(_ row: [Double], to table: FusedTable) throws(FusionError) {
    do throws(OutputError) { try table.append(row) } catch { throw FusionError(error) }
  }
}

extension FusedColumn {
  /// Returns the columns of a channel's table: the time and the sample's values.
  fileprivate static func samples(of channel: SensorChannel) -> [FusedColumn] {
    numbered([("time", "s")] + channel.columns.map { ($0.name, $0.unit) }, of: channel.name)
  }

  fileprivate static func samples(of channel: AuxiliaryChannel) -> [FusedColumn] {
    numbered([("time", "s")] + channel.fields.map { ($0.name, $0.unit) }, of: channel.name)
  }

  private static func numbered(_ facts: [(String, String)], of channel: String) -> [FusedColumn] {
    facts.enumerated().map { FusedColumn(name: $1.0, unit: $1.1, meaning: channel, index: $0) }
  }
}
