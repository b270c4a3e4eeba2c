internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

/// Huber's weights: 1 for residuals up to a threshold; beyond it, the influence stays constant.
struct HuberWeights {
  let threshold: Double

  /// - Parameter threshold: The threshold in the residuals' unit; raised above rounding error if necessary.
  init(threshold: Double) { self.threshold = max(threshold, 1e-13) }

  func weight(_ residual: Double) -> Double {
    let magnitude = abs(residual)
    return magnitude <= threshold ? 1 : threshold / magnitude
  }
}

/// The robust constant heading between an estimate and a reference.
enum YawFit {
  /// Returns the yaw ψ that makes the headings of qz(ψ) ⊗ q_estimate agree best with the reference's.
  static func yaw(_ pairs: [(estimate: Quaternion, reference: Quaternion)]) -> Double {
    // Rotating the estimate by ψ adds ψ to the signed heading error, so ψ is the negative location of these errors.
    let errors = pairs.map { OrientationError.signedHeading(estimate: $0.estimate, reference: $0.reference) }
    let (s, c) = errors.reduce((0.0, 0.0)) { ($0.0 + sin($1), $0.1 + cos($1)) }
    var centre = atan2(s, c)
    // The mean direction only determines where to cut the circle; the median moves it to the majority.
    for _ in 0..<3 {
      centre += Statistics.median(errors.map { remainder($0 - centre, 2 * .pi) }) ?? 0
    }
    let residuals = errors.map { remainder($0 - centre, 2 * .pi) }
    let spread = Statistics.medianAbsoluteDeviation(residuals, scaledToNormal: true) ?? 0
    // The threshold 1.345 σ has 95 % of the efficiency of the mean for normal errors.
    let huber = HuberWeights(threshold: 1.345 * spread)
    var offset = 0.0
    for _ in 0..<200 {
      var (sum, weights) = (0.0, 0.0)
      for residual in residuals {
        let weight = huber.weight(residual - offset)
        sum += weight * residual
        weights += weight
      }
      let next = sum / weights
      let step = abs(next - offset)
      offset = next
      if step < 1e-12 { break }
    }
    return remainder(-(centre + offset), 2 * .pi)
  }
}
