internal import InertialJobs
internal import InertialSystem

/// Standard deviations of roll, pitch and yaw from those about the axes of the reference frame, to first order; radians.
///
/// A small turn δ about the frame's axes is δ = yaw' ẑ + pitch' u + roll' v with u = (cos yaw, sin yaw, 0), the axis of
/// pitch, and v = (−sin yaw cos pitch, cos yaw cos pitch, sin pitch), the device's Y axis, the axis of roll. Near a pitch of
/// ±90° roll and yaw cannot be told apart, and their deviations grow; half a turn is the most that can be meant.
package struct AngleSigmas {
  package var roll: Double
  package var pitch: Double
  package var yaw: Double

  package init(pitch: Double, yaw: Double, x: Double, y: Double, z: Double) {
    let (sine, cosine) = (sin(yaw), cos(yaw))
    let along = (cosine * x * cosine * x + sine * y * sine * y).squareRoot()
    let across = (sine * x * sine * x + cosine * y * cosine * y).squareRoot()
    let most = Double.pi
    let level = max(abs(cos(pitch)), 1e-9)
    self.pitch = along
    self.roll = x.isNaN ? .nan : min(across / level, most)
    let leaning = across * abs(sin(pitch)) / level
    self.yaw = x.isNaN ? .nan : min((z * z + leaning * leaning).squareRoot(), most)
  }
}
