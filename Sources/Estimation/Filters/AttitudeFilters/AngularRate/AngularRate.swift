internal import InertialNumerics
package import InertialRotations

/// The gyroscope alone: the rate is integrated from the attitude that the start-up found.
///
/// The step is q ⊗ exp(½ (ω − b) Δt), exact for a rate that is constant over it (Titterton and Weston, "Strapdown
/// Inertial Navigation Technology", 2nd ed. 2004, section 11.2.5), or the exponential's series to an order. Nothing
/// corrects the attitude afterwards, so it drifts by the bias that is left: what other filters gain is judged against
/// this. Accelerometer and field are used in the start-up alone, at the start and after a gap.
package struct AngularRate: SteppedAlgorithm {
  package static let name = "angular-rate"
  package static let summary = "integration of the gyroscope alone from the start-up's attitude"
  package static let source = "Titterton and Weston 2004, section 11.2.5"
  package static let traits: FilterTraits = []

  package let parameters: Parameters
  private let seriesOrder: Int

  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    seriesOrder = Int(parameters.seriesOrder.rounded())
  }

  package func advance(_ state: inout State, by step: MotionStep) {
    state.gyroscopeBias = parameters.bias
    let rotation = step.duration * (step.rate - parameters.bias)
    let turn =
      seriesOrder == 0
      ? Quaternion(rotationVector: rotation) : Self.exponentialSeries(of: rotation, order: seriesOrder)
    state.earthFromDevice = (state.earthFromDevice * turn).normalized ?? state.earthFromDevice
  }

  /// Σ (½ θ)ᵏ / k! for k up to the order, θ a rotation vector in radians as a quaternion without scalar part.
  ///
  /// Such a quaternion's square is the number −|½ θ|²: even powers add to the scalar part, odd ones to the vector.
  static func exponentialSeries(of rotation: Vector3, order: Int) -> Quaternion {
    let half = 0.5 * rotation
    let square = -half.squaredNorm
    var (scalar, vector, factor) = (0.0, 0.0, 1.0)
    for power in 0...order {
      if power.isMultiple(of: 2) {
        scalar += factor
        factor /= Double(power + 1)
      } else {
        vector += factor
        factor *= square / Double(power + 1)
      }
    }
    return Quaternion(x: vector * half.x, y: vector * half.y, z: vector * half.z, w: scalar)
  }
}

extension AngularRate {
  /// Everything that changes from sample to sample.
  package struct State: SteppedState {
    package internal(set) var earthFromDevice: Quaternion
    /// None is estimated: the bias that is subtracted is a parameter, and zero until the first step.
    package internal(set) var gyroscopeBias = Vector3.zero

    package init(earthFromDevice: Quaternion) { self.earthFromDevice = earthFromDevice }

    package mutating func restart(at attitude: Quaternion) { earthFromDevice = attitude }
  }
}
