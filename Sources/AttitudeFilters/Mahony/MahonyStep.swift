internal import LinearAlgebra
internal import Rotations

/// Mahony's step on one filter or on several in lockstep; see `Mahony`.
struct MahonyStep<Scalar: LaneScalar>: LaneStep {
  typealias Algorithm = Mahony

  private var proportionalGain: Scalar
  private var integralGain: Scalar
  private var magneticWeight: Scalar
  private var series: StepSeries<Scalar>

  init(_ parameters: Mahony.Parameters) {
    proportionalGain = Scalar(repeating: parameters.kP)
    integralGain = Scalar(repeating: parameters.kI)
    magneticWeight = Scalar(repeating: parameters.magneticWeight)
    series = StepSeries(IntegrationOrder(parameters.integrationOrder))
  }

  mutating func set(_ parameters: Mahony.Parameters, lane: Int) {
    proportionalGain[lane] = parameters.kP
    integralGain[lane] = parameters.kI
    magneticWeight[lane] = parameters.magneticWeight
    series.set(IntegrationOrder(parameters.integrationOrder), lane: lane)
  }

  @inline(__always)
  func advance(
    _ attitude: inout LaneQuaternion<Scalar>, _ bias: inout LaneVector3<Scalar>, by step: LaneMotionStep<Scalar>
  ) {
    var error = LaneVector3<Scalar>(.zero)
    let acceleration = step.acceleration.unit
    let hasAcceleration = step.isWhole ? step.hasAcceleration : step.hasAcceleration .& acceleration.exists
    if hasAcceleration.isAny {
      // As a matrix: its rows are the earth's axes as the device sees them, and it is needed both ways.
      let (north, west, up) = attitude.earthAxes
      var sum = up.cross(acceleration.vector)
      let field = step.magneticField.unit
      let hasField = step.isWhole ? step.hasField : step.hasField .& field.exists
      if hasField.isAny {
        // m × m̂, where m̂ is the measured field with its azimuth turned to north.
        let (x, y, z) = (north.dot(field.vector), west.dot(field.vector), up.dot(field.vector))
        let reference = (x * x + y * y).root * north + z * up
        let withField = sum + magneticWeight * field.vector.cross(reference)
        sum = .select(hasField, withField, sum)
      }
      error = .select(hasAcceleration, sum, error)
    }
    // The rate with the new bias and the correction, of which only the last factor waits for the error.
    let integral = integralGain * step.duration
    let half = 0.5 * step.duration
    let turn = half * (step.rate - bias) + (half * (proportionalGain + integral)) * error
    bias = bias - integral * error
    attitude = attitude.turned(byTwice: turn, series)
  }
}
