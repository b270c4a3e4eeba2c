public import Foundation
internal import InertialRecognition

/// What was walked between two dates.
open class CMPedometerData: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private struct Counted {
    var startDate = Date(timeIntervalSinceReferenceDate: 0)
    var endDate = Date(timeIntervalSinceReferenceDate: 0)
    var numberOfSteps: NSNumber = 0
    var distance: NSNumber?
    var floorsAscended: NSNumber?
    var floorsDescended: NSNumber?
    var currentPace: NSNumber?
    var currentCadence: NSNumber?
    var averageActivePace: NSNumber?
  }

  private let counted: Counted

  /// When the count begins.
  open var startDate: Date { counted.startDate }
  /// When the count ends.
  open var endDate: Date { counted.endDate }
  /// Steps from start to end.
  open var numberOfSteps: NSNumber { counted.numberOfSteps }
  /// Metres.
  open var distance: NSNumber? { counted.distance }
  /// Floors climbed on foot; nil without a barometer.
  open var floorsAscended: NSNumber? { counted.floorsAscended }
  /// Floors down; nil without a barometer.
  open var floorsDescended: NSNumber? { counted.floorsDescended }
  /// Seconds a metre; nil where nobody steps at the end, and in queries.
  open var currentPace: NSNumber? { counted.currentPace }
  /// Steps a second; nil where nobody steps at the end, and in queries.
  open var currentCadence: NSNumber? { counted.currentCadence }
  /// Seconds a metre over the time of stepping.
  open var averageActivePace: NSNumber? { counted.averageActivePace }

  /// No steps, from the reference date to itself, and nothing else known.
  public override init() { counted = Counted() }

  init(_ data: PedometerData, startDate: Date, endDate: Date) {
    func number(_ value: Double?) -> NSNumber? { value.map { NSNumber(value: $0) } }
    counted = Counted(
      startDate: startDate, endDate: endDate, numberOfSteps: NSNumber(value: data.numberOfSteps),
      distance: number(data.distance), floorsAscended: data.floorsAscended.map { NSNumber(value: $0) },
      floorsDescended: data.floorsDescended.map { NSNumber(value: $0) }, currentPace: number(data.currentPace),
      currentCadence: number(data.currentCadence), averageActivePace: number(data.averageActivePace))
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func number(_ key: String) -> NSNumber? { coder.decodeObject(of: NSNumber.self, forKey: key) }
    counted = Counted(
      startDate: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "startDate")),
      endDate: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate")),
      numberOfSteps: number("numberOfSteps") ?? 0, distance: number("distance"),
      floorsAscended: number("floorsAscended"), floorsDescended: number("floorsDescended"),
      currentPace: number("currentPace"), currentCadence: number("currentCadence"),
      averageActivePace: number("averageActivePace"))
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

  /// As Apple's newer systems print it; those of iOS 9 had commas between the parts.
  open override var description: String {
    let told: [(String, NSNumber?)] = [
      ("steps", numberOfSteps), ("distance", distance), ("floorsAscended", floorsAscended),
      ("floorsDescended", floorsDescended), ("currentPace", currentPace), ("currentCadence", currentCadence),
      ("averageActivePace", averageActivePace),
    ]
    let parts = told.map { "\($0) \($1.map { "\($0)" } ?? "(null)")" }.joined(separator: " ")
    return "CMPedometerData,<startDate \(startDate) endDate \(endDate) \(parts)>"
  }
}

/// What has happened to the walking.
public enum CMPedometerEventType: Int, Sendable {
  /// The person has stopped walking.
  case pause = 0
  /// The person walks again.
  case resume = 1
}

/// Walking that has stopped or begun.
open class CMPedometerEvent: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let moment: Date
  private let kind: CMPedometerEventType

  /// When it was.
  open var date: Date { moment }
  /// Pause or resumption.
  open var type: CMPedometerEventType { kind }

  /// A pause at the reference date.
  public override init() {
    moment = Date(timeIntervalSinceReferenceDate: 0)
    kind = .pause
  }

  init(_ event: PedometerEvent, date: Date) {
    moment = date
    kind = event.type == .pause ? .pause : .resume
  }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    moment = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    kind = CMPedometerEventType(rawValue: coder.decodeInteger(forKey: "type")) ?? .pause
  }

  open func encode(with coder: NSCoder) {
    coder.encode(date.timeIntervalSinceReferenceDate, forKey: "date")
    coder.encode(type.rawValue, forKey: "type")
  }

  /// It does not change, so a copy is the value itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// As Apple prints it.
  open override var description: String {
    "CMPedometerEvent,<eventDate, \(date), eventType, \(type == .pause ? "Pause" : "Resume")>"
  }
}
