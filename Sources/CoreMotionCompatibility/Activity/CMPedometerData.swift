internal import Activity
public import Foundation

/// What was walked between two dates.
open class CMPedometerData: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let startDate: Date
  public let endDate: Date
  public let numberOfSteps: NSNumber
  /// Metres.
  public let distance: NSNumber?
  /// Floors climbed on foot; nil without a barometer.
  public let floorsAscended: NSNumber?
  public let floorsDescended: NSNumber?
  /// Seconds a metre; nil where nobody steps at the end, and in queries.
  public let currentPace: NSNumber?
  /// Steps a second; nil where nobody steps at the end, and in queries.
  public let currentCadence: NSNumber?
  /// Seconds a metre over the time of stepping.
  public let averageActivePace: NSNumber?

  init(_ data: PedometerData, startDate: Date, endDate: Date) {
    self.startDate = startDate
    self.endDate = endDate
    numberOfSteps = NSNumber(value: data.numberOfSteps)
    distance = NSNumber(value: data.distance)
    floorsAscended = data.floorsAscended.map { NSNumber(value: $0) }
    floorsDescended = data.floorsDescended.map { NSNumber(value: $0) }
    currentPace = data.currentPace.map { NSNumber(value: $0) }
    currentCadence = data.currentCadence.map { NSNumber(value: $0) }
    averageActivePace = data.averageActivePace.map { NSNumber(value: $0) }
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func number(_ key: String) -> NSNumber? { coder.decodeObject(of: NSNumber.self, forKey: key) }
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    endDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate"))
    numberOfSteps = number("numberOfSteps") ?? 0
    distance = number("distance")
    floorsAscended = number("floorsAscended")
    floorsDescended = number("floorsDescended")
    currentPace = number("currentPace")
    currentCadence = number("currentCadence")
    averageActivePace = number("averageActivePace")
  }

  open func encode(with coder: NSCoder) {
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
    coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "endDate")
    for (value, key) in [
      (numberOfSteps, "numberOfSteps"), (distance, "distance"), (floorsAscended, "floorsAscended"),
      (floorsDescended, "floorsDescended"), (currentPace, "currentPace"), (currentCadence, "currentCadence"),
      (averageActivePace, "averageActivePace"),
    ] {
      if let value { coder.encode(value, forKey: key) }
    }
  }

  /// It does not change, so a copy is the value itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// What has happened to the walking.
public enum CMPedometerEventType: Int, Sendable {
  case pause = 0
  case resume = 1
}

/// Walking that has stopped or begun.
open class CMPedometerEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  public let date: Date
  public let type: CMPedometerEventType

  init(_ event: PedometerEvent, date: Date) {
    self.date = date
    type = event.type == .pause ? .pause : .resume
  }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    date = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    type = CMPedometerEventType(rawValue: coder.decodeInteger(forKey: "type")) ?? .pause
  }

  open func encode(with coder: NSCoder) {
    coder.encode(date.timeIntervalSinceReferenceDate, forKey: "date")
    coder.encode(type.rawValue, forKey: "type")
  }

  /// It does not change, so a copy is the value itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
