internal import LinearAlgebra
internal import Rotations

/// Madgwick's step on one filter or on several in lockstep; see `Madgwick`.
struct MadgwickStep<Scalar: LaneScalar>: LaneStep {
  typealias Algorithm = Madgwick

  private var beta: Scalar
  private var zeta: Scalar
  private var series: StepSeries<Scalar>

  init(_ parameters: Madgwick.Parameters) {
    beta = Scalar(repeating: parameters.beta)
    zeta = Scalar(repeating: parameters.zeta)
    series = StepSeries(IntegrationOrder(parameters.integrationOrder))
  }

  mutating func set(_ parameters: Madgwick.Parameters, lane: Int) {
    beta[lane] = parameters.beta
    zeta[lane] = parameters.zeta
    series.set(IntegrationOrder(parameters.integrationOrder), lane: lane)
  }

  @inline(__always)
  func advance(
    _ attitude: inout LaneQuaternion<Scalar>, _ bias: inout LaneVector3<Scalar>, by step: LaneMotionStep<Scalar>
  ) {
    let (gradient, isMeasured) = gradient(at: attitude, step)
    let squared = gradient.squaredNorm
    let exists = isMeasured .& squared.isNormalPositive
    guard exists.isAll else {
      // A lane without a gradient does what it would if no lane had one.
      let predicted = attitude.turned(byTwice: (0.5 * step.duration) * (step.rate - bias), series)
      let next = corrected(attitude, bias, by: gradient, squared, where: exists, step)
      attitude = .select(exists, next.attitude, predicted)
      bias = .select(exists, next.bias, bias)
      return
    }
    (attitude, bias) = corrected(attitude, bias, by: gradient, squared, where: exists, step)
  }

  @inline(__always)
  private func corrected(
    _ attitude: LaneQuaternion<Scalar>, _ bias: LaneVector3<Scalar>, by gradient: LaneQuaternion<Scalar>,
    _ squared: Scalar, where exists: Scalar.Mask, _ step: LaneMotionStep<Scalar>
  ) -> (attitude: LaneQuaternion<Scalar>, bias: LaneVector3<Scalar>) {
    let half = 0.5 * step.duration
    // What is made of the direction, eq. (44), is made of the gradient while its length is still being computed.
    let unit = Scalar.select(exists, squared.reciprocalRoot, Scalar(repeating: 0))
    // Eq. (47) to (49): the error as a rate in device axes, and its integral.
    let rateError = (attitude.conjugate * gradient).vector
    let drift = (2 * zeta * step.duration) * unit
    // Eq. (42) to (44).
    let turn = half * (step.rate - bias) - (half * drift) * rateError
    let next =
      attitude.turnedUnnormalized(byTwice: turn, series) - ((beta * step.duration) * unit) * gradient
    return (next.normalizedNearOne(else: attitude), bias + drift * rateError)
  }

  /// The gradient of all that was measured, eq. (34), and where there is one.
  @inline(__always)
  private func gradient(
    at attitude: LaneQuaternion<Scalar>, _ step: LaneMotionStep<Scalar>
  ) -> (gradient: LaneQuaternion<Scalar>, exists: Scalar.Mask) {
    let zero = Scalar(repeating: 0)
    let acceleration = step.acceleration.unit
    let hasAcceleration = step.isWhole ? step.hasAcceleration : step.hasAcceleration .& acceleration.exists
    let none = LaneQuaternion(x: zero, y: zero, z: zero, w: zero)
    guard hasAcceleration.isAny else { return (none, hasAcceleration) }
    var gradient = MadgwickObjective.gravityGradient(at: attitude, measured: -acceleration.vector)
    let field = step.magneticField.unit
    let hasField = step.isWhole ? step.hasField : step.hasField .& field.exists
    if hasField.isAny {
      // Eq. (45) and (46): the field in the earth frame, its azimuth turned to north.
      let axes = attitude.earthAxes
      let (x, y, z) = (axes.x.dot(field.vector), axes.y.dot(field.vector), axes.z.dot(field.vector))
      let magnetic = MadgwickObjective(north: (x * x + y * y).root, up: z, measured: field.vector)
        .gradient(at: attitude)
      gradient = .select(hasField, gradient + magnetic, gradient)
    }
    // Where there is none it is zero, so that it can be multiplied by zero.
    return (.select(hasAcceleration, gradient, none), hasAcceleration)
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
    // As the report has it: the rows are those of the rotation matrix with the square of w put as 1 less the others.
    let axes = q.earthAxes
    return north * axes.x + up * axes.z - measured
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

  /// The same for gravity, whose direction is 0 to the north and 1 up: most of the products are none.
  @inline(__always)
  static func gravityGradient(at q: LaneQuaternion<Scalar>, measured: LaneVector3<Scalar>) -> LaneQuaternion<Scalar> {
    let f = q.earthAxes.z - measured
    let twice = f.z + f.z
    let x: Scalar = q.z * f.x + q.w * f.y - q.x * twice
    let y: Scalar = q.z * f.y - q.w * f.x - q.y * twice
    let z: Scalar = q.x * f.x + q.y * f.y
    let w: Scalar = q.x * f.y - q.y * f.x
    return LaneQuaternion(x: x + x, y: y + y, z: z + z, w: w + w)
  }
}
