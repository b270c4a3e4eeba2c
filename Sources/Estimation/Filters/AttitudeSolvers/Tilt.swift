internal import InertialNumerics
package import InertialRotations

/// Roll and pitch from gravity alone; the yaw is a convention.
///
/// The attitude maps the measured direction to the known one. If up is Z, the result is the attitude whose yaw about Z,
/// defined as in Core Motion, is 0; for another direction, the same attitude followed by the shortest rotation from Z.
/// This is the initial attitude of a filter without a field.
package enum Tilt: OneShotMethod {
  package static let name = "tilt"
  package static let summary = "roll and pitch from the accelerometer, yaw 0"
  package static let source = "textbook; yaw as Core Motion's"
  package static let minimumPairs = 1
  package static let maximumPairs: Int? = 1
  package static let isOptimal = false

  package static func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion {
    try check(count: pairs.count)
    try pairs[0].checkWeight(index: 0)
    let pair = try pairs[0].normalized(index: 0)
    let tilt = startAttitude(up: pair.device)
    if pair.earth == .unitZ { return tilt }
    let q = rotationOntoZ(pair.earth).conjugate * tilt
    return q.normalized ?? q
  }

  /// Returns the tilt of a device at rest.
  ///
  /// - Parameter acceleration: The acceleration, in g, with Core Motion's sign: (0, 0, −1) at rest face up. Only its
  ///   direction counts.
  package static func attitude(acceleration: Vector3) throws(OneShotError) -> Quaternion {
    try attitude([VectorPair(device: -acceleration, earth: .unitZ)])
  }
}

/// The tilt-compensated compass: the earth's axes in device axes, by two cross products.
///
/// West is up × field and north is west × up; they are the rows of the rotation.
package enum ECompass: TwoVectorMethod {
  package static let name = "ecompass"
  package static let summary = "up from the accelerometer, north from the horizontal part of the field"
  package static let source = "textbook"

  package static func levelFromDevice(up: Vector3, field: Vector3) throws(OneShotError) -> Quaternion {
    Quaternion(matrix: try Triad(up, field).levelAxes.transpose)
  }
}
