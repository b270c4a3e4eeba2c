public import Foundation
internal import InertialRecognition

/// The steps, distance and floors between two dates.
open class CMPedometerData: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The start of the count.
  open private(set) var startDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The end of the count.
  open private(set) var endDate = Date(timeIntervalSinceReferenceDate: 0)
  /// The number of steps.
  open private(set) var numberOfSteps: NSNumber = 0
  /// The distance in metres.
  open private(set) var distance: NSNumber?
  /// The number of floors climbed on foot, or `nil` without a barometer.
  open private(set) var floorsAscended: NSNumber?
  /// The number of floors descended, or `nil` without a barometer.
  open private(set) var floorsDescended: NSNumber?
  /// The current pace in seconds per metre, or `nil` if the person is not walking at the end, and in queries.
  open private(set) var currentPace: NSNumber?
  /// The current cadence in steps per second, or `nil` if the person is not walking at the end, and in queries.
  open private(set) var currentCadence: NSNumber?
  /// The mean pace over the walking time, in seconds per metre.
  open private(set) var averageActivePace: NSNumber?

  /// Creates empty data at the reference date.
  public override init() {}

  init(_ data: PedometerData, startDate: Date, endDate: Date) {
    func number(_ value: Double?) -> NSNumber? { value.map { NSNumber(value: $0) } }
    (self.startDate, self.endDate) = (startDate, endDate)
    numberOfSteps = NSNumber(value: data.numberOfSteps)
    distance = number(data.distance)
    floorsAscended = data.floorsAscended.map { NSNumber(value: $0) }
    floorsDescended = data.floorsDescended.map { NSNumber(value: $0) }
    (currentPace, currentCadence) = (number(data.currentPace), number(data.currentCadence))
    averageActivePace = number(data.averageActivePace)
  }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func number(_ key: String) -> NSNumber? { coder.decodeNumber(forKey: key) }
    startDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate"))
    endDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate"))
    (numberOfSteps, distance) = (number("numberOfSteps") ?? 0, number("distance"))
    (floorsAscended, floorsDescended) = (number("floorsAscended"), number("floorsDescended"))
    (currentPace, currentCadence) = (number("currentPace"), number("currentCadence"))
    averageActivePace = number("averageActivePace")
  }

  open func encode(with coder: NSCoder) {
    coder.encode(startDate.timeIntervalSinceReferenceDate, forKey: "startDate")
    coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "endDate")
    coder.encode(numberOfSteps, forKey: "numberOfSteps")
    for case (let name, let value?) in reported { coder.encode(value, forKey: name) }
  }

  /// The names and values of the numbers that can be missing, which a subclass may override.
  private var reported: [(String, NSNumber?)] {
    [
      ("distance", distance), ("floorsAscended", floorsAscended), ("floorsDescended", floorsDescended),
      ("currentPace", currentPace), ("currentCadence", currentCadence), ("averageActivePace", averageActivePace),
    ]
  }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A description in the format of Apple's newer systems; iOS 9 had commas between the parts.
  open override var description: String {
    let reported: [(String, NSNumber?)] = [("steps", numberOfSteps)] + self.reported
    let parts = reported.map { "\($0) \($1.map { "\($0)" } ?? "(null)")" }.joined(separator: " ")
    return "CMPedometerData,<startDate \(startDate) endDate \(endDate) \(parts)>"
  }
}

/// The kind of a pedometer event.
public enum CMPedometerEventType: Int, Sendable {
  /// The person has stopped walking.
  case pause = 0
  /// The person walks again.
  case resume = 1
}

/// A pause or resumption of walking.
open class CMPedometerEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The time of the event.
  open private(set) var date = Date(timeIntervalSinceReferenceDate: 0)
  /// The kind of the event.
  open private(set) var type = CMPedometerEventType.pause

  /// Creates a pause at the reference date.
  public override init() {}

  init(_ event: PedometerEvent, date: Date) {
    self.date = date
    type = event.type == .pause ? .pause : .resume
  }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    date = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    type = CMPedometerEventType(rawValue: coder.decodeInteger(forKey: "type")) ?? .pause
  }

  open func encode(with coder: NSCoder) {
    coder.encode(date.timeIntervalSinceReferenceDate, forKey: "date")
    coder.encode(type.rawValue, forKey: "type")
  }

  /// Returns the object itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A description in Apple's format.
  open override var description: String {
    "CMPedometerEvent,<eventDate, \(date), eventType, \(type == .pause ? "Pause" : "Resume")>"
  }
}
