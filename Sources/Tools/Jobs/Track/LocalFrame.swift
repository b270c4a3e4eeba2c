package import InertialNavigation
internal import InertialNumerics
package import InertialSensors
internal import InertialSystem

/// A plane tangent to the earth, with coordinates in metres east, north and up of the point of contact.
package struct LocalFrame: Sendable, Equatable, Codable {
  /// The latitude in degrees, WGS 84.
  let latitude: Double
  let longitude: Double
  /// The altitude in metres, `NaN` if unknown.
  let altitude: Double

  /// The metres per radian of latitude and of longitude: the radii of curvature of the WGS 84 ellipsoid.
  private let north: Double
  private let east: Double

  init(latitude: Double, longitude: Double, altitude: Double) {
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
    let (a, e2) = (6_378_137.0, 6.694379990141e-3)
    let phi = latitude * .pi / 180
    let w = 1 - e2 * sin(phi) * sin(phi)
    north = a * (1 - e2) / (w * w.squareRoot())
    east = a / w.squareRoot() * cos(phi)
  }

  /// Returns the position of geographic coordinates, in metres east, north and up.
  func position(latitude: Double, longitude: Double, altitude: Double) -> Vector3 {
    let around = (longitude - self.longitude).remainder(dividingBy: 360)
    let up = altitude.isNaN || self.altitude.isNaN ? 0 : altitude - self.altitude
    return Vector3(around * .pi / 180 * east, (latitude - self.latitude) * .pi / 180 * north, up)
  }

  /// Returns the geographic coordinates, in degrees, of a position in metres east and north.
  package func place(east x: Double, north y: Double) -> (latitude: Double, longitude: Double) {
    let longitude = self.longitude + x / east * 180 / .pi
    return (latitude + y / north * 180 / .pi, longitude.remainder(dividingBy: 360))
  }
}

extension PositionFix {
  /// The radius that contains 68 % of a bivariate normal distribution with sigma 1.
  static let accuracyFactor = 1.51

  /// Creates a fix from a sample of the channel `location`, or returns `nil` if it has no coordinates.
  ///
  /// - Parameter frame: The frame of the first fix, which is set if it is `nil`.
  package init?(_ sample: AuxiliarySample, in frame: inout LocalFrame?) {
    let (latitude, longitude) = (sample["latitude"], sample["longitude"])
    guard latitude.isFinite, longitude.isFinite else { return nil }
    let altitude = sample["locationAltitude"]
    let own = frame ?? LocalFrame(latitude: latitude, longitude: longitude, altitude: altitude)
    frame = own
    func known(_ name: String, else usual: Double) -> Double {
      let value = sample[name]
      return value.isFinite && value > 0 ? value : usual
    }
    // The accuracy is the radius that contains 68 % of the fixes.
    let level = known("horizontalAccuracy", else: 8) / Self.accuracyFactor
    let upright = altitude.isFinite ? known("verticalAccuracy", else: 12) : 1e4
    var velocity: Vector3?
    let (speed, course) = (sample["speed"], sample["course"])
    if speed.isFinite, speed >= 0, course.isFinite || speed < 0.3 {
      let angle = (course.isFinite ? course : 0) * .pi / 180
      velocity = Vector3(speed * sin(angle), speed * cos(angle), 0)
    }
    self.init(
      time: sample.time, position: own.position(latitude: latitude, longitude: longitude, altitude: altitude),
      positionSigma: Vector3(level, level, upright), velocity: velocity,
      velocitySigma: known("speedAccuracy", else: 0.5))
  }
}
