public import InertialNumerics
public import InertialSensors

/// A fault of a sample in a log.
public enum SampleFault: Sendable, Hashable {
  /// All components are NaN.
  case notANumber
  /// All components are infinite.
  case infinite
  /// All components are 0.
  case zero
  /// All components are finite, but impossible for the quantity: 10⁴ rad/s, 10⁴ g, 10⁶ µT.
  case impossible
  /// The vector is replaced by another one.
  case replaced(Vector3)

  /// Returns the vector part of the faulty sample.
  public func value(for channel: SensorChannel) -> Vector3 {
    switch self {
    case .notANumber: Vector3(repeating: .nan)
    case .infinite: Vector3(repeating: .infinity)
    case .zero: .zero
    case .impossible:
      switch channel {
      case .magnetometer, .calibratedMagneticField: Vector3(1e6, -1e6, 1e6)
      default: Vector3(1e4, -1e4, 1e4)
      }
    case .replaced(let value): value
    }
  }
}

/// Faults in logs, for tests of their readers. All functions keep the order of the other samples.
extension [SensorSample] {
  /// Replaces the first `count` samples of a channel at or after a time, in seconds, by faulty samples.
  public func injecting(
    _ fault: SampleFault, into channel: SensorChannel, at time: Double, count: Int = 1
  ) -> [SensorSample] {
    var result = self
    var remaining = count
    for index in result.indices where remaining > 0 {
      guard result[index].channel == channel, result[index].time >= time else { continue }
      let sample = result[index]
      result[index] = SensorSample(
        time: sample.time, channel: channel, fault.value(for: channel), w: sample.w)
      remaining -= 1
    }
    return result
  }

  /// Removes the samples of the given channels (of all channels if `nil`) in a range of time, in seconds.
  public func removing(
    _ channels: Set<SensorChannel>? = nil, in span: ClosedRange<Double>
  ) -> [SensorSample] {
    filter { !(span.contains($0.time) && (channels?.contains($0.channel) ?? true)) }
  }

  /// Repeats the first sample of a channel at or after a time, in seconds.
  public func duplicating(_ channel: SensorChannel, at time: Double) -> [SensorSample] {
    guard let index = firstIndex(where: { $0.channel == channel && $0.time >= time }) else { return self }
    return Array(self[...index] + self[index...])
  }

  /// Swaps the first sample of a channel at or after a time, in seconds, with the next sample of that channel, so that
  /// times run backwards.
  public func swappingWithNext(_ channel: SensorChannel, at time: Double) -> [SensorSample] {
    var result = self
    let found = indices.filter { self[$0].channel == channel && self[$0].time >= time }.prefix(2)
    guard found.count == 2 else { return self }
    result.swapAt(found[found.startIndex], found[found.startIndex + 1])
    return result
  }
}
