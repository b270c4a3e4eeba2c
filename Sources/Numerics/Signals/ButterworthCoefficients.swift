internal import InertialSystem

/// The difference equation of a digital second-order Butterworth low-pass:
/// y[n] = b0 x[n] + b1 x[n−1] + b2 x[n−2] − a1 y[n−1] − a2 y[n−2], with gain 1 at frequency 0.
///
/// Bilinear transform of 1 / (s² + √2 s + 1) with the cutoff prewarped, so that the gain at the cutoff is
/// exactly 1/√2 (Oppenheim and Schafer, "Discrete-Time Signal Processing", section 7.2).
public struct ButterworthCoefficients: Sendable, Hashable, Codable {
  /// The coefficients of the current and the two previous inputs.
  public let b0, b1, b2: Double
  /// The coefficients of the two previous outputs.
  public let a1, a2: Double

  /// Creates a low-pass with its −3 dB point at `cutoff` Hz, for samples at `sampleRate` Hz.
  ///
  /// Both must be positive. A cutoff at or above half the sample rate leaves every signal unchanged.
  public init(cutoff: Double, sampleRate: Double) {
    precondition(cutoff > 0, "a cutoff frequency of \(cutoff) Hz is not positive")
    precondition(sampleRate > 0, "a sample rate of \(sampleRate) Hz is not positive")
    guard cutoff < sampleRate / 2 else {
      (b0, b1, b2, a1, a2) = (1, 0, 0, 0, 0)
      return
    }
    let c = tan(.pi * cutoff / sampleRate)
    let denominator = c * c + 2.0.squareRoot() * c + 1
    b0 = c * c / denominator
    b1 = 2 * b0
    b2 = b0
    a1 = 2 * (c * c - 1) / denominator
    a2 = (c * c - 2.0.squareRoot() * c + 1) / denominator
  }

  /// Creates a low-pass with time constant `timeConstant` seconds: the cutoff is √2 / (2π τ).
  ///
  /// The damped envelope of the step response then falls as exp(−t/τ) (poles at (−1 ± i)/τ; Laidig and
  /// Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic disturbance
  /// rejection", 2023).
  public init(timeConstant: Double, sampleRate: Double) {
    precondition(timeConstant > 0, "a time constant of \(timeConstant) s is not positive")
    self.init(cutoff: Self.cutoff(timeConstant: timeConstant), sampleRate: sampleRate)
  }

  /// Returns the cutoff frequency in Hz for a time constant in seconds: √2 / (2π τ).
  public static func cutoff(timeConstant: Double) -> Double {
    2.0.squareRoot() / (2 * .pi * timeConstant)
  }
}
