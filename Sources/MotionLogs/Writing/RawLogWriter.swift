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
    let groups: [Group] = [
      Group(.accelerometer, ["accelerationX", "accelerationY", "accelerationZ"]),
      Group(.gyroscope, ["rotationRateX", "rotationRateY", "rotationRateZ"]),
      Group(.magnetometer, ["magneticFieldX", "magneticFieldY", "magneticFieldZ"]),
    ]
    try write(samples, groups: groups, to: path, force: force)
  }

  /// Writes a recording's raw channels in order of time.
  public static func write(_ recording: Recording, to path: String, force: Bool = false) throws(OutputError) {
    try write(recording.samplesInTimeOrder(), to: path, force: force)
  }

  /// Writes the reference orientation: `time,quaternionX,quaternionY,quaternionZ,quaternionW,movement`.
  public static func writeReference(
    _ samples: [SensorSample], to path: String, force: Bool = false
  ) throws(OutputError) {
    let groups: [Group] = [
      Group(.referenceAttitude, ["quaternionX", "quaternionY", "quaternionZ", "quaternionW"]),
      Group(.movement, ["movement"]),
    ]
    try write(samples, groups: groups, to: path, force: force)
  }

  /// Writes a recording's reference orientation in order of time.
  public static func writeReference(
    _ recording: Recording, to path: String, force: Bool = false
  ) throws(OutputError) {
    try writeReference(recording.samplesInTimeOrder(), to: path, force: force)
  }

  /// The columns of one channel.
  private struct Group {
    var channel: SensorChannel
    var names: [String]

    init(_ channel: SensorChannel, _ names: [String]) {
      self.channel = channel
      self.names = names
    }
  }

  private static func write(
    _ samples: [SensorSample], groups: [Group], to path: String, force: Bool
  ) throws(OutputError) {
    let present = Set(samples.map(\.channel))
    let groups = groups.filter { present.contains($0.channel) }
    /// The first column of each channel that is written.
    var places: [SensorChannel: Int] = [:]
    var columns = ["time"]
    for group in groups {
      places[group.channel] = columns.count
      columns += group.names
    }
    let writer = try NumberTableWriter(path: path, columns: columns, force: force)

    /// The rows of one time: the first sample of each channel in the first row, and so on.
    var rows: [[Double]] = []
    var filled: [SensorChannel: Int] = [:]
    var time = Double.nan
    for sample in samples {
      guard let place = places[sample.channel] else { continue }
      if sample.time != time {
        for row in rows { try writer.append(row) }
        rows.removeAll(keepingCapacity: true)
        filled.removeAll(keepingCapacity: true)
        time = sample.time
      }
      let index = filled[sample.channel, default: 0]
      filled[sample.channel] = index + 1
      if index == rows.count {
        rows.append([time] + Array(repeating: .nan, count: columns.count - 1))
      }
      let values = [sample.x, sample.y, sample.z, sample.w]
      for component in 0..<sample.channel.componentCount {
        rows[index][place + component] = values[component]
      }
    }
    for row in rows { try writer.append(row) }
    try writer.close()
  }
}
