internal import InertialNumerics
internal import InertialRotations

/// A complementary observer whose correction is a damped least-squares step (Levenberg-Marquardt) from the predicted to
/// the measured directions of gravity and field.
///
/// Fourati, Manamanni, Afilal and Handrich, "A nonlinear filtering approach for the attitude and dynamic body
/// acceleration estimation based on inertial and magnetic sensors: bio-logging application", IEEE Sensors Journal 11
/// (2011). With the model error δ, (8) and (9), and its derivative X by the vector part of a small rotation, (23), the
/// step is η = (XᵀX + λ I)⁻¹ Xᵀ δ, (10) and (24): half the remaining rotation, equally about all axes, for any angle
/// between the two directions. The attitude follows ½ q ⊗ ω + k q ⊗ η, so 1/k is the time constant about every axis. In
/// the paper's (7), the correction is a factor of q ⊗ ω, which would vanish at rest.
///
/// The field's reference is learned from the data. No bias is estimated; a bias leads to an attitude error of bias / k.
package struct Fourati: SteppedAlgorithm {
  package static let name = "fourati"
  package static let summary = "complementary observer with a Levenberg-Marquardt correction"
  package static let source = "Fourati, Manamanni, Afilal and Handrich 2011"
  package static let traits: FilterTraits = [.accelerometer, .magneticField]

  /// Time constants in seconds, valid for every sample rate.
  package struct Parameters: SteppedParameters {
    package var timeConstant = 4.0
    /// The weight of the field; the paper has 1. The heading correction does not depend on it, but 0 turns it off.
    package var magneticWeight = 0.2
    /// The damping λ. It must be small compared with 4 times the squared weights.
    package var damping = 1e-5
    package var dipTimeConstant = 30.0
    package var handling = HandlingParameters()
    package var headingReference = HeadingReference.magneticNorth

    package init() {}

    /// The paper's gain, in 1/s.
    package var k: Double {
      get { 1 / timeConstant }
      set { timeConstant = 1 / newValue }
    }

    package static let descriptions: [ParameterDescription<Self>] =
      [
        .init(
          "timeConstant", \.timeConstant, "s", 0.001...1e6,
          "Time constant of the correction; bigger trusts the gyroscope longer."
        )
        .published("k", \.k, "1/s", 1e-6...1000, "The observer's gain: 1 / timeConstant."),
        .init(
          "magneticWeight", \.magneticWeight, "1", 0...100,
          "Weight of the field's direction against gravity's; smaller leaves the tilt to gravity."),
        .init(
          "damping", \.damping, "1", 1e-9...100,
          "Levenberg-Marquardt damping; bigger corrects less if the directions contain little information."),
        .dipTimeConstant(\.dipTimeConstant),
      ] + HandlingParameters.descriptions(at: \.handling)
  }

  package typealias State = AttitudeAndField

  package let parameters: Parameters

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  package func advance(_ state: inout State, by step: MotionStep) {
    var rate = step.rate
    if let acceleration = step.acceleration?.normalized {
      var problem = LeastSquares(damping: parameters.damping)
      problem.add(
        measured: acceleration, predicted: state.earthFromDevice.rotateInverse(-.unitZ), squaredWeight: 1)
      if let field = step.magneticField?.normalized {
        let reference = state.field.learn(
          state.earthFromDevice.rotate(field), over: step.duration, timeConstant: parameters.dipTimeConstant)
        problem.add(
          measured: field, predicted: state.earthFromDevice.rotateInverse(reference),
          squaredWeight: parameters.magneticWeight * parameters.magneticWeight)
      }
      // k η over the step; for steps longer than about 1/k, at most η.
      let fraction = ExponentialLowPass.gain(after: step.duration, timeConstant: parameters.timeConstant)
      rate += (2 * fraction / step.duration) * problem.solution
    }
    state.earthFromDevice = state.earthFromDevice.turned(at: rate, for: step.duration, .third)
  }

  /// The normal equations of the vector part of the remaining quaternion.
  struct LeastSquares {
    private var normal: Matrix3
    private var gradient = Vector3.zero

    init(damping: Double) { normal = Matrix3(diagonal: Vector3(repeating: damping)) }

    /// Adds a direction p, which rotates by 2 p × η with q ⊗ (1 + η), so X = 2 [p]×, XᵀX = 4 (|p|² I − p pᵀ), Xᵀ δ = 2
    /// m × p.
    mutating func add(measured m: Vector3, predicted p: Vector3, squaredWeight: Double) {
      let square = p.squaredNorm
      normal =
        normal + (4 * squaredWeight) * (Matrix3(diagonal: Vector3(repeating: square)) - Matrix3(outer: p, p))
      gradient += (2 * squaredWeight) * m.cross(p)
    }

    /// The step η. A single direction leaves the rotation around it undetermined; the damping makes the matrix
    /// invertible.
    var solution: Vector3 { normal.inverse.map { $0 * gradient } ?? .zero }
  }
}

/// Fourati's observer for real logs.
package typealias FouratiFilter = SteppedFilter<Fourati>
