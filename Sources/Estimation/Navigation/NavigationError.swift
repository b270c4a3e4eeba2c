internal import InertialNumerics

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
  private var parts = InlineArray<6, Vector3>(repeating: .zero)

  init(
    attitude: Vector3 = .zero, velocity: Vector3 = .zero, position: Vector3 = .zero, gyroscopeBias: Vector3 = .zero,
    accelerometerBias: Vector3 = .zero, mounting: Vector3 = .zero
  ) {
    parts = [attitude, velocity, position, gyroscopeBias, accelerometerBias, mounting]
  }

  subscript(part: ErrorPart) -> Vector3 {
    get { parts[part.rawValue] }
    set { parts[part.rawValue] = newValue }
  }

  /// By the part's raw value.
  subscript(part: Int) -> Vector3 {
    get { parts[part] }
    set { parts[part] = newValue }
  }

  var attitude: Vector3 {
    get { self[.attitude] }
    set { self[.attitude] = newValue }
  }
  var velocity: Vector3 {
    get { self[.velocity] }
    set { self[.velocity] = newValue }
  }
  var position: Vector3 {
    get { self[.position] }
    set { self[.position] = newValue }
  }
  var gyroscopeBias: Vector3 {
    get { self[.gyroscopeBias] }
    set { self[.gyroscopeBias] = newValue }
  }
  var accelerometerBias: Vector3 {
    get { self[.accelerometerBias] }
    set { self[.accelerometerBias] = newValue }
  }
  var mounting: Vector3 {
    get { self[.mounting] }
    set { self[.mounting] = newValue }
  }

  func dot(_ other: Self) -> Double {
    var sum = 0.0
    for part in parts.indices { sum += parts[part].dot(other.parts[part]) }
    return sum
  }

  mutating func add(_ other: Self, scaledBy scale: Double) {
    for part in parts.indices { parts[part] += other.parts[part] * scale }
  }
}
