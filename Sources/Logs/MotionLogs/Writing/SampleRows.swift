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
  /// The names of the columns in a CSV for readers: a name that is not canonical is followed by its unit.
  package var describedColumns: [String] {
    columns.map { $0.hasPrefix("calibratedMagneticField") ? $0 + " (uT)" : $0 }
  }
  /// The first column of each channel.
  private var places: [SensorChannel: Int] = [:]
  private var auxiliaryPlaces: [AuxiliaryChannel: Int] = [:]
  /// The rows of the current epoch: the first sample of each channel in the first row, and so on.
  private var rows: [[Double]] = []
  /// The number of samples in the current epoch, by the first column of their channel.
  private var filled: [Int: Int] = [:]
  private var time = Double.nan

  /// - Parameters:
  ///   - channels: The channels that have columns; samples of others are left out.
  ///   - auxiliary: The other channels that have columns, after those of `channels`.
  package init(channels: [SensorChannel], auxiliary: [AuxiliaryChannel] = []) {
    var columns = ["time"]
    for channel in channels {
      places[channel] = columns.count
      columns += channel.columnNames
    }
    for channel in auxiliary {
      auxiliaryPlaces[channel] = columns.count
      columns += channel.fields.map(\.name)
    }
    self.columns = columns
  }

  /// Adds a sample. If its timestamp is new, first passes the rows of the previous epoch to a closure.
  package mutating func add(
    _ sample: SensorSample, consume: ([Double]) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let place = places[sample.channel] else { return }
    try add(sample.channel.numbers(of: sample), at: sample.time, place, consume: consume)
  }

  /// Adds a sample of another channel. If its timestamp is new, first passes the rows of the previous epoch to a
  /// closure.
  package mutating func add(
    _ sample: AuxiliarySample, consume: ([Double]) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard let place = auxiliaryPlaces[sample.channel] else { return }
    try add(sample.values, at: sample.time, place, consume: consume)
  }

  private mutating func add(
    _ numbers: [Double], at time: Double, _ place: Int, consume: ([Double]) throws(OutputError) -> Void
  ) throws(OutputError) {
    if time != self.time {
      try finish(consume: consume)
      self.time = time
    }
    let index = filled[place, default: 0]
    filled[place] = index + 1
    if index == rows.count { rows.append([time] + Array(repeating: .nan, count: columns.count - 1)) }
    rows[index].replaceSubrange(place..<place + numbers.count, with: numbers)
  }

  /// Passes the remaining rows to a closure.
  package mutating func finish(consume: ([Double]) throws(OutputError) -> Void) throws(OutputError) {
    for row in rows { try consume(row) }
    rows.removeAll(keepingCapacity: true)
    filled.removeAll(keepingCapacity: true)
  }
}
