/// Where the acceleration without gravity comes from.
public enum MotionSource: String, Sendable, Codable, CaseIterable {
  /// From the log: the device has parted gravity and user acceleration.
  case device
  /// From the accelerometer and the gyroscope, fused.
  case fused
  /// From the accelerometer alone, by a low-pass.
  case accelerometer

  package var meaning: String {
    switch self {
    case .device: "user acceleration as the device computed it"
    case .fused: "user acceleration from accelerometer and gyroscope, fused"
    case .accelerometer: "user acceleration from the accelerometer alone, gravity taken off by a low-pass"
    }
  }
}
