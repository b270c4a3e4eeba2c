public import Sensors

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
