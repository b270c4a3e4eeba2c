/// A barometer sample: the pressure, the relative altitude that the device computed from it, or both.
public struct BarometerSample: Sendable, Hashable, Codable {
  /// The timestamp, in seconds on the log's clock.
  public var time: Double
  /// The pressure, in kPa.
  public var pressure: Double?
  /// The altitude since the start of the device's altimeter, in m.
  public var relativeAltitude: Double?

  /// Creates a sample from a time in seconds, a pressure in kPa and an altitude in m. A missing value is `nil`.
  public init(time: Double, pressure: Double? = nil, relativeAltitude: Double? = nil) {
    self.time = time
    self.pressure = pressure
    self.relativeAltitude = relativeAltitude
  }
}

/// A barometric change of altitude, like `CMAltitudeData`.
public struct AltitudeData: Sendable, Hashable, Codable {
  /// The timestamp, in seconds on the log's clock.
  public var time: Double
  /// The altitude above that of the first sample, in m.
  public var relativeAltitude: Double
  /// The pressure, in kPa, or `nil` if only the device's relative altitude is known.
  public var pressure: Double?

  package init(time: Double, relativeAltitude: Double, pressure: Double? = nil) {
    self.time = time
    self.relativeAltitude = relativeAltitude
    self.pressure = pressure
  }
}

/// The barometric altitude with the contract of `CMAltimeter`: the first relative altitude is 0.
///
/// Pressure is converted to altitude with the standard atmosphere. Without pressure, the device's relative altitude
/// is used; when that restarts at 0, the altitude continues from its last value.
///
/// The first sample after the start of a device's altimeter may be stale, from an earlier use. It is held until the
/// second sample, and dropped if the two contradict each other: if the device's relative altitude starts at 0 with
/// the second sample, if its change differs from that of the pressure, or if the step is faster than any lift.
package struct Altimeter: Sendable, Hashable, Codable {
  /// The maximum vertical speed between the first two samples, in m/s. Lifts in ordinary buildings are slower.
  private static let fastestStart = 5.0
  /// The maximum difference between the changes of pressure altitude and relative altitude, in m.
  private static let agreement = 0.1

  /// The number of samples without a finite time, without a value, or with an impossible value.
  package private(set) var invalidCount = 0
  /// The number of samples that were not later than the previous sample.
  package private(set) var lateCount = 0
  /// The number of stale first samples: 0 or 1.
  package private(set) var staleCount = 0

  private struct Reading: Hashable, Codable {
    var sample: BarometerSample
    /// The altitude above an unknown zero, in m.
    var altitude: Double
  }

  private var held: Reading?
  private var last: Reading?
  private var usesPressure: Bool?
  /// The reading that corresponds to an altitude of 0, in m.
  private var origin: Double?

  package init() {}

  /// Adds a sample and returns the new altitudes: none for the first sample, up to two for the second, then one per
  /// sample.
  package mutating func update(_ sample: BarometerSample) -> [AltitudeData] {
    guard let reading = reading(of: sample) else {
      invalidCount += 1
      return []
    }
    if let newest = held ?? last, sample.time <= newest.sample.time {
      lateCount += 1
      return []
    }
    if let first = held {
      held = nil
      if isStale(first, before: reading) {
        staleCount += 1
        return [handedOn(reading)]
      }
      return [handedOn(first), handedOn(reading)]
    }
    if last == nil {
      held = reading
      return []
    }
    return [handedOn(reading)]
  }

  /// Ends the input and returns the altitude of a held first sample, if it is the only one.
  package mutating func finish() -> AltitudeData? {
    guard let first = held else { return nil }
    held = nil
    return handedOn(first)
  }

  private mutating func reading(of sample: BarometerSample) -> Reading? {
    guard sample.time.isFinite else { return nil }
    let byPressure = sample.pressure.flatMap { StandardAtmosphere.altitude(pressure: $0) }
    let byDevice = sample.relativeAltitude.flatMap { $0.isFinite ? $0 : nil }
    // The quantity of the first sample is used for the whole log.
    let usesPressure = self.usesPressure ?? (byPressure != nil)
    guard let altitude = usesPressure ? byPressure : byDevice else { return nil }
    self.usesPressure = usesPressure
    return Reading(sample: sample, altitude: altitude)
  }

  private func isStale(_ first: Reading, before second: Reading) -> Bool {
    let step = second.altitude - first.altitude
    if abs(step) > Self.fastestStart * (second.sample.time - first.sample.time) { return true }
    guard let start = first.sample.relativeAltitude, let next = second.sample.relativeAltitude else { return false }
    return next == 0 && start != 0 || abs(step - (next - start)) > Self.agreement
  }

  private mutating func handedOn(_ reading: Reading) -> AltitudeData {
    var origin = self.origin ?? reading.altitude
    if usesPressure == false, reading.altitude == 0, let last, last.altitude != 0 {
      origin -= last.altitude
    }
    self.origin = origin
    last = reading
    return AltitudeData(
      time: reading.sample.time, relativeAltitude: reading.altitude - origin,
      pressure: usesPressure == true ? reading.sample.pressure : nil)
  }
}
