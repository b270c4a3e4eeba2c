internal import InertialNumerics
public import InertialRotations

/// The constant differences between an estimate's frames and a reference's that are removed before an evaluation; for
/// paths, see `PathAlignment.fit`.
public enum AlignmentMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// Identical frames: both use the same north and the same sensor axes.
  case none
  /// The difference at the beginning: for orientations the first heading, for paths the first position.
  case origin
  /// A constant heading: the norths differ. For paths, a translation, too.
  case yaw
  /// A constant heading and a constant rotation of the sensor's axes: the reference's body is mounted differently. For
  /// paths, any rotation and a translation.
  case frame
}

/// Constant rotations that align an estimate with a reference: q_reference ≈ qz(yaw) ⊗ q_estimate ⊗ q_sensor.
public struct OrientationAlignment: Sendable, Hashable, Codable {
  /// The rotation about the vertical on the earth's side, counter-clockwise, in radians in (−π, π].
  public var yaw: Double
  /// The rotation on the sensor's side, from the reference's body axes to the estimate's sensor axes.
  public var sensorRotation: Quaternion

  /// Creates an alignment from a yaw of the earth frame, in radians, and a rotation of the sensor.
  public init(yaw: Double, sensorRotation: Quaternion) {
    self.yaw = yaw
    self.sensorRotation = sensorRotation
  }

  /// The alignment that changes nothing.
  public static let identity = OrientationAlignment(yaw: 0, sensorRotation: .identity)

  /// Returns the aligned estimate.
  public func apply(_ estimate: Quaternion) -> Quaternion {
    Quaternion(angle: yaw, axis: .unitZ) * estimate * sensorRotation
  }

  /// Fits the alignment that `mode` allows to pairs of orientations, robustly: pairs with a large error have no more
  /// influence than typical ones (Huber, "Robust estimation of a location parameter", 1964), with the scale from the
  /// median.
  ///
  /// In the mode `frame`, a sensor that rotates only about one vertical axis leaves its yaw and its rotation about that
  /// axis undetermined; then the rotation is assigned to the sensor's side.
  /// - Parameters:
  ///   - mode: The degrees of freedom.
  ///   - pairs: Unit quaternions, sensor to an earth frame with Z up; the identity results if there are none.
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
