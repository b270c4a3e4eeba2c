/// What a barometer tells: pressure, or the relative altitude that the device made of it, or both.
public struct BarometerSample: Sendable, Hashable, Codable {
  /// Seconds on the log's clock.
  public var time: Double
  /// kPa.
  public var pressure: Double?
  /// m, since the device began to tell it.
  public var relativeAltitude: Double?

  /// A sample: seconds, kPa and m; nil for what the barometer does not tell.
  public init(time: Double, pressure: Double? = nil, relativeAltitude: Double? = nil) {
    self.time = time
    self.pressure = pressure
    self.relativeAltitude = relativeAltitude
  }
}

/// A change of altitude by air pressure, as CMAltitudeData.
public struct AltitudeData: Sendable, Hashable, Codable {
  /// Seconds on the log's clock.
  public var time: Double
  /// m above the first sample, whose own is 0.
  public var relativeAltitude: Double
  /// kPa; nil where only the device's relative altitude is known.
  public var pressure: Double?

  package init(time: Double, relativeAltitude: Double, pressure: Double? = nil) {
    self.time = time
    self.relativeAltitude = relativeAltitude
    self.pressure = pressure
  }
}

/// The altitude by the barometer alone, with CMAltimeter's contract: the first relative altitude is 0.
///
/// Pressure becomes altitude by the standard atmosphere. Where there is no pressure, the device's relative altitude
/// is taken; where that begins anew at 0, the altitude goes on from where it was.
///
/// The first sample after the start of a device's altimeter may be left over from an earlier use. It waits for the
/// second one, and is left out where the two cannot both be true: where the device's relative altitude begins with
/// the second, where it tells another change than the pressure, or where the step would be faster than any lift.
package struct Altimeter: Sendable, Hashable, Codable {
  /// m/s: lifts in ordinary buildings are slower.
  private static let fastestStart = 5.0
  /// m by which pressure and relative altitude of the same two samples may differ.
  private static let agreement = 0.1

  /// Samples without a finite time, without a value, or with an impossible one.
  package private(set) var invalidCount = 0
  /// Samples that were not later than the one before.
  package private(set) var lateCount = 0
  /// First samples that were left over from an earlier use: 0 or 1.
  package private(set) var staleCount = 0

  private struct Reading: Hashable, Codable {
    var sample: BarometerSample
    /// m, of no known zero.
    var altitude: Double
  }

  private var held: Reading?
  private var last: Reading?
  private var usesPressure: Bool?
  /// m, what the zero is above that of the readings.
  private var origin: Double?

  package init() {}

  /// Takes a sample and returns what is known by it: nothing at the first one, two altitudes at the second, then one
  /// each.
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

  /// What still waits: the only sample of a log that has one.
  package mutating func finish() -> AltitudeData? {
    guard let first = held else { return nil }
    held = nil
    return handedOn(first)
  }

  private mutating func reading(of sample: BarometerSample) -> Reading? {
    guard sample.time.isFinite else { return nil }
    let byPressure = sample.pressure.flatMap { StandardAtmosphere.altitude(pressure: $0) }
    let byDevice = sample.relativeAltitude.flatMap { $0.isFinite ? $0 : nil }
    // A log stays with what its first sample has.
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
