/// A component of the noise of an inertial sensor: the five terms of IEEE Std 952-1997, annex C.
///
/// The units refer to a series in the unit u, such as rad/s; its integral is the angle or velocity.
public enum NoiseProcess: String, Sendable, Codable, CaseIterable {
  /// Q, in u s: σ² = 3 Q² / τ². The resolution of the integral, not of the value.
  case quantization
  /// N, in u/√Hz: σ² = N² / τ. The integral over t seconds has the standard deviation N √t.
  case white
  /// B, in u: σ² = (2 ln 2 / π) B², the floor of the curve at 0.664 B.
  case biasInstability
  /// K, in u/√s (u s⁻¹/√Hz): σ² = K² τ / 3. The value's random walk has the standard deviation K √t after t seconds.
  case rateRandomWalk
  /// R, in u/s: σ² = R² τ² / 2. A steady drift.
  case rateRamp

  /// The ratio of the floor of Allan's curve to the bias instability: √(2 ln 2 / π).
  public static let floorOfBiasInstability = 0.6642824702679600

  /// Returns the variance at an averaging time in seconds for a coefficient of 1.
  func variance(at time: Double) -> Double {
    switch self {
    case .quantization: 3 / (time * time)
    case .white: 1 / time
    case .biasInstability: Self.floorOfBiasInstability * Self.floorOfBiasInstability
    case .rateRandomWalk: time / 3
    case .rateRamp: time * time / 2
    }
  }

  /// Converts a coefficient from time in sample periods to time in seconds.
  func inSeconds(_ coefficient: Double, period: Double) -> Double {
    switch self {
    case .quantization: coefficient * period
    case .white: coefficient * period.squareRoot()
    case .biasInstability: coefficient
    case .rateRandomWalk: coefficient / period.squareRoot()
    case .rateRamp: coefficient / period
    }
  }
}
