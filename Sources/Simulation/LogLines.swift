internal import LinearAlgebra
public import Sensors

/// Samples as lines of the canonical raw CSV, header first, without line ends.
///
/// One row per time; a sensor without a sample at that time has empty fields. The columns are those of the raw
/// sensors: a field that the device has calibrated, the truth and everything else is left out. Samples must come in
/// order of time, as a simulation's do. Numbers have six decimals.
public struct CanonicalLogLines: Sequence, IteratorProtocol {
  private var rows: RowsOfEqualTime
  private var hasHeader = false

  public init(_ samples: some Sequence<SensorSample>) {
    rows = RowsOfEqualTime(samples, channels: [.accelerometer, .gyroscope, .magnetometer])
  }

  public mutating func next() -> String? {
    guard hasHeader else {
      hasHeader = true
      return "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,"
        + "magneticFieldX,magneticFieldY,magneticFieldZ"
    }
    guard let (time, samples) = rows.next() else { return nil }
    var line = fixed(time)
    for sample in samples {
      if let v = sample?.vector {
        line += ",\(fixed(v.x)),\(fixed(v.y)),\(fixed(v.z))"
      } else {
        line += ",,,"
      }
    }
    return line
  }
}

/// The truth of a simulation as lines of CSV, header first, without line ends: time, attitude (unit quaternion, device
/// to north-west-up), and 1 where the device moves.
public struct TruthLines: Sequence, IteratorProtocol {
  private var rows: RowsOfEqualTime
  private var hasHeader = false

  public init(_ samples: some Sequence<SensorSample>) {
    rows = RowsOfEqualTime(samples, channels: [.referenceAttitude, .movement])
  }

  public mutating func next() -> String? {
    guard hasHeader else {
      hasHeader = true
      return "time,quaternionX,quaternionY,quaternionZ,quaternionW,movement"
    }
    guard let (time, samples) = rows.next() else { return nil }
    let attitude = samples[0].map { ",\(fixed($0.x)),\(fixed($0.y)),\(fixed($0.z)),\(fixed($0.w))" } ?? ",,,,"
    let movement = samples[1].map { $0.x == 0 ? ",0" : ",1" } ?? ","
    return fixed(time) + attitude + movement
  }
}

/// Gathers the samples of the given channels that have the same time.
private struct RowsOfEqualTime {
  private var samples: AnyIterator<SensorSample>
  private let channels: [SensorChannel]
  private var waiting: SensorSample?

  init(_ samples: some Sequence<SensorSample>, channels: [SensorChannel]) {
    self.samples = AnyIterator(samples.makeIterator())
    self.channels = channels
    waiting = nextOfChannels()
  }

  /// The next time, and per channel its sample at that time. A second sample of a channel begins a new row.
  mutating func next() -> (time: Double, samples: [SensorSample?])? {
    guard let first = waiting else { return nil }
    var row = [SensorSample?](repeating: nil, count: channels.count)
    while let sample = waiting, sample.time == first.time,
      let index = channels.firstIndex(of: sample.channel), row[index] == nil
    {
      row[index] = sample
      waiting = nextOfChannels()
    }
    return (first.time, row)
  }

  private mutating func nextOfChannels() -> SensorSample? {
    while let sample = samples.next() {
      if channels.contains(sample.channel) { return sample }
    }
    return nil
  }
}

/// A number with six decimals, rounded; "nan", "inf" or "-inf" where it has none.
private func fixed(_ value: Double) -> String {
  // Beyond 2⁵³ millionths a double has no six decimals to show.
  guard abs(value) < 9e9 else { return "\(value)" }
  let millionths = Int((value * 1e6).rounded())
  let digits = String(millionths.magnitude % 1_000_000)
  let sign = millionths < 0 ? "-" : ""
  return "\(sign)\(millionths.magnitude / 1_000_000)." + String(repeating: "0", count: 6 - digits.count)
    + digits
}
