internal import LinearAlgebra
internal import Rotations

/// Madgwick's step on one filter or on several in lockstep; see `Madgwick`.
struct MadgwickStep<Scalar: LaneScalar>: LaneStep {
  typealias Algorithm = Madgwick

  private var beta: Scalar
  private var zeta: Scalar
  private var isThirdOrder: Scalar.Mask

  init(_ parameters: Madgwick.Parameters) {
    beta = Scalar(repeating: parameters.beta)
    zeta = Scalar(repeating: parameters.zeta)
    isThirdOrder = Scalar.Mask(repeating: IntegrationOrder(parameters.integrationOrder) == .third)
  }

  mutating func set(_ parameters: Madgwick.Parameters, lane: Int) {
    beta[lane] = parameters.beta
    zeta[lane] = parameters.zeta
    isThirdOrder[lane] = IntegrationOrder(parameters.integrationOrder) == .third
  }

  @inline(__always)
  func advance(
    _ attitude: inout LaneQuaternion<Scalar>, _ bias: inout LaneVector3<Scalar>, by step: LaneMotionStep<Scalar>
  ) {
    let descent = descent(at: attitude, step)
    if descent.exists.isAny {
      // Eq. (47) to (49): the error as a rate in device axes, and its integral.
      let rateError = (attitude.conjugate * descent.direction).vector
      bias = .select(descent.exists, bias + (2 * zeta * step.duration) * rateError, bias)
    }
    // Eq. (42) to (44).
    let turned = attitude.turnedUnnormalized(
      at: step.rate - bias, for: step.duration, isThirdOrder: isThirdOrder)
    let next = turned - (beta * step.duration) * descent.direction
    attitude = .select(descent.exists, next, turned).normalized(else: attitude)
  }

  /// The gradient of all that was measured, of length 1, eq. (34) and (44), and where there is one.
  @inline(__always)
  private func descent(
    at attitude: LaneQuaternion<Scalar>, _ step: LaneMotionStep<Scalar>
  ) -> (direction: LaneQuaternion<Scalar>, exists: Scalar.Mask) {
    let zero = Scalar(repeating: 0)
    let none = LaneQuaternion(x: zero, y: zero, z: zero, w: zero)
    let acceleration = step.acceleration.unit
    let hasAcceleration = step.hasAcceleration .& acceleration.exists
    guard hasAcceleration.isAny else { return (none, hasAcceleration) }
    var gradient = MadgwickObjective(
      north: zero, up: Scalar(repeating: 1), measured: -acceleration.vector
    ).gradient(at: attitude)
    let field = step.magneticField.unit
    let hasField = step.hasField .& field.exists
    if hasField.isAny {
      // Eq. (45) and (46): the field in the earth frame, its azimuth turned to north.
      let inEarth = attitude.rotate(field.vector)
      let north = (inEarth.x * inEarth.x + inEarth.y * inEarth.y).root
      let magnetic = MadgwickObjective(north: north, up: inEarth.z, measured: field.vector).gradient(at: attitude)
      gradient = .select(hasField, gradient + magnetic, gradient)
    }
    let squared = gradient.squaredNorm
    let exists = hasAcceleration .& squared.isNormalPositive
    return (.select(exists, squared.reciprocalRoot * gradient, none), exists)
  }
}

/// How far a direction as predicted from the attitude is from the direction as measured.
struct MadgwickObjective<Scalar: LaneScalar>: Sendable {
  /// The direction in the earth frame: b_x and b_z of eq. (29); gravity's is 0 and 1, eq. (25).
  var north: Scalar
  var up: Scalar
  /// In device axes, of length 1.
  var measured: LaneVector3<Scalar>

  /// Eq. (29): predicted − measured, device axes.
  @inline(__always)
  func error(at q: LaneQuaternion<Scalar>) -> LaneVector3<Scalar> {
    let (a, b) = (2 * north, 2 * up)
    return LaneVector3(
      a * (0.5 - q.y * q.y - q.z * q.z) + b * (q.x * q.z - q.w * q.y) - measured.x,
      a * (q.x * q.y - q.w * q.z) + b * (q.w * q.x + q.y * q.z) - measured.y,
      a * (q.w * q.y + q.x * q.z) + b * (0.5 - q.x * q.x - q.y * q.y) - measured.z)
  }

  /// Jᵀ f with the Jacobian of eq. (30), which is half the gradient of |f|²; by components, not a rotation.
  @inline(__always)
  func gradient(at q: LaneQuaternion<Scalar>) -> LaneQuaternion<Scalar> {
    let f = error(at: q)
    let (a, b) = (2 * north, 2 * up)
    let (twoA, twoB) = (2 * a, 2 * b)
    let x1: Scalar = b * q.z * f.x
    let x2: Scalar = (a * q.y + b * q.w) * f.y
    let x3: Scalar = (a * q.z - twoB * q.x) * f.z
    let y1: Scalar = (a * q.x + b * q.z) * f.y
    let y2: Scalar = (twoA * q.y + b * q.w) * f.x
    let y3: Scalar = (a * q.w - twoB * q.y) * f.z
    let z1: Scalar = (b * q.x - twoA * q.z) * f.x
    let z2: Scalar = (b * q.y - a * q.w) * f.y
    let w1: Scalar = (b * q.x - a * q.z) * f.y
    return LaneQuaternion(
      x: x1 + x2 + x3, y: y1 - y2 + y3, z: z1 + z2 + a * q.x * f.z, w: w1 - b * q.y * f.x + a * q.y * f.z)
  }
}
