/// The reference frames of an attitude, with the raw values of Core Motion's `CMAttitudeReferenceFrame`. All have Z up
/// and are right-handed.
public struct AttitudeReferenceFrame: OptionSet, Sendable, Hashable, Codable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// X arbitrary, fixed at the start; uses only accelerometer and gyroscope, so yaw drifts. Core Motion's default.
  /// Heading −1.
  public static let xArbitraryZVertical = AttitudeReferenceFrame(rawValue: 1)
  /// Same as `xArbitraryZVertical`, but the magnetometer prevents the drift of yaw. Heading −1.
  public static let xArbitraryCorrectedZVertical = AttitudeReferenceFrame(rawValue: 2)
  /// X to magnetic north: north-west-up.
  public static let xMagneticNorthZVertical = AttitudeReferenceFrame(rawValue: 4)
  /// X to geographic north: north-west-up; needs the magnetic declination at the location.
  public static let xTrueNorthZVertical = AttitudeReferenceFrame(rawValue: 8)

  /// The four frames, in the order of their raw values.
  public static let frames: [AttitudeReferenceFrame] = [
    .xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical, .xTrueNorthZVertical,
  ]

  /// The four names, in the order of the raw values.
  private static let names = [
    "xArbitraryZVertical", "xArbitraryCorrectedZVertical", "xMagneticNorthZVertical", "xTrueNorthZVertical",
  ]

  /// Creates the frame with one of Apple's four names, case-insensitively, or `nil` for any other name.
  public init?(name: String) {
    guard let index = Self.names.firstIndex(where: { $0.lowercased() == name.lowercased() }) else {
      return nil
    }
    self = Self.frames[index]
  }

  /// The name of the frame, or the names of several frames separated by commas; empty for none.
  public var name: String {
    zip(Self.frames, Self.names).filter { contains($0.0) }.map(\.1).joined(separator: ",")
  }

  /// Whether the frame needs a magnetometer: all except `xArbitraryZVertical`.
  public var usesMagnetometer: Bool {
    !isDisjoint(with: [.xArbitraryCorrectedZVertical, .xMagneticNorthZVertical, .xTrueNorthZVertical])
  }

  /// Whether X points north, so that a heading is defined.
  public var isNorthReferenced: Bool {
    !isDisjoint(with: [.xMagneticNorthZVertical, .xTrueNorthZVertical])
  }
}

extension AttitudeReferenceFrame {
  /// Decodes the frame from its name; a raw value, as written by earlier versions, is accepted, too.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self) else {
      self.init(rawValue: try container.decode(UInt.self))
      return
    }
    self = []
    for name in text.split(separator: ",") {
      guard let frame = AttitudeReferenceFrame(name: String(name)) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no frame '\(name)'")
      }
      formUnion(frame)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension AttitudeReferenceFrame: CustomStringConvertible {
  public var description: String { name }
}
