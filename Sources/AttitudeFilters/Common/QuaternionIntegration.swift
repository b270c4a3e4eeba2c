internal import LinearAlgebra
internal import Rotations

/// How far a rotation per step is followed.
enum IntegrationOrder: Sendable {
  /// q + q̇ dt, as most papers write it.
  case first
  /// Three terms of the exponential: no sine, and right to 1e-6 rad at 0.2 rad a step.
  case third

  /// The value of the parameter `integrationOrder`.
  init(_ order: Double) { self = order < 2 ? .first : .third }
}

/// The rotation of one step as far as it is followed, as series in s, the square of half its angle.
struct StepSeries<Scalar: LaneScalar>: Sendable {
  /// The vector part is half the rotation vector times 1 − `scale` s.
  private var scale: Scalar
  /// The scalar part is 1 − `scalar` s.
  private var scalar: Scalar
  /// The same two divided by the norm, 1 + c₁ s + c₂ s² + c₃ s³ + c₄ s⁴.
  private var unitScale: (Scalar, Scalar, Scalar, Scalar)
  private var unitScalar: (Scalar, Scalar, Scalar, Scalar)
  /// Where these two end: from there on the norm is computed by a root.
  private var limit: Scalar

  @inline(__always)
  init(_ order: IntegrationOrder) {
    let numbers = Numbers(order)
    func all(_ n: (Double, Double, Double, Double)) -> (Scalar, Scalar, Scalar, Scalar) {
      (Scalar(repeating: n.0), Scalar(repeating: n.1), Scalar(repeating: n.2), Scalar(repeating: n.3))
    }
    (scale, scalar) = (Scalar(repeating: numbers.scale), Scalar(repeating: numbers.scalar))
    (unitScale, unitScalar) = (all(numbers.unitScale), all(numbers.unitScalar))
    limit = Scalar(repeating: numbers.limit)
  }

  mutating func set(_ order: IntegrationOrder, lane: Int) {
    let numbers = Numbers(order)
    func put(_ n: (Double, Double, Double, Double), _ all: inout (Scalar, Scalar, Scalar, Scalar)) {
      (all.0[lane], all.1[lane], all.2[lane], all.3[lane]) = n
    }
    (scale[lane], scalar[lane], limit[lane]) = (numbers.scale, numbers.scalar, numbers.limit)
    put(numbers.unitScale, &unitScale)
    put(numbers.unitScalar, &unitScalar)
  }

  private struct Numbers {
    var scale: Double
    var scalar: Double
    var unitScale: (Double, Double, Double, Double)
    var unitScalar: (Double, Double, Double, Double)
    var limit: Double

    @inline(__always)
    init(_ order: IntegrationOrder) {
      switch order {
      case .first:
        // 1/√(1 + s); the first term left out is 63 s⁵/256.
        (scale, scalar, limit) = (0, 0, 1e-3)
        unitScale = (-0.5, 0.375, -0.3125, 0.2734375)
        unitScalar = unitScale
      case .third:
        // The squared norm is (1 − s/2)² + s (1 − s/6)² = 1 − s²/12 + s³/36, so one over the norm is
        // 1 + s²/24 − s³/72 + s⁴/384. The first terms left out of its products are below s⁵/300.
        (scale, scalar, limit) = (1.0 / 6, 0.5, 0.01)
        unitScale = (-1.0 / 6, 1.0 / 24, -1.0 / 48, 17.0 / 3456)
        unitScalar = (-0.5, 1.0 / 24, -5.0 / 144, 11.0 / 1152)
      }
    }
  }

  /// The step of half a rotation vector, not normalised.
  @inline(__always)
  fileprivate func step(_ half: LaneVector3<Scalar>, _ squared: Scalar) -> LaneQuaternion<Scalar> {
    let turn = (1 - scale * squared) * half
    return LaneQuaternion(x: turn.x, y: turn.y, z: turn.z, w: 1 - scalar * squared)
  }

  /// The same, normalised, and where the series are good for it.
  @inline(__always)
  fileprivate func unitStep(
    _ half: LaneVector3<Scalar>, _ squared: Scalar
  ) -> (step: LaneQuaternion<Scalar>, exists: Scalar.Mask) {
    // By pairs of terms, not by Horner's rule: fewer wait for each other.
    let square = squared * squared
    let turn = Self.sum(unitScale, squared, square) * half
    let scalar = Self.sum(unitScalar, squared, square)
    return (LaneQuaternion(x: turn.x, y: turn.y, z: turn.z, w: scalar), squared .< limit)
  }

  @inline(__always)
  private static func sum(_ c: (Scalar, Scalar, Scalar, Scalar), _ squared: Scalar, _ square: Scalar) -> Scalar {
    (c.0 * squared + 1) + square * ((c.1 + c.2 * squared) + c.3 * square)
  }
}

extension LaneQuaternion {
  /// The attitude after turning a unit quaternion by twice `half`, a rotation vector in device axes, normalised.
  @inline(__always)
  func turned(byTwice half: LaneVector3<Scalar>, _ series: StepSeries<Scalar>) -> Self {
    let squared = half.squaredNorm
    // The norm of a product is that of its factors, which are known before it is. What the last step left by rounding
    // is made good in the one, the step's own norm in the other, and nothing waits for a root or a division.
    let excess = squaredNorm - Scalar(repeating: 1)
    let (step, exists) = series.unitStep(half, squared)
    let isNear = exists .& (excess.magnitude .< 1e-6)
    // 1/√(1 + e) by its series: the first term left out is below 4e-13, and for a quaternion of the step before nothing.
    let next = ((1 - 0.5 * excess) * self) * step
    guard !isNear.isAll else { return next }
    return .select(isNear, next, (self * series.step(half, squared)).normalized(else: self))
  }

  /// The same before it is normalised, for what is to be added to it.
  @inline(__always)
  func turnedUnnormalized(byTwice half: LaneVector3<Scalar>, _ series: StepSeries<Scalar>) -> Self {
    self * series.step(half, half.squaredNorm)
  }

  /// The unit quaternion in the same direction, for one whose norm is not far from 1, or `other` where there is none.
  ///
  /// 1/√(1 + e) by its series, in less time than a root and a division: the first term left out is below 1e-15.
  @inline(__always)
  func normalizedNearOne(else other: Self) -> Self {
    let e = squaredNorm - Scalar(repeating: 1)
    let isNear = e.magnitude .< 4e-3
    let squared = e * e
    // Term by term: as one expression it takes the compiler two seconds.
    let (first, second): (Scalar, Scalar) = (1 - 0.5 * e, 0.375 - 0.3125 * e)
    let third: Scalar = 0.2734375 - 0.24609375 * e
    let head: Scalar = first + squared * second
    let near = (head + (squared * squared) * third) * self
    guard !isNear.isAll else { return near }
    return .select(isNear, near, normalized(else: other))
  }
}

extension Quaternion {
  /// The attitude after turning a unit quaternion at `rate` (rad/s, device axes) for `duration` seconds, normalised.
  @inline(__always)
  func turned(at rate: Vector3, for duration: Double, _ order: IntegrationOrder) -> Quaternion {
    LaneQuaternion<Double>(self).turned(byTwice: LaneVector3((0.5 * duration) * rate), StepSeries(order))[0]
  }
}
