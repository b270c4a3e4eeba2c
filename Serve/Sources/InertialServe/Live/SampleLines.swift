internal import InertialLogs
internal import InertialSensors

/// Samples as lines of the canonical CSV, the format of `fuse --follow`, `StreamSource` and log files.
enum SampleLines {
  private static let table = SampleRows(
    channels: RawLogWriter.channels + [.calibratedMagneticField], auxiliary: [.barometer])

  /// The header line with the column names.
  static let header = table.describedColumns.joined(separator: ",") + "\n"

  /// Returns samples in chronological order as lines: one per timestamp, with empty fields for sensors without a
  /// sample.
  static func text(_ motion: [SensorSample], _ auxiliary: [AuxiliarySample]) -> String {
    var rows: [[Double]] = []
    var table = table
    do throws(OutputError) {
      let keep = { (row: [Double]) throws(OutputError) in rows.append(row) }
      for sample in motion { try table.add(sample, consume: keep) }
      try table.finish(consume: keep)
      let count = rows.count
      for sample in auxiliary {
        try table.add(sample, consume: keep)
        try table.finish(consume: keep)
      }
      if rows.count > count {
        rows = rows.indices.sorted { (rows[$0][0], $0) < (rows[$1][0], $1) }.map { rows[$0] }
      }
    } catch {
      preconditionFailure("writing to memory failed: \(error)")
    }
    return rows.map { row in row.map { $0.isNaN ? "" : "\($0)" }.joined(separator: ",") + "\n" }.joined()
  }
}
