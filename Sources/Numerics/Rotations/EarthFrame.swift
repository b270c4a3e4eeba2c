/// A local-level frame of the earth: which way X, Y and Z point.
public enum EarthFrame: String, Sendable, Hashable, Codable, CaseIterable {
  /// North, west, up: Core Motion's north frames, and everything in this package unless named otherwise.
  case nwu
  /// East, north, up: Android, ROS, BROAD.
  case enu
  /// North, east, down: aerospace.
  case ned

  /// The rotation that turns NWU coordinates into this frame's coordinates.
  var fromNWU: Quaternion {
    switch self {
    case .nwu: .identity
    // east = −west: (x, y, z) becomes (−y, x, z), a turn of the coordinates by +90° about Z.
    case .enu: Quaternion(x: 0, y: 0, z: 0.5.squareRoot(), w: 0.5.squareRoot())
    // (x, y, z) becomes (x, −y, −z), a half turn about X.
    case .ned: Quaternion(x: 1, y: 0, z: 0, w: 0)
    }
  }

  /// The rotation that turns `source` coordinates of a vector into `target` coordinates.
  public static func rotation(from source: EarthFrame, to target: EarthFrame) -> Quaternion {
    source == target ? .identity : target.fromNWU * source.fromNWU.conjugate
  }

  /// An orientation given as body-to-`source`, as body-to-`target`. The body's axes stay what they are; for
  /// the aerospace body see `BodyFrame`.
  public static func quaternion(
    _ sourceFromBody: Quaternion, from source: EarthFrame, to target: EarthFrame
  ) -> Quaternion {
    rotation(from: source, to: target) * sourceFromBody
  }

  /// A vector's coordinates in `target` from those in `source`; exact, only signs and places change.
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

/// The axes of a body: which way X, Y and Z point on it.
public enum BodyFrame: String, Sendable, Hashable, Codable, CaseIterable {
  /// Right, front, up: the axes of a phone lying face up, its top edge to the front (Core Motion, Android).
  case rightFrontUp
  /// Front, left, up: ROS and many sensor boards.
  case frontLeftUp
  /// Front, right, down: aerospace; goes with the earth frame NED.
  case frontRightDown

  /// The letters of the axes, as options take them: rfu, flu, frd.
  package var letters: String {
    switch self {
    case .rightFrontUp: "rfu"
    case .frontLeftUp: "flu"
    case .frontRightDown: "frd"
    }
  }

  /// The rotation that turns right-front-up coordinates into this frame's coordinates.
  var fromRightFrontUp: Quaternion {
    switch self {
    case .rightFrontUp: .identity
    // (x, y, z) becomes (y, −x, z): −90° about Z.
    case .frontLeftUp: Quaternion(x: 0, y: 0, z: -(0.5.squareRoot()), w: 0.5.squareRoot())
    // (x, y, z) becomes (y, x, −z): a half turn about (1, 1, 0).
    case .frontRightDown: Quaternion(x: 0.5.squareRoot(), y: 0.5.squareRoot(), z: 0, w: 0)
    }
  }

  /// The rotation that turns `source` coordinates of a vector into `target` coordinates.
  public static func rotation(from source: BodyFrame, to target: BodyFrame) -> Quaternion {
    source == target ? .identity : target.fromRightFrontUp * source.fromRightFrontUp.conjugate
  }

  /// An orientation given as `source`-body-to-earth, as `target`-body-to-earth. The earth frame stays.
  public static func quaternion(
    _ earthFromSource: Quaternion, from source: BodyFrame, to target: BodyFrame
  ) -> Quaternion {
    earthFromSource * rotation(from: target, to: source)
  }
}
