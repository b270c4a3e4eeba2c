/// The source of the acceleration without gravity.
public enum MotionSource: String, Sendable, Codable, CaseIterable {
  /// The log: the device has separated gravity and user acceleration.
  case device
  /// The fused accelerometer and gyroscope.
  case fused
  /// The accelerometer alone, with gravity removed by a low-pass.
  case accelerometer

  package var meaning: String {
    switch self {
    case .device: "user acceleration as the device computed it"
    case .fused: "user acceleration from accelerometer and gyroscope, fused"
    case .accelerometer: "user acceleration from the accelerometer alone, gravity removed by a low-pass"
    }
  }
}
