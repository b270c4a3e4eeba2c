internal import LinearAlgebra
internal import Rotations

/// Mahony's step on one filter or on several in lockstep; see `Mahony`.
struct MahonyStep<Scalar: LaneScalar>: LaneStep {
  typealias Algorithm = Mahony

  private var proportionalGain: Scalar
  private var integralGain: Scalar
  private var magneticWeight: Scalar
  private var isThirdOrder: Scalar.Mask

  init(_ parameters: Mahony.Parameters) {
    proportionalGain = Scalar(repeating: parameters.kP)
    integralGain = Scalar(repeating: parameters.kI)
    magneticWeight = Scalar(repeating: parameters.magneticWeight)
    isThirdOrder = Scalar.Mask(repeating: IntegrationOrder(parameters.integrationOrder) == .third)
  }

  mutating func set(_ parameters: Mahony.Parameters, lane: Int) {
    proportionalGain[lane] = parameters.kP
    integralGain[lane] = parameters.kI
    magneticWeight[lane] = parameters.magneticWeight
    isThirdOrder[lane] = IntegrationOrder(parameters.integrationOrder) == .third
  }

  @inline(__always)
  func advance(
    _ attitude: inout LaneQuaternion<Scalar>, _ bias: inout LaneVector3<Scalar>, by step: LaneMotionStep<Scalar>
  ) {
    var error = LaneVector3<Scalar>(.zero)
    let acceleration = step.acceleration.unit
    let hasAcceleration = step.hasAcceleration .& acceleration.exists
    if hasAcceleration.isAny {
      var sum = attitude.inverseZ.cross(acceleration.vector)
      let field = step.magneticField.unit
      let hasField = step.hasField .& field.exists
      if hasField.isAny {
        sum = sum + .select(hasField, magneticWeight * fieldError(field.vector, attitude), LaneVector3(.zero))
      }
      error = .select(hasAcceleration, sum, error)
    }
    bias = bias - (integralGain * step.duration) * error
    let rate = step.rate - bias + proportionalGain * error
    attitude = attitude.turnedUnnormalized(at: rate, for: step.duration, isThirdOrder: isThirdOrder)
      .normalized(else: attitude)
  }

  /// m × m̂, where m̂ is the measured field with its azimuth turned to north.
  @inline(__always)
  private func fieldError(_ field: LaneVector3<Scalar>, _ attitude: LaneQuaternion<Scalar>) -> LaneVector3<Scalar> {
    let inEarth = attitude.rotate(field)
    let horizontal = (inEarth.x * inEarth.x + inEarth.y * inEarth.y).root
    return field.cross(attitude.rotateInverse(LaneVector3(horizontal, Scalar(repeating: 0), inEarth.z)))
  }
}
