public import Foundation
internal import InertialRecognition

/// The steps, distance and floors between two dates.
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

  /// The start of the count.
  open var startDate: Date { counted.startDate }
  /// The end of the count.
  open var endDate: Date { counted.endDate }
  /// The number of steps.
  open var numberOfSteps: NSNumber { counted.numberOfSteps }
  /// The distance in metres.
  open var distance: NSNumber? { counted.distance }
  /// The number of floors climbed on foot, or `nil` without a barometer.
  open var floorsAscended: NSNumber? { counted.floorsAscended }
  /// The number of floors descended, or `nil` without a barometer.
  open var floorsDescended: NSNumber? { counted.floorsDescended }
  /// The current pace in seconds per metre, or `nil` if the person is not walking at the end, and in queries.
  open var currentPace: NSNumber? { counted.currentPace }
  /// The current cadence in steps per second, or `nil` if the person is not walking at the end, and in queries.
  open var currentCadence: NSNumber? { counted.currentCadence }
  /// The mean pace over the walking time, in seconds per metre.
  open var averageActivePace: NSNumber? { counted.averageActivePace }

  /// Creates empty data at the reference date.
  public override init() { counted = Counted() }

  init(_ data: PedometerData, startDate: Date, endDate: Date) {
    func number(_ value: Double?) -> NSNumber? { value.map { NSNumber(value: $0) } }
    counted = Counted(
      startDate: startDate, endDate: endDate, numberOfSteps: NSNumber(value: data.numberOfSteps),
      distance: number(data.distance), floorsAscended: data.floorsAscended.map { NSNumber(value: $0) },
      floorsDescended: data.floorsDescended.map { NSNumber(value: $0) }, currentPace: number(data.currentPace),
      currentCadence: number(data.currentCadence), averageActivePace: number(data.averageActivePace))
  }

  /// Whether the class supports secure coding. Always true.
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
  private let moment: Date
  private let kind: CMPedometerEventType

  /// The time of the event.
  open var date: Date { moment }
  /// The kind of the event.
  open var type: CMPedometerEventType { kind }

  /// Creates a pause at the reference date.
  public override init() {
    moment = Date(timeIntervalSinceReferenceDate: 0)
    kind = .pause
  }

  init(_ event: PedometerEvent, date: Date) {
    moment = date
    kind = event.type == .pause ? .pause : .resume
  }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    moment = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    kind = CMPedometerEventType(rawValue: coder.decodeInteger(forKey: "type")) ?? .pause
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
