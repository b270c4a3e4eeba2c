internal import InertialNumerics
public import InertialSensors
internal import InertialSystem

/// A phone's sensors other than its motion sensors, along a trajectory: barometer and location.
///
/// The same trajectory, duration and seed give the same samples. Numbers are rounded as by phones.
public struct ContextSensors: Sendable, Hashable {
  /// The latitude of position 0 of the trajectory, in degrees, WGS 84.
  public var latitude: Double
  /// The longitude of position 0 of the trajectory, in degrees, east positive.
  public var longitude: Double
  /// The height of position 0 above mean sea level, in m.
  public var altitude: Double
  /// The direction of the trajectory's x axis, magnetic north, from true north, clockwise, in degrees.
  public var declination: Double
  /// The sample rate of the barometer and of the location, in Hz.
  public var rate = 1.0
  /// The standard deviation of a pressure, in kPa. 0.001 is 8 cm of height.
  public var pressureNoise = 0.001
  /// The standard deviation of each coordinate of the location, in m.
  public var placeError = 2.0
  /// The correlation time of the location error, in s.
  public var placeErrorDuration = 30.0
  /// The standard deviation of the speed, in m/s.
  public var speedNoise = 0.1

  /// Creates the sensors of a phone at a location.
  ///
  /// - Parameters:
  ///   - latitude: The latitude in degrees, positive in the north.
  ///   - longitude: The longitude in degrees, positive in the east.
  ///   - altitude: The height above mean sea level, in metres.
  ///   - declination: The angle from true to magnetic north in degrees, positive if magnetic north is east.
  public init(latitude: Double, longitude: Double, altitude: Double = 0, declination: Double = 0) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.declination = declination
  }

  /// Returns samples of the channels `barometer` and `location`, sorted by time.
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
    // A sphere with the earth's mean radius is accurate to 0.6 % of the distance, within the error of the location
    // itself.
    let radius = 6_371_008.8
    let turn = declination * .pi / 180
    // Convert north-west-up, with magnetic north, to true north and east.
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

  /// Returns the pressure in kPa at a height in m, in the standard atmosphere (ISO 2533: 288.15 K and 101.325 kPa at
  /// sea level, 6.5 K/km).
  static func pressure(altitude: Double) -> Double { 101.325 * pow(1 - 0.0065 * altitude / 288.15, 5.255_88) }

  /// Returns the height in m at a pressure in kPa; the inverse of `pressure(altitude:)`.
  static func altitude(pressure: Double) -> Double { 288.15 / 0.0065 * (1 - pow(pressure / 101.325, 1 / 5.255_88)) }

  private static func rounded(_ value: Double, steps: Double) -> Double { (value * steps).rounded() / steps }
}
