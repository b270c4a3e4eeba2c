public import Foundation

/// A sample of the accelerometer, gravity included.
open class CMAccelerometerData: CMLogItem, @unchecked Sendable {
  public let acceleration: CMAcceleration

  public init(acceleration: CMAcceleration, timestamp: TimeInterval) {
    self.acceleration = acceleration
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "acceleration")
    acceleration = CMAcceleration(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: acceleration.x, acceleration.y, acceleration.z, forKey: "acceleration")
  }
}

/// A sample that was recorded while no app looked.
open class CMRecordedAccelerometerData: CMAccelerometerData, @unchecked Sendable {
  /// Which sample of the recording it is; rises with time.
  public let identifier: UInt64
  /// When it was taken.
  public let startDate: Date

  public init(acceleration: CMAcceleration, timestamp: TimeInterval, identifier: UInt64, startDate: Date) {
    self.identifier = identifier
    self.startDate = startDate
    super.init(acceleration: acceleration, timestamp: timestamp)
  }

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
}

/// A sample of the gyroscope, its bias included.
open class CMGyroData: CMLogItem, @unchecked Sendable {
  public let rotationRate: CMRotationRate

  public init(rotationRate: CMRotationRate, timestamp: TimeInterval) {
    self.rotationRate = rotationRate
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "rotationRate")
    rotationRate = CMRotationRate(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
  }
}

/// An angular rate without the gyroscope's bias.
open class CMRotationRateData: CMLogItem, @unchecked Sendable {
  public let rotationRate: CMRotationRate

  public init(rotationRate: CMRotationRate, timestamp: TimeInterval) {
    self.rotationRate = rotationRate
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "rotationRate")
    rotationRate = CMRotationRate(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: rotationRate.x, rotationRate.y, rotationRate.z, forKey: "rotationRate")
  }
}

/// An angular rate that was recorded while no app looked.
open class CMRecordedRotationRateData: CMRotationRateData, @unchecked Sendable {
  /// When it was taken.
  public let startDate: Date

  public init(rotationRate: CMRotationRate, timestamp: TimeInterval, startDate: Date) {
    self.startDate = startDate
    super.init(rotationRate: rotationRate, timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
  }
}

/// A sample of the magnetometer, the device's own field included.
open class CMMagnetometerData: CMLogItem, @unchecked Sendable {
  public let magneticField: CMMagneticField

  public init(magneticField: CMMagneticField, timestamp: TimeInterval) {
    self.magneticField = magneticField
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    let v = coder.decodeVector(forKey: "magneticField")
    magneticField = CMMagneticField(x: v.x, y: v.y, z: v.z)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(vector: magneticField.x, magneticField.y, magneticField.z, forKey: "magneticField")
  }
}
