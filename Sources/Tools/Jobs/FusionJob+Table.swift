package import InertialLogs
package import InertialNumerics
internal import InertialSensors

extension FusionJob {
  /// Reads and fuses the log into memory, as `run` does, and writes no file.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that was read, 0...1.
  public func table(progress: (Double) -> Void = { _ in }) throws(FusionError) -> (table: FusedTable, report: Report) {
    try checkSource()
    var table = FusedTable(columns: [])
    let report = try run(
      into: { columns in
        table = FusedTable(columns: columns, capacity: options.log.held?.rowCount ?? 0, stop: options.log.stop)
        return table
      }, isDetailed: false,
      progress: { fraction in
        table.fraction = fraction
        progress(fraction)
      })
    return (table, report)
  }

  /// Restores rows that `table` returned in another process, and the parts of its report that `write` needs.
  ///
  /// - Parameters:
  ///   - rows: The rows, with the table's columns in order.
  ///   - log: The description of the log. Its channels are determined from the columns.
  ///   - declination: The declination of the report.
  ///   - timeOrigin: The time origin of the report.
  /// - Throws: ``FusionError`` if the columns differ from those of this job.
  package func restored(
    _ rows: InMemoryTable, log: LogDescription, declination: MagneticDeclination?, timeOrigin: Double?
  ) throws(FusionError) -> (FusedTable, Report) {
    let names = rows.columns.map(\.name)
    var log = log
    log.auxiliaryChannels = Set(
      AuxiliaryChannel.allCases.filter { FusedColumn.carried([$0]).contains { names.contains($0.name) } })
    let table = FusedTable(columns: options.columns(of: log), capacity: rows.rowCount)
    guard table.columns.map(\.name) == names else {
      throw .usage("the columns do not match the options: \(names.joined(separator: ", "))")
    }
    do throws(OutputError) {
      for row in 0..<rows.rowCount { try table.append(rows.columns.map { $0.number(row) }) }
    } catch {
      throw FusionError(error)
    }
    var report = Report(
      job: self, output: "", log: LogSummary(description: log, reports: [:]), declination: declination,
      rowCount: rows.rowCount, columns: names)
    (report.epoch, report.timeOrigin) = (log.epoch, timeOrigin)
    return (table, report)
  }

  /// Writes rows that `table` returned, as `run` would have written them.
  ///
  /// - Parameters:
  ///   - table: The rows, from a job with the same options except for formats, digits and overwriting.
  ///   - report: The report of that job.
  /// - Returns: The written outputs.
  package func write(_ table: FusedTable, _ report: Report) throws(FusionError) -> [DatasetOutput] {
    let outputs = outputs
    guard outputs.count == 1 || output != "-" else { throw .usage("standard output takes one format") }
    if options.formats.isEmpty { try DatasetFormat.checkEnding(of: output) }
    try options.checkNumbers()
    try checkFormats()
    try check(against: InputGuard(inputs))
    let metadata = DatasetMetadata(
      log: report.log.description, options: options, declination: report.declination, needsChecksum: true, input: input)
    if let origin = report.timeOrigin { _ = metadata.time(origin) }
    let names = table.columns.map(\.name)
    let writer = try outputs.writer(of: names, metadata, options, isOverlapped: isOverlapped)
    do throws(OutputError) {
      let block = FusionStage.blockLength
      var rows = [Double](repeating: 0, count: block * names.count)
      for start in stride(from: 0, to: table.rowCount, by: block) {
        let count = min(block, table.rowCount - start)
        for place in names.indices {
          let column = table[place]! + start
          for row in 0..<count { rows[row * names.count + place] = column[row] }
        }
        try rows.withUnsafeBufferPointer { all throws(OutputError) in
          try writer.append(UnsafeBufferPointer(rebasing: all[..<(count * names.count)]))
        }
      }
    } catch {
      throw FusionError(error)
    }
    try OutputFiles.complete(writer, metadata, paths: outputs.map(\.path))
    return outputs
  }
}
