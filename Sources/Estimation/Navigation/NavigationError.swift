internal import InertialNumerics

/// The parts of the error state, three components each.
///
/// The attitude error θ is a rotation vector in earth axes, q_true = exp(θ) ⊗ q. All other errors are the true value
/// minus the estimated one.
enum ErrorPart: Int, CaseIterable {
  /// The attitude in radians, earth axes.
  case attitude
  /// The velocity in m/s, earth axes.
  case velocity
  /// The position in metres, earth axes.
  case position
  /// The gyroscope bias in rad/s, device axes.
  case gyroscopeBias
  /// The accelerometer bias in m/s², device axes.
  case accelerometerBias
  /// The vehicle's axes in the device, in radians, device axes; for vehicles only.
  case mounting

  /// The number of parts that every navigator has: all except the mounting.
  static let common = 5
}

/// A value for each of the 15 errors, or 18 with the mounting: a row of a measurement's Jacobian, or a correction.
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

  /// The error of a part by its raw value.
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
