public import InertialRotations

/// The samples of one sensor as columns: value i was measured at time i, on the sensor's own clock.
public struct SensorColumn: Sendable, Equatable {
  /// The times, in seconds; in order of arrival unless their user requires rising order.
  public var times: [Double]
  /// The first three components of each sample, in the unit of `SensorChannel`; 0 beyond the channel's components.
  public var values: [Vector3]
  /// The scalar part of each quaternion, or the accuracy of each calibrated field. It is empty for other channels, and
  /// for calibrated fields of unknown accuracy.
  public private(set) var w: [Double] = []

  /// Creates a column from measurements and their times, in seconds: as many values as times.
  public init(times: [Double] = [], values: [Vector3] = []) {
    self.times = times
    self.values = values
  }

  /// Creates a column without a clock: value i is at the time `start` + i / `sampleRate`.
  ///
  /// - Parameters:
  ///   - values: The vectors, in rising order of time.
  ///   - sampleRate: The sample rate, in Hz, above 0.
  ///   - start: The time of the first value, in seconds.
  public init(values: [Vector3], sampleRate: Double, start: Double = 0) {
    precondition(sampleRate > 0, "a column with \(sampleRate) samples per second")
    self.init(times: values.indices.map { start + Double($0) / sampleRate }, values: values)
  }

  /// The number of samples.
  public var count: Int { times.count }
  /// Whether the column has no samples.
  public var isEmpty: Bool { times.isEmpty }

  /// Appends a value; the time is in seconds.
  public mutating func append(_ value: Vector3, at time: Double) {
    times.append(time)
    values.append(value)
  }

  /// Appends a sample with all its components.
  public mutating func append(_ sample: SensorSample) {
    // The bits, as −0 is also kept.
    let isField = sample.channel == .calibratedMagneticField
    if sample.channel.componentCount == 4 || isField || sample.w.bitPattern != 0 || !w.isEmpty {
      w += repeatElement(isField ? .nan : 0, count: count - w.count)
      w.append(sample.w)
    }
    append(sample.vector, at: sample.time)
  }

  /// Returns the sample at an index, from 0, as a sample of the column's channel.
  public func sample(at index: Int, of channel: SensorChannel) -> SensorSample {
    SensorSample(time: times[index], channel: channel, values[index], w: index < w.count ? w[index] : nil)
  }

  /// The attitudes of a channel with quaternions.
  public var quaternions: [Quaternion] {
    zip(values, w).map { Quaternion(x: $0.x, y: $0.y, z: $0.z, w: $1) }
  }
}
