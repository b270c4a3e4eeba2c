internal import InertialJobs
internal import InertialSystem

/// The standard deviations of roll, pitch and yaw, in radians, to first order from those about the reference frame's
/// axes.
/// A small rotation δ about the frame's axes is δ = yaw' ẑ + pitch' u + roll' v with u = (cos yaw, sin yaw, 0), the
/// axis of pitch, and v = (−sin yaw cos pitch, cos yaw cos pitch, sin pitch), the device's Y axis, the axis of roll.
/// Near a pitch of ±90° roll and yaw are indistinguishable. Their deviations grow there, up to half a turn.
package struct AngleSigmas {
  package var roll: Double
  package var pitch: Double
  package var yaw: Double

  package init(pitch: Double, yaw: Double, x: Double, y: Double, z: Double) {
    let (sine, cosine) = (sin(yaw), cos(yaw))
    let along = (cosine * x * cosine * x + sine * y * sine * y).squareRoot()
    let across = (sine * x * sine * x + cosine * y * cosine * y).squareRoot()
    let maximum = Double.pi
    let level = max(abs(cos(pitch)), 1e-9)
    self.pitch = along
    self.roll = x.isNaN ? .nan : min(across / level, maximum)
    let leaning = across * abs(sin(pitch)) / level
    self.yaw = x.isNaN ? .nan : min((z * z + leaning * leaning).squareRoot(), maximum)
  }
}
