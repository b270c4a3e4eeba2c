public import Foundation
internal import InertialSensors

/// A sample of the accelerometer, including gravity.
open class CMAccelerometerData: CMLogItem, @unchecked Sendable {
  /// The acceleration including gravity, in g, in device axes.
  open private(set) var acceleration = CMAcceleration()

  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(acceleration: CMAcceleration, timestamp: TimeInterval) {
    self.acceleration = acceleration
    super.init(timestamp: timestamp)
  }

  convenience init(_ sample: SensorSample) {
    self.init(acceleration: CMAcceleration(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "acceleration")
    acceleration = CMAcceleration(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: acceleration.x, acceleration.y, acceleration.z, forKey: "acceleration")
  }

  /// A description in Apple's format, in g.
  open override var description: String {
    String(format: "x %f y %f z %f @ %f", acceleration.x, acceleration.y, acceleration.z, timestamp)
  }
}

/// A sample that was recorded in the background.
open class CMRecordedAccelerometerData: CMAccelerometerData, @unchecked Sendable {
  /// The number of the sample in the recording, which increases with time.
  open private(set) var identifier: UInt64 = 0
  /// The time of the sample.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)

  /// Creates sample 0, at the reference date.
  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(acceleration: CMAcceleration, timestamp: TimeInterval, identifier: UInt64, startDate: Date) {
    (self.identifier, self.startDate) = (identifier, startDate)
    super.init(acceleration: acceleration, timestamp: timestamp)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    identifier = UInt64(bitPattern: coder.decodeInt64(forKey: "identifier"))
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Int64(bitPattern: identifier), forKey: "identifier")
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
  }

  /// A description in Apple's format: identifier, timestamp, seconds of `startDate` since the reference date, and g.
  open override var description: String {
    String(
      format: "%llu, %f, %f, (%f, %f, %f)", identifier, timestamp, startDate.timeIntervalSinceReferenceDate,
      acceleration.x, acceleration.y, acceleration.z)
  }
}

/// A sample of the gyroscope, including its bias.
open class CMGyroData: CMLogItem, @unchecked Sendable {
  /// The rotation rate including the bias, in rad/s, in device axes.
  open private(set) var rotationRate = CMRotationRate()

  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(rotationRate: CMRotationRate, timestamp: TimeInterval) {
    self.rotationRate = rotationRate
    super.init(timestamp: timestamp)
  }

  convenience init(_ sample: SensorSample) {
    self.init(rotationRate: CMRotationRate(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "rotationRate")
    rotationRate = CMRotationRate(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
  }

  /// A description in Apple's format: in degrees per second, unlike `rotationRate`.
  open override var description: String { rotationRate.description(at: timestamp) }
}

/// A rotation rate without the gyroscope's bias.
open class CMRotationRateData: CMLogItem, @unchecked Sendable {
  /// The rotation rate, in rad/s, in device axes.
  open private(set) var rotationRate = CMRotationRate()

  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(rotationRate: CMRotationRate, timestamp: TimeInterval) {
    self.rotationRate = rotationRate
    super.init(timestamp: timestamp)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "rotationRate")
    rotationRate = CMRotationRate(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
  }

  /// A description in Apple's format: in degrees per second, unlike `rotationRate`.
  open override var description: String { rotationRate.description(at: timestamp) }
}

/// A rotation rate that was recorded in the background.
open class CMRecordedRotationRateData: CMRotationRateData, @unchecked Sendable {
  /// The time of the sample.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)

  /// Creates a sample at the reference date.
  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(rotationRate: CMRotationRate, timestamp: TimeInterval, startDate: Date) {
    self.startDate = startDate
    super.init(rotationRate: rotationRate, timestamp: timestamp)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
  }

  /// A description in Apple's format: timestamp, seconds of `startDate` since the reference date, and rad/s.
  open override var description: String {
    String(
      format: "%f %f, (%f, %f, %f)", timestamp, startDate.timeIntervalSinceReferenceDate, rotationRate.x,
      rotationRate.y, rotationRate.z)
  }
}

/// A sample of the magnetometer, including the hard-iron field.
open class CMMagnetometerData: CMLogItem, @unchecked Sendable {
  /// The raw magnetic field, in µT, in device axes.
  open private(set) var magneticField = CMMagneticField()

  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(magneticField: CMMagneticField, timestamp: TimeInterval) {
    self.magneticField = magneticField
    super.init(timestamp: timestamp)
  }

  convenience init(_ sample: SensorSample) {
    self.init(magneticField: CMMagneticField(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "magneticField")
    magneticField = CMMagneticField(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: magneticField.x, magneticField.y, magneticField.z, forKey: "magneticField")
  }

  /// A description in Apple's format, in µT.
  open override var description: String {
    String(format: "x %f y %f z %f @ %f", magneticField.x, magneticField.y, magneticField.z, timestamp)
  }
}

extension CMRotationRate {
  fileprivate func description(at timestamp: TimeInterval) -> String {
    let degrees = 180 / Double.pi
    return String(format: "x %f y %f z %f @ %f", x * degrees, y * degrees, z * degrees, timestamp)
  }
}
