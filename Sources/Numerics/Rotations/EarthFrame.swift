/// A local-level frame of the earth, with the directions of X, Y and Z.
public enum EarthFrame: String, Sendable, Hashable, Codable, CaseIterable {
  /// North, west, up: the frame of Core Motion, and of this package unless stated otherwise.
  case nwu
  /// East, north, up: Android, ROS, BROAD.
  case enu
  /// North, east, down: aerospace.
  case ned

  /// The rotation that converts NWU coordinates to this frame's coordinates.
  var fromNWU: Quaternion {
    switch self {
    case .nwu: .identity
    // east = −west: (x, y, z) becomes (−y, x, z), a rotation of the coordinates by +90° about Z.
    case .enu: Quaternion(x: 0, y: 0, z: 0.5.squareRoot(), w: 0.5.squareRoot())
    // (x, y, z) becomes (x, −y, −z), a rotation by 180° about X.
    case .ned: Quaternion(x: 1, y: 0, z: 0, w: 0)
    }
  }

  /// Returns the rotation that converts `source` coordinates of a vector to `target` coordinates.
  public static func rotation(from source: EarthFrame, to target: EarthFrame) -> Quaternion {
    source == target ? .identity : target.fromNWU * source.fromNWU.conjugate
  }

  /// Converts an orientation from body-to-`source` to body-to-`target`. The body's axes are unchanged; for the
  /// aerospace body see `BodyFrame`.
  public static func quaternion(
    _ sourceFromBody: Quaternion, from source: EarthFrame, to target: EarthFrame
  ) -> Quaternion {
    rotation(from: source, to: target) * sourceFromBody
  }

  /// Converts a vector's coordinates from `source` to `target`; exact, as only signs and positions change.
  public static func vector(_ v: Vector3, from source: EarthFrame, to target: EarthFrame) -> Vector3 {
    let nwu =
      switch source {
      case .nwu: v
      case .enu: Vector3(v.y, -v.x, v.z)
      case .ned: Vector3(v.x, -v.y, -v.z)
      }
    return switch target {
    case .nwu: nwu
    case .enu: Vector3(-nwu.y, nwu.x, nwu.z)
    case .ned: Vector3(nwu.x, -nwu.y, -nwu.z)
    }
  }
}

/// The axes of a body, with the directions of X, Y and Z on it.
public enum BodyFrame: String, Sendable, Hashable, Codable, CaseIterable {
  /// Right, front, up: the axes of a phone lying face up, its top edge to the front (Core Motion, Android).
  case rightFrontUp
  /// Front, left, up: ROS and many sensor boards.
  case frontLeftUp
  /// Front, right, down: aerospace; used with the earth frame NED.
  case frontRightDown

  /// The letters of the axes in options: rfu, flu, frd.
  package var letters: String {
    switch self {
    case .rightFrontUp: "rfu"
    case .frontLeftUp: "flu"
    case .frontRightDown: "frd"
    }
  }

  /// The rotation that converts right-front-up coordinates to this frame's coordinates.
  var fromRightFrontUp: Quaternion {
    switch self {
    case .rightFrontUp: .identity
    // (x, y, z) becomes (y, −x, z): −90° about Z.
    case .frontLeftUp: Quaternion(x: 0, y: 0, z: -(0.5.squareRoot()), w: 0.5.squareRoot())
    // (x, y, z) becomes (y, x, −z): a rotation by 180° about (1, 1, 0).
    case .frontRightDown: Quaternion(x: 0.5.squareRoot(), y: 0.5.squareRoot(), z: 0, w: 0)
    }
  }

  /// Returns the rotation that converts `source` coordinates of a vector to `target` coordinates.
  public static func rotation(from source: BodyFrame, to target: BodyFrame) -> Quaternion {
    source == target ? .identity : target.fromRightFrontUp * source.fromRightFrontUp.conjugate
  }

  /// Converts an orientation from `source`-body-to-earth to `target`-body-to-earth. The earth frame is unchanged.
  public static func quaternion(
    _ earthFromSource: Quaternion, from source: BodyFrame, to target: BodyFrame
  ) -> Quaternion {
    earthFromSource * rotation(from: target, to: source)
  }
}
