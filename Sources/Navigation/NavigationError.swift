internal import LinearAlgebra

/// The parts of the error state, three components each.
///
/// The attitude's error θ is a rotation vector in earth axes, q_true = exp(θ) ⊗ q. Every other error is the true value less
/// the estimated one.
enum ErrorPart: Int, CaseIterable {
  /// Attitude, rad, earth axes.
  case attitude
  /// Velocity, m/s, earth axes.
  case velocity
  /// Position, m, earth axes.
  case position
  /// Gyroscope bias, rad/s, device axes.
  case gyroscopeBias
  /// Accelerometer bias, m/s², device axes.
  case accelerometerBias
  /// The vehicle's axes in the device, rad, device axes; of a vehicle only.
  case mounting

  /// How many parts every navigator has: all but the mounting.
  static let common = 5
}

/// One value of each of the 15 errors, or 18 with the mounting: a row of a measurement's Jacobian, or a correction.
struct NavigationError: Sendable {
  var attitude = Vector3.zero
  var velocity = Vector3.zero
  var position = Vector3.zero
  var gyroscopeBias = Vector3.zero
  var accelerometerBias = Vector3.zero
  var mounting = Vector3.zero

  subscript(part: ErrorPart) -> Vector3 {
    get {
      switch part {
      case .attitude: attitude
      case .velocity: velocity
      case .position: position
      case .gyroscopeBias: gyroscopeBias
      case .accelerometerBias: accelerometerBias
      case .mounting: mounting
      }
    }
    set {
      switch part {
      case .attitude: attitude = newValue
      case .velocity: velocity = newValue
      case .position: position = newValue
      case .gyroscopeBias: gyroscopeBias = newValue
      case .accelerometerBias: accelerometerBias = newValue
      case .mounting: mounting = newValue
      }
    }
  }

  func dot(_ other: Self) -> Double {
    attitude.dot(other.attitude) + velocity.dot(other.velocity) + position.dot(other.position)
      + gyroscopeBias.dot(other.gyroscopeBias) + accelerometerBias.dot(other.accelerometerBias)
      + mounting.dot(other.mounting)
  }

  mutating func add(_ other: Self, scaledBy scale: Double) {
    attitude += other.attitude * scale
    velocity += other.velocity * scale
    position += other.position * scale
    gyroscopeBias += other.gyroscopeBias * scale
    accelerometerBias += other.accelerometerBias * scale
    mounting += other.mounting * scale
  }
}
