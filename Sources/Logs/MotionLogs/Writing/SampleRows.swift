package import InertialSensors

extension SensorChannel {
  /// The names of the channel's numbers in Inertial's own tables, in order, including a field's accuracy.
  package var columnNames: [String] {
    switch self {
    case .gyroscope: Self.axes("rotationRate")
    case .accelerometer: Self.axes("acceleration")
    case .magnetometer: Self.axes("magneticField")
    case .calibratedMagneticField: Self.axes("calibratedMagneticField") + ["magneticFieldAccuracy"]
    case .deviceAttitude: Self.axes("deviceQuaternion") + ["deviceQuaternionW"]
    case .deviceGravity: Self.axes("deviceGravity")
    case .deviceUserAcceleration: Self.axes("deviceUserAcceleration")
    case .deviceRotationRate: Self.axes("deviceRotationRate")
    case .deviceHeading: ["deviceHeading"]
    case .referenceAttitude: Self.axes("quaternion") + ["quaternionW"]
    case .movement: ["movement"]
    }
  }

  private static func axes(_ name: String) -> [String] { ["X", "Y", "Z"].map { name + $0 } }

  /// Returns a sample's numbers for `columnNames`.
  package func numbers(of sample: SensorSample) -> [Double] {
    self == .calibratedMagneticField
      ? [sample.x, sample.y, sample.z, sample.w]
      : Array([sample.x, sample.y, sample.z, sample.w].prefix(componentCount))
  }
}

/// Arranges samples as rows of one table: the time, and columns for each channel.
///
/// Consecutive samples with the same timestamp share a row. The numbers of channels without a sample at that time are
/// NaN, so that every channel keeps its own clock.
package struct SampleRows {
  /// The names of the columns: `time`, then those of the channels in order.
  package let columns: [String]
  package let channels: [SensorChannel]
  /// The names of the columns in a CSV for readers: a name that is not canonical is followed by its unit.
  package var describedColumns: [String] {
    columns.map { $0.hasPrefix("calibratedMagneticField") ? $0 + " (uT)" : $0 }
  }
  /// The first column of each channel.
  private var places: [SensorChannel: Int] = [:]
  /// The rows of the current epoch: the first sample of each channel in the first row, and so on.
  private var rows: [[Double]] = []
  private var filled: [SensorChannel: Int] = [:]
  private var time = Double.nan

  /// - Parameter channels: The channels that have columns; samples of others are left out.
  package init(channels: [SensorChannel]) {
    self.channels = channels
    var columns = ["time"]
    for channel in channels {
      places[channel] = columns.count
      columns += channel.columnNames
    }
    self.columns = columns
  }

  /// Adds a sample. If its timestamp is new, first passes the rows of the previous epoch to a closure.
  package mutating func add(
    _ sample: SensorSample, consume: ([Double]) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let position = places[sample.channel] else { return }
    if sample.time != time {
      try finish(consume: consume)
      time = sample.time
    }
    let index = filled[sample.channel, default: 0]
    filled[sample.channel] = index + 1
    if index == rows.count { rows.append([time] + Array(repeating: .nan, count: columns.count - 1)) }
    for (component, number) in sample.channel.numbers(of: sample).enumerated() {
      rows[index][position + component] = number
    }
  }

  /// Passes the remaining rows to a closure.
  package mutating func finish(consume: ([Double]) throws(OutputError) -> Void) throws(OutputError) {
    for row in rows { try consume(row) }
    rows.removeAll(keepingCapacity: true)
    filled.removeAll(keepingCapacity: true)
  }
}
