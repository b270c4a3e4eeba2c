public import InertialSensors

/// Writes samples as the canonical raw CSV, and reference orientations as a separate CSV.
public enum RawLogWriter {
  /// Writes the raw channels: `time,accelerationX,...,rotationRateX,...,magneticFieldX,...` in s, g with Core Motion's
  /// sign, rad/s and µT, shortest exact numbers.
  ///
  /// Samples are written in the given order. Consecutive samples with the same timestamp share a row, with empty fields
  /// for channels without a sample. A channel without any sample has no columns. NaN becomes an empty field.
  public static func write(
    _ samples: [SensorSample], to path: String, force: Bool = false
  ) throws(OutputError) {
    try write(samples, channels: channels, to: path, force: force)
  }

  /// The channels of the canonical raw CSV.
  public static let channels: [SensorChannel] = [.accelerometer, .gyroscope, .magnetometer]

  /// Writes a recording's raw channels, sorted by time.
  public static func write(_ recording: Recording, to path: String, force: Bool = false) throws(OutputError) {
    try write(recording.samplesInTimeOrder(), to: path, force: force)
  }

  /// Writes the raw channels like `write`, the calibrated field, and a phone's other channels: a column per field, with
  /// separate rows at times without motion. Events go to the companion file (`walk.events.csv` for `walk.csv`), where
  /// `openLog` finds them.
  ///
  /// - `samples`: sorted by time; `auxiliary` may have any order.
  public static func write(
    _ samples: [SensorSample], auxiliary: [AuxiliarySample], to path: String, force: Bool = false
  ) throws(OutputError) {
    let present = Set(samples.map(\.channel))
    var motion = SampleRows(channels: (channels + [.calibratedMagneticField]).filter(present.contains))
    var rows: [[Double]] = []
    let append = { (row: [Double]) throws(OutputError) in rows.append(row) }
    for sample in samples { try motion.add(sample, consume: append) }
    try motion.finish(consume: append)
    let carried = Set(auxiliary.map(\.channel)).filter { !$0.isEvent }.sorted()
    let columns = motion.describedColumns + carried.flatMap { $0.fields.map(\.name) }
    var places: [AuxiliaryChannel: Int] = [:]
    var width = motion.columns.count
    for channel in carried {
      places[channel] = width
      width += channel.fields.count
    }
    for index in rows.indices { rows[index] += Array(repeating: .nan, count: width - motion.columns.count) }
    // The first row with a timestamp takes the values; a second sample of a channel at that time gets a separate row.
    var rowOfTime: [Double: Int] = [:]
    for (index, row) in rows.enumerated() where rowOfTime[row[0]] == nil { rowOfTime[row[0]] = index }
    for sample in auxiliary {
      guard let position = places[sample.channel] else { continue }
      let cells = position..<(position + sample.values.count)
      var index = rowOfTime[sample.time] ?? rows.count
      if index < rows.count, !rows[index][cells].allSatisfy(\.isNaN) { index = rows.count }
      if index == rows.count {
        rows.append([sample.time] + Array(repeating: .nan, count: width - 1))
        if rowOfTime[sample.time] == nil { rowOfTime[sample.time] = index }
      }
      rows[index].replaceSubrange(cells, with: sample.values)
    }
    let order = rows.indices.sorted { rows[$0][0] != rows[$1][0] ? rows[$0][0] < rows[$1][0] : $0 < $1 }
    let writer = try NumberTableWriter(path: path, columns: columns, force: force)
    for index in order { try writer.append(rows[index]) }
    try writer.close()
    try writeEvents(auxiliary.filter(\.channel.isEvent), beside: path, force: force)
  }

  private static func writeEvents(
    _ events: [AuxiliarySample], beside path: String, force: Bool
  ) throws(OutputError) {
    guard !events.isEmpty else { return }
    let writer = try EventTableWriter(
      path: EventTable.name(beside: path), channels: Set(events.map(\.channel)), force: force)
    let order = events.indices.sorted {
      events[$0].time != events[$1].time ? events[$0].time < events[$1].time : $0 < $1
    }
    for index in order { try writer.append(events[index]) }
    try writer.close()
  }

  /// Writes the reference orientation: `time,quaternionX,quaternionY,quaternionZ,quaternionW,movement`.
  public static func writeReference(
    _ samples: [SensorSample], to path: String, force: Bool = false
  ) throws(OutputError) {
    try write(samples, channels: [.referenceAttitude, .movement], to: path, force: force)
  }

  /// Writes a recording's reference orientation, sorted by time.
  public static func writeReference(
    _ recording: Recording, to path: String, force: Bool = false
  ) throws(OutputError) {
    try writeReference(recording.samplesInTimeOrder(), to: path, force: force)
  }

  private static func write(
    _ samples: [SensorSample], channels: [SensorChannel], to path: String, force: Bool
  ) throws(OutputError) {
    let present = Set(samples.map(\.channel))
    var rows = SampleRows(channels: channels.filter(present.contains))
    let writer = try NumberTableWriter(path: path, columns: rows.columns, force: force)
    let append = { (row: [Double]) throws(OutputError) in try writer.append(row) }
    for sample in samples { try rows.add(sample, consume: append) }
    try rows.finish(consume: append)
    try writer.close()
  }
}
