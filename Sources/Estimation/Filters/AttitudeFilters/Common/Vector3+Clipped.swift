internal import InertialRotations

extension Vector3 {
  /// Returns the vector with each component clipped to −bound ... bound.
  @inline(__always)
  func clipped(to bound: Double) -> Vector3 {
    Vector3(min(max(x, -bound), bound), min(max(y, -bound), bound), min(max(z, -bound), bound))
  }
}
