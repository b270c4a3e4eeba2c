package import InertialLogs
package import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// A table that keeps its rows in memory, column by column in a single allocation.
///
/// It grows in large steps, so the distance of columns is `capacity`, not `rowCount`. After the last row, any thread
/// may read it. A table without columns discards its rows.
package final class ColumnBlock: TableWriter, @unchecked Sendable {
  package let columns: [FusedColumn]
  package private(set) var rowCount = 0
  /// The number of values from the start of a column to the start of the next.
  package private(set) var capacity: Int
  private var base: UnsafeMutablePointer<Double>?
  private let stop: StopFlag?
  /// The fraction of the expected rows that has been appended, 0...1, or 0 if unknown. It allows a single reallocation.
  package var fraction = 0.0

  /// - Parameters:
  ///   - capacity: The expected number of rows, or 0 if unknown.
  ///   - stop: A flag that ends the filling with an error when it is raised.
  package init(columns: [FusedColumn], capacity: Int = 0, stop: StopFlag? = nil) {
    self.columns = columns
    // Memory pages that are never written are not allocated.
    self.capacity = max(capacity, 4096)
    self.stop = stop
  }

  deinit { free(base) }

  /// Returns the values of a column, or `nil` without rows.
  package subscript(place: Int) -> UnsafePointer<Double>? { base.map { UnsafePointer($0 + place * capacity) } }

  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    let width = columns.count
    guard width > 0, rows.count >= width else { return }
    guard stop?.isRaised != true else {
      throw Self.error("was stopped before its end", "run it again")
    }
    let count = rows.count / width
    if base == nil || rowCount + count > capacity { try grow(to: rowCount + count) }
    var column = base! + rowCount
    let capacity = capacity
    for place in 0..<width {
      defer { column += capacity }
      var source = place
      for row in 0..<count {
        column[row] = rows[source]
        source += width
      }
    }
    rowCount += count
  }

  private func grow(to count: Int) throws(OutputError) {
    var larger = capacity
    if base != nil, fraction > 0 {
      let all = 1.1 * Double(count) / fraction
      // A very small fraction is too inaccurate for an estimate.
      if all < 1000 * Double(count) { larger = max(larger, Int(all)) }
    }
    while larger < count { larger *= 2 }
    let (size, isTooMuch) = larger.multipliedReportingOverflow(by: columns.count * MemoryLayout<Double>.stride)
    guard !isTooMuch, let memory = malloc(size) else {
      throw Self.error("\(count) rows do not fit into memory", "write them to a file, or select fewer columns")
    }
    let new = memory.assumingMemoryBound(to: Double.self)
    if let base {
      for place in columns.indices { (new + place * larger).update(from: base + place * capacity, count: rowCount) }
      free(base)
    }
    (base, capacity) = (new, larger)
  }

  package func flush() {}
  package func close() {}

  private static func error(_ problem: String, _ remedy: String) -> OutputError {
    OutputError(kind: .other, path: "the dataset in memory", problem: problem, remedy: remedy)
  }
}

extension FusionJob {
  /// Restores rows that `block` returned in another process, and the parts of its report that `write` needs.
  ///
  /// - Parameters:
  ///   - rows: The rows, with the block's columns in order.
  ///   - log: The description of the log. Its channels are determined from the columns.
  ///   - declination: The declination of the report.
  ///   - timeOrigin: The time origin of the report.
  /// - Throws: ``FusionError`` if the columns differ from those of this job.
  package func restored(
    _ rows: InMemoryTable, log: LogDescription, declination: MagneticDeclination?, timeOrigin: Double?
  ) throws(FusionError) -> (ColumnBlock, Report) {
    let names = rows.columns.map(\.name)
    var log = log
    log.auxiliaryChannels = Set(
      AuxiliaryChannel.allCases.filter { FusedColumn.carried([$0]).contains { names.contains($0.name) } })
    let block = ColumnBlock(columns: options.columns(of: log), capacity: rows.rowCount)
    guard block.columns.map(\.name) == names else {
      throw .usage("the columns do not match the options: \(names.joined(separator: ", "))")
    }
    do throws(OutputError) {
      for row in 0..<rows.rowCount { try block.append(rows.columns.map { $0.number(row) }) }
    } catch {
      throw FusionError(error)
    }
    var report = Report(
      job: self, output: "", log: LogSummary(description: log, reports: [:]), declination: declination,
      rowCount: rows.rowCount, columns: names)
    (report.epoch, report.timeOrigin) = (log.epoch, timeOrigin)
    return (block, report)
  }

  /// Writes rows that `block` returned, as `run` would have written them.
  ///
  /// - Parameters:
  ///   - block: The rows, from a job with the same options except for formats, digits and overwriting.
  ///   - report: The report of that job.
  /// - Returns: The written outputs.
  package func write(_ block: ColumnBlock, _ report: Report) throws(FusionError) -> [DatasetOutput] {
    let outputs = outputs
    guard outputs.count == 1 || output != "-" else { throw .usage("standard output takes one format") }
    if options.formats.isEmpty { try DatasetFormat.checkEnding(of: output) }
    try options.checkNumbers()
    try checkFormats()
    try check(against: InputGuard(inputs))
    let metadata = DatasetMetadata(
      log: report.log.description, options: options, declination: report.declination, needsChecksum: true, input: input)
    if let origin = report.timeOrigin { _ = metadata.time(origin) }
    let names = block.columns.map(\.name)
    let writer = try outputs.table(of: names, metadata, options, isOverlapped: isOverlapped)
    do throws(OutputError) {
      var rows = [Double](repeating: 0, count: 512 * names.count)
      for start in stride(from: 0, to: block.rowCount, by: 512) {
        let count = min(512, block.rowCount - start)
        for place in names.indices {
          let column = block[place]! + start
          for row in 0..<count { rows[row * names.count + place] = column[row] }
        }
        try rows.withUnsafeBufferPointer { all throws(OutputError) in
          try writer.append(UnsafeBufferPointer(rebasing: all[..<(count * names.count)]))
        }
      }
      try writer.finish()
      try NewNames(outputs.map(\.path)).allOrNone { () throws(OutputError) in try writer.close() }
    } catch {
      throw FusionError(error)
    }
    return outputs
  }
}
