public import Foundation

/// A sample of the accelerometer, gravity included.
open class CMAccelerometerData: CMLogItem, @unchecked Sendable {
  private let measured: CMAcceleration

  /// Acceleration with gravity, g, device axes.
  open var acceleration: CMAcceleration { measured }

  public override init() {
    measured = CMAcceleration()
    super.init()
  }

  /// Added to Apple's interface.
  public init(acceleration: CMAcceleration, timestamp: TimeInterval) {
    measured = acceleration
    super.init(timestamp: timestamp)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "acceleration")
    measured = CMAcceleration(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: acceleration.x, acceleration.y, acceleration.z, forKey: "acceleration")
  }

  /// As Apple prints it, in g.
  open override var description: String {
    String(format: "x %f y %f z %f @ %f", acceleration.x, acceleration.y, acceleration.z, timestamp)
  }
}

/// A sample that was recorded while no app looked.
open class CMRecordedAccelerometerData: CMAccelerometerData, @unchecked Sendable {
  private let number: UInt64
  private let start: Date

  /// Which sample of the recording it is; rises with time.
  open var identifier: UInt64 { number }
  /// When it was taken.
  open var startDate: Date { start }

  /// Sample 0, of the reference date.
  public override init() {
    number = 0
    start = Date(timeIntervalSinceReferenceDate: 0)
    super.init()
  }

  /// Added to Apple's interface.
  public init(acceleration: CMAcceleration, timestamp: TimeInterval, identifier: UInt64, startDate: Date) {
    number = identifier
    start = startDate
    super.init(acceleration: acceleration, timestamp: timestamp)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    number = UInt64(bitPattern: coder.decodeInt64(forKey: "identifier"))
    start = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Int64(bitPattern: identifier), forKey: "identifier")
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
  }

  /// As Apple prints it: identifier, timestamp, seconds of `startDate` since the reference date, and g.
  open override var description: String {
    String(
      format: "%llu, %f, %f, (%f, %f, %f)", identifier, timestamp, startDate.timeIntervalSinceReferenceDate,
      acceleration.x, acceleration.y, acceleration.z)
  }
}

/// A sample of the gyroscope, its bias included.
open class CMGyroData: CMLogItem, @unchecked Sendable {
  private let measured: CMRotationRate

  /// Rotation rate with bias, rad/s, device axes.
  open var rotationRate: CMRotationRate { measured }

  public override init() {
    measured = CMRotationRate()
    super.init()
  }

  /// Added to Apple's interface.
  public init(rotationRate: CMRotationRate, timestamp: TimeInterval) {
    measured = rotationRate
    super.init(timestamp: timestamp)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "rotationRate")
    measured = CMRotationRate(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
  }

  /// As Apple prints it: in degrees a second, unlike `rotationRate`.
  open override var description: String { rotationRate.description(at: timestamp) }
}

/// An angular rate without the gyroscope's bias.
open class CMRotationRateData: CMLogItem, @unchecked Sendable {
  private let measured: CMRotationRate

  /// Rotation rate, rad/s, device axes.
  open var rotationRate: CMRotationRate { measured }

  public override init() {
    measured = CMRotationRate()
    super.init()
  }

  /// Added to Apple's interface.
  public init(rotationRate: CMRotationRate, timestamp: TimeInterval) {
    measured = rotationRate
    super.init(timestamp: timestamp)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "rotationRate")
    measured = CMRotationRate(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
  }

  /// As Apple prints it: in degrees a second, unlike `rotationRate`.
  open override var description: String { rotationRate.description(at: timestamp) }
}

/// An angular rate that was recorded while no app looked.
open class CMRecordedRotationRateData: CMRotationRateData, @unchecked Sendable {
  private let start: Date

  /// When it was taken.
  open var startDate: Date { start }

  /// Of the reference date.
  public override init() {
    start = Date(timeIntervalSinceReferenceDate: 0)
    super.init()
  }

  /// Added to Apple's interface.
  public init(rotationRate: CMRotationRate, timestamp: TimeInterval, startDate: Date) {
    start = startDate
    super.init(rotationRate: rotationRate, timestamp: timestamp)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    start = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
  }

  /// As Apple prints it: timestamp, seconds of `startDate` since the reference date, and rad/s.
  open override var description: String {
    String(
      format: "%f %f, (%f, %f, %f)", timestamp, startDate.timeIntervalSinceReferenceDate, rotationRate.x,
      rotationRate.y, rotationRate.z)
  }
}

/// A sample of the magnetometer, the device's own field included.
open class CMMagnetometerData: CMLogItem, @unchecked Sendable {
  private let measured: CMMagneticField

  /// Raw field, µT, device axes.
  open var magneticField: CMMagneticField { measured }

  public override init() {
    measured = CMMagneticField()
    super.init()
  }

  /// Added to Apple's interface.
  public init(magneticField: CMMagneticField, timestamp: TimeInterval) {
    measured = magneticField
    super.init(timestamp: timestamp)
  }

  /// Reads an archived item; nil where it is none.
  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "magneticField")
    measured = CMMagneticField(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: magneticField.x, magneticField.y, magneticField.z, forKey: "magneticField")
  }

  /// As Apple prints it, in µT.
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
