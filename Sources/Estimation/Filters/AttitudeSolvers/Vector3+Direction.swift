internal import InertialNumerics
internal import InertialSystem

extension Vector3 {
  /// The vector of norm 1 in the same direction, or `nil` if it is zero, infinite or NaN.
  ///
  /// Unlike `normalized`, it handles every finite vector but zero: if the squared norm over- or underflows, the vector
  /// is first divided by its largest component.
  var direction: Vector3? {
    let squaredNorm = squaredNorm
    if squaredNorm > 1e-280, squaredNorm < 1e280 { return self / squaredNorm.squareRoot() }
    guard isFinite else { return nil }
    let largest = maximumMagnitude
    return largest > 0 ? (self / largest).normalized : nil
  }

  /// Creates the direction of a field with this dip in the NWU frame, (cos dip, 0, −sin dip).
  init(dip: Double) { self.init(cos(dip), 0, -sin(dip)) }

  /// Returns the vector rotated by a half turn around a coordinate axis.
  func turned(about axis: HalfTurn) -> Vector3 { Vector3(axis.signs.x * x, axis.signs.y * y, axis.signs.z * z) }
}
