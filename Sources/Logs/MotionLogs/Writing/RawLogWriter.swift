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
    try write(
      samples, auxiliary: auxiliary.inTimeOrder(), channels: channels + [.calibratedMagneticField], to: path,
      force: force)
    let events = auxiliary.filter(\.channel.isEvent)
    guard !events.isEmpty else { return }
    let writer = try EventTableWriter(
      path: LogFeed.eventsName(beside: path), channels: Set(events.map(\.channel)), force: force)
    for event in events { writer.append(event) }
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
    _ samples: [SensorSample], auxiliary: [AuxiliarySample] = [], channels: [SensorChannel], to path: String,
    force: Bool
  ) throws(OutputError) {
    let present = Set(samples.map(\.channel))
    let carried = Set(auxiliary.map(\.channel)).filter { !$0.isEvent }.sorted()
    var rows = SampleRows(channels: channels.filter(present.contains), auxiliary: carried)
    let writer = try NumberTableWriter(path: path, columns: rows.describedColumns, force: force)
    let append = { (row: [Double]) throws(OutputError) in try writer.append(row) }
    var others = auxiliary[...]
    for sample in samples {
      while let other = others.first, other.time < sample.time {
        try rows.add(other, consume: append)
        others.removeFirst()
      }
      try rows.add(sample, consume: append)
    }
    for other in others { try rows.add(other, consume: append) }
    try rows.finish(consume: append)
    try writer.close()
  }
}
