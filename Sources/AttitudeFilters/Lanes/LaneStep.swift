internal import LinearAlgebra
internal import Rotations

/// The mathematics of a stepped algorithm, written once for one filter and for several in lockstep.
protocol LaneStep: Sendable {
  associatedtype Scalar: LaneScalar
  associatedtype Algorithm: SteppedAlgorithm where Algorithm.State: AttitudeAndBias

  /// The same parameters in every lane.
  init(_ parameters: Algorithm.Parameters)
  /// Gives one lane parameters of its own.
  mutating func set(_ parameters: Algorithm.Parameters, lane: Int)

  func advance(
    _ attitude: inout LaneQuaternion<Scalar>, _ bias: inout LaneVector3<Scalar>, by step: LaneMotionStep<Scalar>)
}

/// `MotionStep` in lanes.
struct LaneMotionStep<Scalar: LaneScalar>: Sendable {
  var rate: LaneVector3<Scalar>
  var acceleration: LaneVector3<Scalar>
  /// Where there is an acceleration.
  var hasAcceleration: Scalar.Mask
  var magneticField: LaneVector3<Scalar>
  var hasField: Scalar.Mask
  var duration: Scalar
  /// Whether every vector that is there is known to have a direction: a norm to divide by.
  var isWhole = false
}

extension LaneStep where Scalar == Double {
  /// One filter's step.
  @inline(__always)
  func advance(_ attitude: inout Quaternion, _ bias: inout Vector3, by step: MotionStep) {
    var laneAttitude = LaneQuaternion<Double>(attitude)
    var laneBias = LaneVector3<Double>(bias)
    advance(
      &laneAttitude, &laneBias,
      by: LaneMotionStep(
        rate: LaneVector3(step.rate), acceleration: LaneVector3(step.acceleration ?? .zero),
        hasAcceleration: step.acceleration != nil, magneticField: LaneVector3(step.magneticField ?? .zero),
        hasField: step.magneticField != nil, duration: step.duration))
    attitude = laneAttitude[0]
    bias = laneBias[0]
  }
}
