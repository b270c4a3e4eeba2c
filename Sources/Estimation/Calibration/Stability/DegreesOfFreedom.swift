internal import InertialSystem

/// The equivalent degrees of freedom of a deviation: its square has a χ² distribution with them.
///
/// C. A. Greenhall and W. J. Riley, "Uncertainty of stability variances based on finite differences", 2003, with the
/// equations repeated in NIST SP 1065, section 5.4.1 and table 5; for the total deviation its table 7.
enum DegreesOfFreedom {
  /// The steps per stride up to which the sum is computed exactly; beyond, a coarser grid is as precise.
  private static let finest = 128

  /// - Parameters:
  ///   - deviation: The kind of deviation.
  ///   - factor: The number of values in a mean.
  ///   - count: The number of values of the series.
  ///   - noise: The type of noise of the series at this averaging time.
  /// - Returns: The degrees of freedom, or 0 if the series is too short.
  static func of(_ deviation: StabilityDeviation, factor: Int, count: Int, noise: PowerLawNoise) -> Double {
    if deviation == .total {
      let spans = Double(count) / Double(factor)
      switch noise {
      case .white: return 1.50 * spans
      case .flicker: return 1.17 * spans - 0.22
      case .randomWalk, .flickerWalk, .randomRun: return 0.93 * spans - 0.36
      case .quantization, .flickerPhase: break
      }
    }
    let order = deviation == .hadamard ? 3 : 2
    // α + 2 d must exceed 1, eq. (1) of the paper: a redder noise is replaced by the reddest one that is allowed.
    let alpha = max(noise.rawValue, 2 - 2 * order)
    let isModified = deviation == .modifiedAllan
    // L, M and J of table 5, with F = 1 or m and S = m.
    let length = (isModified ? factor : 1) + factor * order
    let differences = 1 + (count + 1 - length)
    guard count + 1 >= length else { return 0 }
    return 1
      / inverse(
        alpha: alpha, order: order, isModified: isModified, stride: factor, differences: Double(differences))
  }

  private static func inverse(alpha: Int, order: Int, isModified: Bool, stride: Int, differences: Double) -> Double {
    guard stride > finest else {
      return basicSum(alpha, order, filter: isModified ? 1 : Double(stride), stride: stride, differences)
    }
    // White phase noise is uncorrelated except for whole strides, of any length.
    if alpha == 2, !isModified {
      let weights: [Double] = order == 2 ? [6, -4, 1] : [20, -15, 6, -1]
      var sum = 1.0
      for (lag, weight) in weights.enumerated() where lag > 0 {
        let overlap = max(0, 1 - Double(lag * stride) / differences)
        sum += 2 * overlap * weight * weight / (weights[0] * weights[0])
      }
      return sum / differences
    }
    // The ratio of the series' length to the stride is decisive; a coarser grid of both gives the same sum.
    let scale = Double(finest) / Double(stride)
    return basicSum(
      alpha, order, filter: isModified ? 1 : Double(finest), stride: finest, max(1, differences * scale))
  }

  /// Computes eqs. (7) and (8) of the paper.
  private static func basicSum(
    _ alpha: Int, _ order: Int, filter: Double, stride: Int, _ differences: Double
  ) -> Double {
    let covariance = Covariance(alpha: alpha, order: order, filter: filter)
    let last = min(differences, Double((order + 1) * stride))
    let origin = covariance.at(0)
    let end = covariance.at(last / Double(stride))
    var sum = origin * origin + (1 - last / differences) * end * end
    var lag = 1.0
    while lag <= last - 1 {
      let value = covariance.at(lag / Double(stride))
      sum += 2 * (1 - lag / differences) * value * value
      lag += 1
    }
    return sum / (origin * origin * differences)
  }

  /// The covariance of differences of a filtered power-law phase, eqs. (9) to (11) of the paper.
  private struct Covariance {
    let alpha: Int
    let order: Int
    let filter: Double

    /// Returns s_z(t).
    func at(_ t: Double) -> Double {
      order == 2
        ? 6 * filtered(t) - 4 * (filtered(t - 1) + filtered(t + 1)) + filtered(t - 2) + filtered(t + 2)
        : 20 * filtered(t) - 15 * (filtered(t - 1) + filtered(t + 1)) + 6 * (filtered(t - 2) + filtered(t + 2))
          - filtered(t - 3) - filtered(t + 3)
    }

    /// Returns s_x(t, F).
    private func filtered(_ t: Double) -> Double {
      filter * filter * (2 * phase(t) - phase(t - 1 / filter) - phase(t + 1 / filter))
    }

    /// Returns s_w(t, α).
    private func phase(_ t: Double) -> Double {
      let t = abs(t)
      switch alpha {
      case 2: return -t
      case 1: return t > 0 ? t * t * log(t) : 0
      case 0: return t * t * t
      case -1: return t > 0 ? -t * t * t * t * log(t) : 0
      case -2: return -t * t * t * t * t
      case -3: return t > 0 ? t * t * t * t * t * t * log(t) : 0
      default: return t * t * t * t * t * t * t
      }
    }
  }
}
