public import Foundation

/// The device that an odometer sample comes from. The raw values are Core Motion's.
public enum CMOdometerOriginDevice: Int, Sendable {
  /// The device is unknown.
  case unknown = 0
  /// The device itself.
  case local = 1
  /// A paired device.
  case remote = 2
}

/// A distance and speed of a workout. Apps receive it from SensorKit; here it is a value for their code and tests.
open class CMOdometerData: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The start of the interval.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The end of the interval.
  open private(set) var endDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The distance in the interval, in metres.
  open private(set) var deltaDistance = 0.0
  /// The uncertainty of the distance, in metres.
  open private(set) var deltaDistanceAccuracy = 0.0
  /// The speed, in m/s.
  open private(set) var speed = 0.0
  /// The uncertainty of the speed, in m/s.
  open private(set) var speedAccuracy = 0.0
  /// The time of the position fix.
  open private(set) var gpsDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The change of the altitude in the interval, in metres.
  open private(set) var deltaAltitude = 0.0
  /// The uncertainty of the altitude, in metres.
  open private(set) var verticalAccuracy = 0.0
  /// The device that the sample comes from.
  open private(set) var originDevice = CMOdometerOriginDevice.unknown
  /// The slope in the direction of travel, in degrees, or `nil` if it is unknown.
  open private(set) var slope: NSNumber?
  /// The largest slope in any direction, in degrees, or `nil` if it is unknown.
  open private(set) var maxAbsSlope: NSNumber?

  /// Creates empty data at the reference date.
  public override init() {}

  /// Creates data. Added to Apple's interface.
  public init(
    startDate: Date, endDate: Date, deltaDistance: Double, deltaDistanceAccuracy: Double, speed: Double,
    speedAccuracy: Double, gpsDate: Date, deltaAltitude: Double, verticalAccuracy: Double,
    originDevice: CMOdometerOriginDevice = .local, slope: NSNumber? = nil, maxAbsSlope: NSNumber? = nil
  ) {
    (self.startDate, self.endDate, self.gpsDate) = (startDate, endDate, gpsDate)
    (self.deltaDistance, self.deltaDistanceAccuracy) = (deltaDistance, deltaDistanceAccuracy)
    (self.speed, self.speedAccuracy) = (speed, speedAccuracy)
    (self.deltaAltitude, self.verticalAccuracy) = (deltaAltitude, verticalAccuracy)
    (self.originDevice, self.slope, self.maxAbsSlope) = (originDevice, slope, maxAbsSlope)
  }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func date(_ key: String) -> Date { Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: key)) }
    (startDate, endDate, gpsDate) = (date("startDate"), date("endDate"), date("gpsDate"))
    deltaDistance = coder.decodeDouble(forKey: "deltaDistance")
    deltaDistanceAccuracy = coder.decodeDouble(forKey: "deltaDistanceAccuracy")
    speed = coder.decodeDouble(forKey: "speed")
    speedAccuracy = coder.decodeDouble(forKey: "speedAccuracy")
    deltaAltitude = coder.decodeDouble(forKey: "deltaAltitude")
    verticalAccuracy = coder.decodeDouble(forKey: "verticalAccuracy")
    originDevice = CMOdometerOriginDevice(rawValue: coder.decodeInteger(forKey: "originDevice")) ?? .unknown
    (slope, maxAbsSlope) = (coder.decodeNumber(forKey: "slope"), coder.decodeNumber(forKey: "maxAbsSlope"))
  }

  open func encode(with coder: NSCoder) {
    for (name, date) in [("startDate", startDate), ("endDate", endDate), ("gpsDate", gpsDate)] {
      coder.encode(date.timeIntervalSinceReferenceDate, forKey: name)
    }
    let numbers = [
      ("deltaDistance", deltaDistance), ("deltaDistanceAccuracy", deltaDistanceAccuracy), ("speed", speed),
      ("speedAccuracy", speedAccuracy), ("deltaAltitude", deltaAltitude), ("verticalAccuracy", verticalAccuracy),
    ]
    for (name, number) in numbers { coder.encode(number, forKey: name) }
    coder.encode(originDevice.rawValue, forKey: "originDevice")
    for case (let name, let value?) in [("slope", slope), ("maxAbsSlope", maxAbsSlope)] {
      coder.encode(value, forKey: name)
    }
  }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
