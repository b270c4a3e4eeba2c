public import InertialNumerics
package import InertialRotations

/// The device's axes as axes of a sensor that is mounted otherwise: `-y,x,z` makes the device's x of minus the sensor's y.
///
/// The device's own results (attitude, gravity, heading) are not touched.
public struct SensorAxes: Sendable, Hashable {
  /// The sensors that can be turned.
  public enum Sensor: String, Sendable, CaseIterable {
    /// A sensor, by its name.
    case gyroscope, accelerometer
    /// The raw field and the one that the device calibrated.
    case magnetometer

    func has(_ channel: SensorChannel) -> Bool {
      switch self {
      case .gyroscope: channel == .gyroscope
      case .accelerometer: channel == .accelerometer
      case .magnetometer: channel == .magnetometer || channel == .calibratedMagneticField
      }
    }
  }

  /// nil = all.
  public let sensor: Sensor?
  /// What its axes become.
  public let mapping: SignedAxes

  /// The frame of a whole body; nil for a mounting of sensors.
  package private(set) var body: BodyFrame?

  /// A mounting of one sensor; nil for that of all.
  public init(sensor: Sensor? = nil, mapping: SignedAxes) {
    self.sensor = sensor
    self.mapping = mapping
  }

  /// From `x,-z,y` or `gyroscope=x,-z,y`; nil where it is neither.
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

  /// The axes of a whole body, which become Core Motion's: right, front, up. What the device computed itself turns as well.
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

  /// As it is read.
  public var text: String { (sensor.map { $0.rawValue + "=" } ?? "") + mapping.text }

  /// Turns the samples of its sensor.
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

/// One of the 48 ways to name and to direct three axes: 24 turns and their mirror images.
public struct SignedAxes: Sendable, Hashable {
  /// For x, y and z of the result, which component (0 to 2) it is made of, and with which sign (1 or −1).
  public let components: [Int]
  /// The sign of each result, 1 or −1.
  public let signs: [Double]

  init(components: [Int], signs: [Double]) {
    self.components = components
    self.signs = signs
  }

  /// From `x,-z,y`; nil where the text does not name each axis once.
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

  /// x, y, z: nothing is changed.
  public static let identity = SignedAxes(components: [0, 1, 2], signs: [1, 1, 1])

  /// All 48, identity first.
  public static let all: [SignedAxes] = {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    return orders.flatMap { order in
      (0..<8).map { bits in
        SignedAxes(components: order, signs: (0..<3).map { bits >> $0 & 1 == 0 ? 1 : -1 })
      }
    }
  }()

  /// The vector in the new axes.
  public func callAsFunction(_ v: Vector3) -> Vector3 {
    let values = [v.x, v.y, v.z]
    return Vector3(
      signs[0] * values[components[0]], signs[1] * values[components[1]], signs[2] * values[components[2]])
  }

  /// 1 for a turn, −1 for a mirror image.
  public var determinant: Double {
    let (a, b, c) = (components[0], components[1], components[2])
    let parity: Double = (a, b, c) == (0, 1, 2) || (a, b, c) == (1, 2, 0) || (a, b, c) == (2, 0, 1) ? 1 : -1
    return parity * signs[0] * signs[1] * signs[2]
  }

  /// What takes the new axes back to the old.
  public var inverse: SignedAxes {
    var (components, signs) = ([0, 0, 0], [1.0, 1, 1])
    for row in 0..<3 {
      components[self.components[row]] = row
      signs[self.components[row]] = self.signs[row]
    }
    return SignedAxes(components: components, signs: signs)
  }

  /// With all three axes turned round.
  public var negated: SignedAxes { SignedAxes(components: components, signs: signs.map { -$0 }) }

  /// Such as `x,-z,y`.
  public var text: String {
    zip(components, signs).map { ($1 < 0 ? "-" : "") + ["x", "y", "z"][$0] }.joined(separator: ",")
  }
}

extension SensorAxes: Encodable {
  /// As text, `gyroscope=y,x,-z`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
