public import InertialSensors

/// Writes samples as the canonical raw CSV, and reference orientations as a CSV of their own.
public enum RawLogWriter {
  /// Writes the raw channels: `time,accelerationX,...,rotationRateX,...,magneticFieldX,...` in s, g with Core Motion's
  /// sign, rad/s and µT, shortest exact numbers.
  ///
  /// Samples are written in the given order; those of equal time that follow one another share a row, with empty fields
  /// where a channel has no sample. A channel without any sample has no columns. NaN becomes an empty field.
  public static func write(
    _ samples: [SensorSample], to path: String, force: Bool = false
  ) throws(OutputError) {
    try write(samples, channels: channels, to: path, force: force)
  }

  /// The channels that the canonical raw CSV has.
  public static let channels: [SensorChannel] = [.accelerometer, .gyroscope, .magnetometer]

  /// Writes a recording's raw channels in order of time.
  public static func write(_ recording: Recording, to path: String, force: Bool = false) throws(OutputError) {
    try write(recording.samplesInTimeOrder(), to: path, force: force)
  }

  /// Writes the raw channels and the calibrated field as `write` does, and beside them the other channels that a phone
  /// records: a column for each of their fields, with rows at their own times where motion has none. Events go to the file
  /// beside the log (`walk.events.csv` beside `walk.csv`), where `openLog` finds them.
  ///
  /// - `samples`: in order of time; those of other channels may be in any.
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
    // The first row of each time takes the values; a second sample of a channel at a time has a row of its own.
    var rowOfTime: [Double: Int] = [:]
    for (index, row) in rows.enumerated() where rowOfTime[row[0]] == nil { rowOfTime[row[0]] = index }
    for sample in auxiliary {
      guard let place = places[sample.channel] else { continue }
      let cells = place..<(place + sample.values.count)
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

  /// Writes a recording's reference orientation in order of time.
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
