package import InertialSensors

extension SensorChannel {
  /// The names that the toolkit's own tables give the channel's numbers, in their order; a field's accuracy too.
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

  /// A sample's numbers for `columnNames`.
  package func numbers(of sample: SensorSample) -> [Double] {
    self == .calibratedMagneticField
      ? [sample.x, sample.y, sample.z, sample.w]
      : Array([sample.x, sample.y, sample.z, sample.w].prefix(componentCount))
  }
}

/// Lays samples out as rows of one table: the time, and columns for each channel.
///
/// Samples of equal time that follow one another share a row; where a channel has none at that time its numbers are NaN,
/// so that every channel keeps its own clock.
package struct SampleRows {
  /// `time`, then those of the channels in their order.
  package let columns: [String]
  package let channels: [SensorChannel]
  /// The columns as a CSV names them that readers shall understand: a name that is not canonical has its unit behind it.
  package var describedColumns: [String] {
    columns.map { $0.hasPrefix("calibratedMagneticField") ? $0 + " (uT)" : $0 }
  }
  /// The first column of each channel.
  private var places: [SensorChannel: Int] = [:]
  /// The rows of one time: the first sample of each channel in the first row, and so on.
  private var rows: [[Double]] = []
  private var filled: [SensorChannel: Int] = [:]
  private var time = Double.nan

  /// - Parameter channels: those that have columns; samples of others are left out.
  package init(channels: [SensorChannel]) {
    self.channels = channels
    var columns = ["time"]
    for channel in channels {
      places[channel] = columns.count
      columns += channel.columnNames
    }
    self.columns = columns
  }

  /// Takes a sample, and gives the rows of the time before to a closure where it begins another.
  package mutating func add(
    _ sample: SensorSample, consume: ([Double]) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let place = places[sample.channel] else { return }
    if sample.time != time {
      try finish(consume: consume)
      time = sample.time
    }
    let index = filled[sample.channel, default: 0]
    filled[sample.channel] = index + 1
    if index == rows.count { rows.append([time] + Array(repeating: .nan, count: columns.count - 1)) }
    for (component, number) in sample.channel.numbers(of: sample).enumerated() {
      rows[index][place + component] = number
    }
  }

  /// Gives what is left.
  package mutating func finish(consume: ([Double]) throws(OutputError) -> Void) throws(OutputError) {
    for row in rows { try consume(row) }
    rows.removeAll(keepingCapacity: true)
    filled.removeAll(keepingCapacity: true)
  }
}
