internal import InertialNumerics
internal import InertialSystem

/// The time constants with which one sensor corrects the attitude and the gyroscope bias, in seconds.
struct CorrectionTimeConstants: Sendable, Codable, Equatable {
  /// τ: the time constant of the attitude's error.
  var attitude: Double
  /// τ_b: the time constant of bias learning.
  var bias: Double
}

extension CorrectionTimeConstants {
  /// Creates the time constants of the steady-state Kalman filter about one axis: equations (1) to (6) of
  /// `docs/theory/complementary.md`; or `nil` if the filter has no steady state.
  ///
  /// - Parameters:
  ///   - q: The gyroscope's angle random walk, in rad/√s.
  ///   - s: The random walk of its bias, in rad/s/√s.
  ///   - r: The measured angle's noise, in rad√s.
  ///   - Δt: The time between measurements, in seconds.
  init?(gyroscopeNoise q: Double, biasNoise s: Double, measurementNoise r: Double, interval Δt: Double) {
    // In units of Δt and of a measurement's standard deviation r/√Δt, so that no number is large.
    let (angleStep, biasStep) = (q * Δt / r, s * Δt * Δt / r)
    let walk = biasStep * biasStep
    let steady = try? SteadyStateKalman(
      transition: Matrix(rows: [[1, -1], [0, 1]]),
      processNoise: Matrix(rows: [[angleStep * angleStep + walk / 3, -walk / 2], [-walk / 2, walk]]),
      observation: Matrix(rows: [[1, 0]]), noise: .identity(1))
    guard let gain = steady?.gain else { return nil }
    attitude = -Δt / log1p(-gain[0, 0])
    bias = -Δt * Δt / (attitude * gain[1, 0])
    guard attitude > 0, bias > 0, attitude.isFinite, bias.isFinite else { return nil }
  }
}
