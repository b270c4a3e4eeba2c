internal import InertialNumerics
internal import InertialRotations

/// The order of the integration of a rotation step.
enum IntegrationOrder: Sendable {
  /// q + q̇ dt, as most papers write it.
  case first
  /// The exponential to third order: no sine, and accurate to 1e-6 rad at 0.2 rad per step.
  case third

  /// Creates the order for the value of the parameter `integrationOrder`.
  init(_ order: Double) { self = order < 2 ? .first : .third }
}

extension ParameterDescription {
  /// Returns the description of the parameter `integrationOrder`.
  static func integrationOrder(_ path: any WritableKeyPath<Parameters, Double> & Sendable) -> Self {
    .init(
      "integrationOrder", path, "1", 1...3,
      "1 integrates as the literature does, q + q' dt; 3 uses the exponential to third order.")
  }
}

/// The rotation of one step to the integration order, as series in s, the square of half its angle.
struct StepSeries: Sendable {
  /// The vector part is half the rotation vector times 1 − `scale` s.
  private let scale: Double
  /// The scalar part is 1 − `scalar` s.
  private let scalar: Double
  /// Both divided by the norm, 1 + c₁ s + c₂ s² + c₃ s³ + c₄ s⁴.
  private let unitScale: (Double, Double, Double, Double)
  private let unitScalar: (Double, Double, Double, Double)
  /// The largest s for which they hold; beyond it, the norm is computed with a root.
  fileprivate let limit: Double

  @inline(__always)
  init(_ order: IntegrationOrder) {
    switch order {
    case .first:
      // 1/√(1 + s); the first omitted term is 63 s⁵/256.
      (scale, scalar, limit) = (0, 0, 1e-3)
      unitScale = (-0.5, 0.375, -0.3125, 0.2734375)
      unitScalar = unitScale
    case .third:
      // The squared norm is (1 − s/2)² + s (1 − s/6)² = 1 − s²/12 + s³/36, so one over the norm is 1 + s²/24 − s³/72 +
      // s⁴/384. The first omitted terms of its products are below s⁵/300.
      (scale, scalar, limit) = (1.0 / 6, 0.5, 0.01)
      unitScale = (-1.0 / 6, 1.0 / 24, -1.0 / 48, 17.0 / 3456)
      unitScalar = (-0.5, 1.0 / 24, -5.0 / 144, 11.0 / 1152)
    }
  }

  /// Returns the step for half a rotation vector, not normalised.
  @inline(__always)
  fileprivate func step(_ half: Vector3, _ squared: Double) -> Quaternion {
    let turn = (1 - scale * squared) * half
    return Quaternion(x: turn.x, y: turn.y, z: turn.z, w: 1 - scalar * squared)
  }

  /// Returns the same step, normalised, for values below the limit.
  @inline(__always)
  fileprivate func unitStep(_ half: Vector3, _ squared: Double) -> Quaternion {
    // In pairs of terms, not by Horner's rule: this shortens the dependency chain.
    let square = squared * squared
    let turn = Self.sum(unitScale, squared, square) * half
    return Quaternion(x: turn.x, y: turn.y, z: turn.z, w: Self.sum(unitScalar, squared, square))
  }

  @inline(__always)
  private static func sum(_ c: (Double, Double, Double, Double), _ squared: Double, _ square: Double) -> Double {
    (c.0 * squared + 1) + square * ((c.1 + c.2 * squared) + c.3 * square)
  }
}

extension Quaternion {
  /// Returns the attitude, normalised, after rotating a unit quaternion by twice `half`, a rotation vector in device
  /// axes.
  @inline(__always)
  func turned(byTwice half: Vector3, _ series: StepSeries) -> Quaternion {
    let squared = half.squaredNorm
    // The norm of a product is the product of its factors' norms, which are known in advance. One factor compensates
    // the previous step's rounding, the other this step's norm, without a root or a division.
    let excess = squaredNorm - 1
    guard squared < series.limit, abs(excess) < 1e-6 else {
      return turnedUnnormalized(byTwice: half, series).normalized ?? self
    }
    // 1/√(1 + e) by its series: the first omitted term is below 4e-13, and negligible for a quaternion of the previous
    // step.
    return ((1 - 0.5 * excess) * self) * series.unitStep(half, squared)
  }

  /// Returns the same attitude before normalisation, for sums.
  @inline(__always)
  func turnedUnnormalized(byTwice half: Vector3, _ series: StepSeries) -> Quaternion {
    self * series.step(half, half.squaredNorm)
  }

  /// The unit quaternion in the same direction, for a norm near 1, or `nil` if the quaternion has no direction.
  ///
  /// 1/√(1 + e) by its series, in less time than a root and a division: the first omitted term is below 1e-15.
  @inline(__always)
  var normalizedNearOne: Quaternion? {
    let e = squaredNorm - 1
    guard abs(e) < 4e-3 else { return normalized }
    let squared = e * e
    // Term by term: as one expression, it takes the compiler two seconds.
    let (first, second) = (1 - 0.5 * e, 0.375 - 0.3125 * e)
    let third = 0.2734375 - 0.24609375 * e
    let head = first + squared * second
    return (head + (squared * squared) * third) * self
  }

  /// Returns the attitude, normalised, after rotating a unit quaternion at `rate` (rad/s, device axes) for `duration`
  /// seconds.
  @inline(__always)
  func turned(at rate: Vector3, for duration: Double, _ order: IntegrationOrder) -> Quaternion {
    turned(byTwice: (0.5 * duration) * rate, StepSeries(order))
  }
}

// Sums and multiples of quaternions that are not rotations: derivatives and gradients.
extension Quaternion {
  @inline(__always)
  static func + (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, w: a.w + b.w)
  }
  @inline(__always)
  static func - (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z, w: a.w - b.w)
  }
  @inline(__always)
  static func * (s: Double, q: Quaternion) -> Quaternion {
    Quaternion(x: s * q.x, y: s * q.y, z: s * q.z, w: s * q.w)
  }
}
