internal import InertialLogs
internal import InertialSensors

/// Samples as lines of the canonical CSV, the format of `fuse --follow`, `StreamSource` and log files.
enum SampleLines {
  private static let table = SampleRows(channels: RawLogWriter.channels + [.calibratedMagneticField])
  private static let barometer = AuxiliaryChannel.barometer.fields.map(\.name)

  /// The header line with the column names.
  static let header = (table.describedColumns + barometer).joined(separator: ",") + "\n"

  /// Returns samples in chronological order as lines: one per timestamp, with empty fields for sensors without a
  /// sample.
  static func text(_ motion: [SensorSample], _ auxiliary: [AuxiliarySample]) -> String {
    var rows: [[Double]] = []
    var table = table
    let pad = Array(repeating: Double.nan, count: barometer.count)
    do throws(OutputError) {
      let keep = { (row: [Double]) throws(OutputError) in rows.append(row + pad) }
      for sample in motion { try table.add(sample, consume: keep) }
      try table.finish(consume: keep)
    } catch {
      preconditionFailure("writing to memory failed: \(error)")
    }
    let others = auxiliary.filter { $0.channel == .barometer }
    if !others.isEmpty {
      rows += others.map { [$0.time] + Array(repeating: .nan, count: table.columns.count - 1) + $0.values }
      let order = rows.indices.sorted { (rows[$0][0], $0) < (rows[$1][0], $1) }
      rows = order.map { rows[$0] }
    }
    return rows.map { row in row.map { $0.isNaN ? "" : "\($0)" }.joined(separator: ",") + "\n" }.joined()
  }
}
