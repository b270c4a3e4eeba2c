public import InertialNumerics
package import InertialRotations

/// The mounting of a sensor as a mapping to the device's axes: `-y,x,z` makes the device's x the negated y of the
/// sensor.
///
/// The device's own results (attitude, gravity, heading) are unchanged.
public struct SensorAxes: Sendable, Hashable {
  /// The sensors whose axes can be mapped.
  public enum Sensor: String, Sendable, CaseIterable {
    /// The sensor with the case's name.
    case gyroscope, accelerometer
    /// The magnetometer: the raw field and the field calibrated by the device.
    case magnetometer

    func has(_ channel: SensorChannel) -> Bool {
      switch self {
      case .gyroscope: channel == .gyroscope
      case .accelerometer: channel == .accelerometer
      case .magnetometer: channel == .magnetometer || channel == .calibratedMagneticField
      }
    }
  }

  /// The sensor, or `nil` for all sensors.
  public let sensor: Sensor?
  /// The mapping to the device's axes.
  public let mapping: SignedAxes

  /// The frame of a whole body, or `nil` for a mounting of sensors.
  package private(set) var body: BodyFrame?

  /// Creates a mounting of one sensor, or of all sensors if it is `nil`.
  public init(sensor: Sensor? = nil, mapping: SignedAxes) {
    self.sensor = sensor
    self.mapping = mapping
  }

  /// Parses `x,-z,y` or `gyroscope=x,-z,y`. The result is `nil` if the text is neither.
  public init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let sensor = Sensor(rawValue: String(parts[0])) else { return nil }
      self.sensor = sensor
    } else {
      sensor = nil
    }
    guard let mapping = SignedAxes(String(parts[parts.count - 1])) else { return nil }
    self.mapping = mapping
  }

  /// Returns the mapping from a whole body's axes to Core Motion's: right, front, up. It applies to results computed by
  /// the device, too.
  package static func body(_ frame: BodyFrame) -> SensorAxes {
    let mapping =
      switch frame {
      case .rightFrontUp: SignedAxes.identity
      case .frontLeftUp: SignedAxes(components: [1, 0, 2], signs: [-1, 1, 1])
      case .frontRightDown: SignedAxes(components: [1, 0, 2], signs: [1, 1, -1])
      }
    var axes = SensorAxes(mapping: mapping)
    axes.body = frame
    return axes
  }

  /// The text that `init(_:)` parses.
  public var text: String { (sensor.map { $0.rawValue + "=" } ?? "") + mapping.text }

  /// Maps the samples of the sensor.
  public func apply(to samples: inout [SensorSample]) {
    for index in samples.indices {
      let channel = samples[index].channel
      if let body, [.deviceAttitude, .referenceAttitude].contains(channel) {
        let turned = BodyFrame.quaternion(samples[index].quaternion, from: body, to: .rightFrontUp)
        (samples[index].x, samples[index].y, samples[index].z, samples[index].w) = (
          turned.x, turned.y, turned.z, turned.w
        )
        continue
      }
      let isDevices = [.deviceGravity, .deviceUserAcceleration, .deviceRotationRate].contains(channel)
      guard body != nil && isDevices || sensor?.has(channel) ?? Sensor.allCases.contains(where: { $0.has(channel) })
      else { continue }
      let turned = mapping(samples[index].vector)
      (samples[index].x, samples[index].y, samples[index].z) = (turned.x, turned.y, turned.z)
    }
  }
}

/// One of the 48 signed permutations of three axes: 24 rotations and their mirror images.
public struct SignedAxes: Sendable, Hashable {
  /// The index (0 to 2) of the source component of x, y and z of the result.
  public let components: [Int]
  /// The sign of each component of the result, 1 or −1.
  public let signs: [Double]

  init(components: [Int], signs: [Double]) {
    self.components = components
    self.signs = signs
  }

  /// Parses `x,-z,y`. The result is `nil` if the text does not name each axis once.
  public init?(_ text: String) {
    let names = ["x": 0, "y": 1, "z": 2]
    var components: [Int] = []
    var signs: [Double] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      var name = word.filter { $0 != " " }.lowercased()
      signs.append(name.hasPrefix("-") ? -1 : 1)
      if name.hasPrefix("-") || name.hasPrefix("+") { name.removeFirst() }
      guard let component = names[name] else { return nil }
      components.append(component)
    }
    guard components.sorted() == [0, 1, 2] else { return nil }
    self.init(components: components, signs: signs)
  }

  /// The mapping x, y, z, which changes nothing.
  public static let identity = SignedAxes(components: [0, 1, 2], signs: [1, 1, 1])

  /// All 48 mappings, identity first.
  public static let all: [SignedAxes] = {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    return orders.flatMap { order in
      (0..<8).map { bits in
        SignedAxes(components: order, signs: (0..<3).map { bits >> $0 & 1 == 0 ? 1 : -1 })
      }
    }
  }()

  /// Returns a vector in the new axes.
  public func callAsFunction(_ v: Vector3) -> Vector3 {
    let values = [v.x, v.y, v.z]
    return Vector3(
      signs[0] * values[components[0]], signs[1] * values[components[1]], signs[2] * values[components[2]])
  }

  /// The determinant: 1 for a rotation, −1 for a mirror image.
  public var determinant: Double {
    let (a, b, c) = (components[0], components[1], components[2])
    let parity: Double = (a, b, c) == (0, 1, 2) || (a, b, c) == (1, 2, 0) || (a, b, c) == (2, 0, 1) ? 1 : -1
    return parity * signs[0] * signs[1] * signs[2]
  }

  /// The mapping from the new axes back to the old axes.
  public var inverse: SignedAxes {
    var (components, signs) = ([0, 0, 0], [1.0, 1, 1])
    for row in 0..<3 {
      components[self.components[row]] = row
      signs[self.components[row]] = self.signs[row]
    }
    return SignedAxes(components: components, signs: signs)
  }

  /// The mapping with all three axes reversed.
  public var negated: SignedAxes { SignedAxes(components: components, signs: signs.map { -$0 }) }

  /// The text that `init(_:)` parses, such as `x,-z,y`.
  public var text: String {
    zip(components, signs).map { ($1 < 0 ? "-" : "") + ["x", "y", "z"][$0] }.joined(separator: ",")
  }
}

extension SensorAxes: Encodable {
  /// Encodes the mapping as text, such as `gyroscope=y,x,-z`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
