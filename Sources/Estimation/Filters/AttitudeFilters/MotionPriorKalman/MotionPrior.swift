internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The mean square of the velocity, in (m/s)², horizontal (per axis) and vertical: equation (8) of
/// docs/theory/flagship.md.
struct MeanSquareVelocity: Sendable, Codable, Equatable {
  /// An upper limit above any person's mean square velocity.
  private static let cap = 100.0
  /// The duration above which a velocity counts as lasting, in seconds.
  private static let lastingTime = 1.0

  /// e_h and e_v.
  private(set) var horizontal: Double
  private(set) var vertical: Double
  /// The mean square of the lasting part of the horizontal velocity.
  private var lasting: Double
  private var lowPassX = 0.0
  private var lowPassY = 0.0

  /// Creates a memory with the same mean square along all axes, in (m/s)².
  init(_ square: Double = 0) { (horizontal, vertical, lasting) = (square, square, square) }

  mutating func add(_ velocity: Vector3, over duration: Double, memory: Double) {
    let weight = -expm1(-duration / memory)
    let level = 0.5 * (velocity.x * velocity.x + velocity.y * velocity.y)
    horizontal = min(horizontal + weight * (level - horizontal), Self.cap)
    vertical = min(vertical + weight * (velocity.z * velocity.z - vertical), Self.cap)
    let smoothing = duration / (Self.lastingTime + duration)
    lowPassX += smoothing * (velocity.x - lowPassX)
    lowPassY += smoothing * (velocity.y - lowPassY)
    lasting += weight * (0.5 * (lowPassX * lowPassX + lowPassY * lowPassY) - lasting)
  }

  /// Returns the fraction of the motion prior's noise due to a lasting velocity (as in walking), 0 to 1. The prior
  /// treats its noise as white.
  ///
  /// - Parameters:
  ///   - minimum: The prior's noise without motion, in (m/s)² s.
  ///   - weight: The seconds of noise per mean square velocity.
  func persistentFraction(minimum: Double, weight: Double) -> Double {
    let noise = minimum + weight * horizontal
    return noise > 0 ? min(1, weight * lasting / noise) : 0
  }
}

extension MotionPriorKalman {
  /// The factor on the prior's variance in an epoch with a clipped accelerometer.
  private static let clippedForceFactor = 11.0

  /// Takes the motion prior 0 = v + n: equation (9) of docs/theory/flagship.md.
  mutating func takeMotionPrior() {
    let clipping = state.epoch.forceIsClipped ? Self.clippedForceFactor : 1
    let scale = clipping / state.epoch.duration
    let (v, hasHeading) = (state.velocity, state.field.isKnown)
    var measurement = ErrorMeasurement()
    measurement.holding = hasHeading ? nil : heldErrors()
    for axis in 0..<3 {
      let meanSquare = axis < 2 ? state.meanSquareVelocity.horizontal : state.meanSquareVelocity.vertical
      var row = MeasurementRow(
        residual: -v[axis], variance: scale * (coefficients.velocity + parameters.motionWeight * meanSquare))
      row.add(1, at: MotionErrors.velocity.start + axis)
      // Without a field, the velocity is near zero in axes that rotate with the heading error.
      if !hasHeading, axis < 2 { row.add(axis == 0 ? v.y : -v.x, at: MotionErrors.heading) }
      measurement.append(row)
    }
    let innovation = state.kalman.take(measurement)
    if measurements != nil { report(innovation.outcome(.velocity).weighted(1 / clipping, .clipped)) }
  }
}

extension ErrorInnovation {
  /// Returns the outcome of a measurement of three components.
  func outcome(_ kind: MeasurementKind) -> MeasurementOutcome {
    guard outcome != .unusable, normalizedSquared.isFinite else { return MeasurementOutcome(kind, leftOut: .unusable) }
    return MeasurementOutcome(
      kind, count: count, innovation: value, variance: variance, normalizedSquared: normalizedSquared)
  }
}
