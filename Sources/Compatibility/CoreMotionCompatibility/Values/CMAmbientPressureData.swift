public import Foundation

/// A pressure of the air and the temperature of the sensor.
open class CMAmbientPressureData: CMLogItem, @unchecked Sendable {
  /// The pressure of the air.
  open private(set) var pressure = Measurement(value: 0, unit: UnitPressure.kilopascals)
  /// The temperature of the sensor.
  open private(set) var temperature = Measurement(value: 0, unit: UnitTemperature.celsius)

  /// Creates a zero pressure with time 0.
  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(
    pressure: Measurement<UnitPressure>, temperature: Measurement<UnitTemperature>, timestamp: TimeInterval
  ) {
    (self.pressure, self.temperature) = (pressure, temperature)
    super.init(timestamp: timestamp)
  }

  /// Decodes an archived item, or returns `nil` if the archive is not valid.
  public required init?(coder: NSCoder) {
    pressure = Measurement(value: coder.decodeDouble(forKey: "pressure"), unit: .kilopascals)
    temperature = Measurement(value: coder.decodeDouble(forKey: "temperature"), unit: .celsius)
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(pressure.converted(to: .kilopascals).value, forKey: "pressure")
    coder.encode(temperature.converted(to: .celsius).value, forKey: "temperature")
  }

  /// A description in kPa and °C.
  open override var description: String {
    String(
      format: "Pressure %f Temperature %f @ %f", pressure.converted(to: .kilopascals).value,
      temperature.converted(to: .celsius).value, timestamp)
  }
}

/// A pressure that was recorded in the background.
open class CMRecordedPressureData: CMAmbientPressureData, @unchecked Sendable {
  /// The index of the sample in its recording.
  open private(set) var identifier: UInt64 = 0
  /// The time of the sample.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)

  /// Creates a zero pressure at the reference date.
  public override init() { super.init() }

  /// Creates a sample. Added to Apple's interface.
  public init(
    pressure: Measurement<UnitPressure>, temperature: Measurement<UnitTemperature>, timestamp: TimeInterval,
    identifier: UInt64, startDate: Date
  ) {
    (self.identifier, self.startDate) = (identifier, startDate)
    super.init(pressure: pressure, temperature: temperature, timestamp: timestamp)
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
}
