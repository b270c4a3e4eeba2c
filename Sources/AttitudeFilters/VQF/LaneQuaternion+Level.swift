internal import LinearAlgebra

extension LaneQuaternion {
  /// This rotation and then the smallest one that turns the unit vector `up` onto Z.
  @inline(__always)
  func turnedOntoZ(_ up: LaneVector3<Scalar>) -> Self {
    // The rotation about up × z by half its angle.
    var c = (0.5 * (up.z + 1)).root
    let half = Scalar(repeating: 0.5) / c
    var (a, b) = (half * up.y, -half * up.x)
    let isDown = up.z .<= Scalar(repeating: -0.99)
    if isDown.isAny {
      // That loses digits here, and the sine of the half angle does not. Straight down, it is about X.
      let sine = (0.5 * (1 - up.z)).root
      let across = (up.x * up.x + up.y * up.y).root
      let isStraight = across .== .none
      let share = sine / .select(isStraight, Scalar(repeating: 1), across)
      a.set(.select(isStraight, Scalar(repeating: 1), share * up.y), where: isDown)
      b.set(-share * up.x, where: isDown)
      c.set((0.5 * across) / sine, where: isDown)
    }
    // The product (a, b, 0, c) ⊗ q without its zeros.
    return Self(
      x: c * x + a * w + b * z, y: c * y - a * z + b * w, z: c * z + a * y - b * x, w: c * w - a * x - b * y
    ).renormalized
  }
}
