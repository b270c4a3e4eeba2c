internal import InertialNumerics
public import InertialSensors
internal import InertialSystem

/// What a phone tells beside its motion sensors while it moves along a trajectory: air pressure, and its place.
///
/// The same trajectory, duration and seed give the same samples. Numbers are rounded as phones tell them.
public struct ContextSensors: Sendable, Hashable {
  /// Where position 0 of the trajectory is, degrees, WGS 84.
  public var latitude: Double
  /// As `latitude`, east positive.
  public var longitude: Double
  /// Height of position 0 above mean sea level, m.
  public var altitude: Double
  /// What the trajectory's x axis, magnetic north, is turned from true north, clockwise, degrees.
  public var declination: Double
  /// Samples per second of the barometer and of the place, Hz.
  public var rate = 1.0
  /// Standard deviation of a pressure, kPa. 0.001 is 8 cm of height.
  public var pressureNoise = 0.001
  /// Standard deviation of each coordinate of the place, m, and how long an error lasts, s.
  public var placeError = 2.0
  /// How long an error of the place lasts, s.
  public var placeErrorDuration = 30.0
  /// Standard deviation of the speed, m/s.
  public var speedNoise = 0.1

  /// Sensors of a phone at a place: degrees, metres, degrees.
  public init(latitude: Double, longitude: Double, altitude: Double = 0, declination: Double = 0) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.declination = declination
  }

  /// Samples of the channels `barometer` and `location`, in order of time.
  public func samples(of trajectory: any Trajectory, duration: Double, seed: UInt64) -> [AuxiliarySample] {
    var generator = SeededGenerator(seed: seed ^ 0x5DEE_CE66_D1CE_4E5B)
    var samples: [AuxiliarySample] = []
    let startPressure = Self.pressure(altitude: altitude + trajectory.state(at: 0).position.z)
    var error = placeError * Vector3(generator.normal(), generator.normal(), generator.normal())
    let memory = exp(-1 / (rate * placeErrorDuration))
    for index in 0..<Int((duration * rate).rounded(.up)) {
      let time = Double(index) / rate
      let state = trajectory.state(at: time)
      let noise = pressureNoise * generator.normal()
      let pressure = Self.pressure(altitude: altitude + state.position.z) + noise
      samples.append(barometer(time, pressure: pressure, start: startPressure))
      let fresh = Vector3(generator.normal(), generator.normal(), generator.normal())
      error = memory * error + (placeError * (1 - memory * memory).squareRoot()) * fresh
      samples.append(
        location(time, state.position + error, state.velocity, speedError: speedNoise * generator.normal()))
    }
    return samples
  }

  private func barometer(_ time: Double, pressure: Double, start: Double) -> AuxiliarySample {
    var sample = AuxiliarySample(time: time, channel: .barometer)
    sample["pressure"] = Self.rounded(pressure, steps: 10_000)
    let height = Self.altitude(pressure: pressure) - Self.altitude(pressure: start)
    sample["relativeAltitude"] = Self.rounded(height, steps: 100)
    return sample
  }

  private func location(
    _ time: Double, _ position: Vector3, _ velocity: Vector3, speedError: Double
  ) -> AuxiliarySample {
    // A sphere of the earth's mean radius is good to 0.6 % of the way, which is no more than a place's own error.
    let radius = 6_371_008.8
    let turn = declination * .pi / 180
    // North-west-up by the needle, to north and east.
    let north = position.x * cos(turn) + position.y * sin(turn)
    let east = position.x * sin(turn) - position.y * cos(turn)
    var sample = AuxiliarySample(time: time, channel: .location)
    let degree = 180 / Double.pi / radius
    sample["latitude"] = Self.rounded(latitude + north * degree, steps: 1e7)
    sample["longitude"] = Self.rounded(longitude + east * degree / cos(latitude * .pi / 180), steps: 1e7)
    sample["locationAltitude"] = Self.rounded(altitude + position.z, steps: 10)
    let speed = (velocity.x * velocity.x + velocity.y * velocity.y).squareRoot()
    sample["speed"] = Self.rounded(max(0, speed + speedError), steps: 100)
    if speed > 0.5 {
      let course = declination - atan2(velocity.y, velocity.x) * 180 / .pi
      sample["course"] = Self.rounded(course - 360 * (course / 360).rounded(.down), steps: 10)
    }
    sample["horizontalAccuracy"] = Self.rounded(2 * placeError, steps: 10)
    sample["verticalAccuracy"] = Self.rounded(2 * placeError, steps: 10)
    return sample
  }

  /// kPa at a height in m, in the standard atmosphere (ISO 2533: 288.15 K and 101.325 kPa at sea level, 6.5 K/km).
  static func pressure(altitude: Double) -> Double { 101.325 * pow(1 - 0.0065 * altitude / 288.15, 5.255_88) }

  /// m; the inverse.
  static func altitude(pressure: Double) -> Double { 288.15 / 0.0065 * (1 - pow(pressure / 101.325, 1 / 5.255_88)) }

  private static func rounded(_ value: Double, steps: Double) -> Double { (value * steps).rounded() / steps }
}
