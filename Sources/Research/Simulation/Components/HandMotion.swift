internal import InertialNumerics

/// The unsteady motion of a handheld device: rotations about three axes and displacements along three axes, each a sum
/// of sines with random frequencies and phases.
public struct HandMotion: Sendable, Equatable {
  private struct Wave: Sendable, Equatable {
    var frequency: Double
    var phase: Double
  }

  /// The number of sines of one axis, with equal amplitudes.
  private static let waveCount = 5

  /// The root mean square of the rotation about each axis, in radians.
  public let angle: Double
  /// The root mean square of the displacement along each axis, in m.
  public let displacement: Double
  /// The start of the motion, in seconds, or `nil` if it is always present.
  public let start: Double?
  /// The duration of the ramp at the start, in seconds.
  public let rampDuration: Double
  /// The sines of yaw, pitch, roll, and of the displacement along x, y, z.
  private let waves: [[Wave]]

  /// Creates a motion.
  ///
  /// - Parameters:
  ///   - angle: The root mean square of the rotation about each axis, in radians.
  ///   - displacement: The root mean square of the displacement along each axis, in m.
  ///   - frequencies: The range of the sines' frequencies, in Hz.
  ///   - start: The start of the motion, in seconds, or `nil` if it is always present.
  ///   - rampDuration: The duration of the ramp at the start, in seconds.
  ///   - seed: The seed; the same seed gives the same motion.
  public init(
    angle: Double, displacement: Double = 0, frequencies: ClosedRange<Double> = 0.05...0.4, start: Double? = 3,
    rampDuration: Double = 2, seed: UInt64
  ) {
    precondition(rampDuration > 0, "a hand that begins to move within \(rampDuration) s")
    self.angle = angle
    self.displacement = displacement
    self.start = start
    self.rampDuration = rampDuration
    var generator = SeededGenerator(seed: seed)
    let step = (frequencies.upperBound - frequencies.lowerBound) / Double(Self.waveCount)
    waves = (0..<6).map { _ in
      (0..<Self.waveCount).map { index in
        // One sine is from each part of the range, so that every axis has slow and fast motion.
        Wave(
          frequency: frequencies.lowerBound + step * (Double(index) + generator.uniform()),
          phase: 2 * .pi * generator.uniform())
      }
    }
  }

  /// A hand that does not move.
  public static let still = HandMotion(angle: 0, seed: 0)

  func isMoving(at time: Double) -> Bool { (angle > 0 || displacement > 0) && time > start ?? -.infinity }

  /// Returns the angles in radians about the axes z, x, y, and the displacements in m along x, y, z.
  func pose(at time: Double) -> (yaw: Jet, pitch: Jet, roll: Jet, x: Jet, y: Jet, z: Jet) {
    let ramp = start.map { Jet.smoothStep(start: $0, duration: rampDuration, at: time) } ?? .constant(1)
    let fraction = (2 / Double(Self.waveCount)).squareRoot()
    func axis(_ index: Int, _ size: Double) -> Jet {
      guard size > 0 else { return .zero }
      let sum = waves[index].reduce(Jet.zero) {
        $0 + .sine(fraction * size, frequency: $1.frequency, phase: $1.phase, at: time)
      }
      return ramp * sum
    }
    return (
      axis(0, angle), axis(1, angle), axis(2, angle), axis(3, displacement), axis(4, displacement),
      axis(5, displacement)
    )
  }
}
