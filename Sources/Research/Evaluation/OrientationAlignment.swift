internal import InertialNumerics
public import InertialRotations

/// Which constant differences between an estimate's frames and a reference's are taken out before judging; of paths,
/// `PathAlignment.fit` says what.
public enum AlignmentMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// None: both claim the same north and the same sensor axes.
  case none
  /// The difference at the beginning: of orientations the first heading, of paths the first place.
  case origin
  /// A constant heading: their norths differ. Of paths a translation, too.
  case yaw
  /// A constant heading and a constant rotation of the sensor's axes: the reference's body is mounted otherwise. Of paths any rotation and
  /// a translation.
  case frame
}

/// Constant rotations that bring an estimate to a reference: q_reference ≈ qz(yaw) ⊗ q_estimate ⊗ q_sensor.
public struct OrientationAlignment: Sendable, Hashable, Codable {
  /// The turn about the vertical on the earth's side, counter-clockwise, radians in (−π, π].
  public var yaw: Double
  /// The rotation on the sensor's side: it maps the reference's body axes to the estimate's sensor axes.
  public var sensorRotation: Quaternion

  /// An alignment by a yaw of the earth frame, rad, and a rotation of the sensor.
  public init(yaw: Double, sensorRotation: Quaternion) {
    self.yaw = yaw
    self.sensorRotation = sensorRotation
  }

  /// Nothing to take out.
  public static let identity = OrientationAlignment(yaw: 0, sensorRotation: .identity)

  /// The aligned estimate.
  public func apply(_ estimate: Quaternion) -> Quaternion {
    Quaternion(angle: yaw, axis: .unitZ) * estimate * sensorRotation
  }

  /// Fits what `mode` allows to pairs of orientations, robustly: pairs with a large error pull no harder than
  /// typical ones (Huber, "Robust estimation of a location parameter", 1964), the scale taken from the median.
  ///
  /// In the mode `frame`, a sensor that only turns about one vertical axis leaves yaw and the sensor's turn about
  /// that axis undetermined; then the turn is on the sensor's side.
  /// - `pairs`: unit quaternions, sensor to an earth frame with Z up; at least one.
  public static func fit(
    _ mode: AlignmentMode, to pairs: [(estimate: Quaternion, reference: Quaternion)]
  ) -> OrientationAlignment {
    guard !pairs.isEmpty else { return .identity }
    switch mode {
    case .none: return .identity
    case .origin:
      let turn = OrientationError.signedHeading(estimate: pairs[0].estimate, reference: pairs[0].reference)
      return OrientationAlignment(yaw: -turn, sensorRotation: .identity)
    case .yaw: return OrientationAlignment(yaw: YawFit.yaw(pairs), sensorRotation: .identity)
    case .frame: return FrameFit(pairs).alignment
    }
  }
}
