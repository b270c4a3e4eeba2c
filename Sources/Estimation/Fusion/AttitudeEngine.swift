internal import InertialFilters
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// The source of the attitudes: an online filter, or an offline form whose estimates come late, with the motions that
/// await them.
struct AttitudeEngine: Sendable {
  /// A motion without its attitude.
  struct LateMotion: BitwiseCopyable, Sendable {
    var time: Double
    var rate: Vector3
    var acceleration: Vector3?
    var field: Vector3?
    /// The raw value of the field's accuracy.
    var accuracy: Int
  }

  // Two optionals, one of them nil, not an enumeration: an offline form holds the recording, and must be changed in
  // place.
  private var filter: AnyAttitudeFilter?
  private var smoother: (any AttitudeSmoother)?
  /// The motions that await an offline estimate. Beyond some thousands, they are stored in a temporary file.
  private var late = SpilledQueue<LateMotion>()
  private var lateFailure: SpillError?
  /// The first pass of an offline estimate, while it lasts.
  var fieldPass: FieldPass?
  /// An offline estimate that arrived before the other inputs of the motion at its time.
  var early: TimedAttitudeEstimate?

  /// Whether the estimates come late. Stored, as a comparison of the smoother with `nil` copies it.
  let isOffline: Bool
  /// Whether an online filter reports the outcomes of its measurements.
  private var isReporting = false

  init(_ filter: any AttitudeFilter) {
    self.filter = AnyAttitudeFilter(filter)
    isOffline = false
  }

  init(_ smoother: any AttitudeSmoother) {
    self.smoother = smoother
    isOffline = true
  }

  /// Turns on the reporting of measurement outcomes. Call it before the first sample.
  mutating func reportMeasurements() {
    if let reported = filter?.base.reporting() {
      filter?.base = reported
      isReporting = true
    }
    if let reported = smoother?.reporting() { smoother = reported }
  }

  /// The decisions that the filter, or the forward pass of an offline form, has taken by itself.
  var decisions: [AutomaticDecision] {
    let reporting = filter?.base as? any DecisionReporting ?? smoother as? any DecisionReporting
    return reporting?.decisions ?? []
  }

  /// The filter's current estimate; `nil` for an offline form.
  var estimate: AttitudeEstimate? { filter?.base.estimate }

  /// The outcomes of an online filter's latest measurements, or `nil` if it does not report them.
  var outcomes: [MeasurementOutcome]? { isReporting ? filter?.base.outcomes : nil }

  mutating func update(gyroscope rate: Vector3, at time: Double) {
    filter?.base.update(gyroscope: rate, at: time)
    if isOffline { smoother?.update(gyroscope: rate, at: time) }
  }

  mutating func update(accelerometer acceleration: Vector3, at time: Double) {
    filter?.base.update(accelerometer: acceleration, at: time)
    if isOffline { smoother?.update(accelerometer: acceleration, at: time) }
  }

  mutating func update(magneticField field: Vector3, at time: Double) {
    filter?.base.update(magneticField: field, at: time)
    if isOffline { smoother?.update(magneticField: field, at: time) }
  }

  /// Reports a change of the subtracted hard iron, in µT, to an online filter.
  mutating func recalibrateField(by change: Vector3) { filter?.base.recalibrateField(by: change) }

  /// Marks the epoch of the last update as complete: no more samples with its timestamp follow.
  ///
  /// - Returns: The filter's estimate; `nil` for an offline form.
  mutating func endEpoch() -> AttitudeEstimate? { isOffline ? nil : filter!.base.endedEpoch() }

  /// Whether the heading of an online filter follows the fields so far.
  var followsFields: Bool { filter?.base.followsFields ?? true }

  mutating func finish() { smoother?.finish() }

  /// The error that stopped an offline form, or `nil` without an error.
  var failure: SpillError? { (smoother as? any SpillingSmoother)?.failure ?? lateFailure }

  /// Stops an offline form by an error.
  mutating func fail(_ error: SpillError) { lateFailure = error }

  /// The next offline estimate that is final.
  mutating func next() -> TimedAttitudeEstimate? { early ?? smoother?.next() }

  mutating func append(_ motion: LateMotion) { late.append(motion) }

  /// Removes and returns the first motion that awaits an estimate, if its timestamp is at most `time`.
  mutating func nextMotion(through time: Double) -> LateMotion? {
    do throws(SpillError) {
      guard let first = try late.first(), first.time <= time else { return nil }
      late.removeFirst()
      return first
    } catch {
      lateFailure = error
      return nil
    }
  }
}

extension AttitudeFilter {
  /// Ends the epoch and returns the estimate. The function is mutating because a filter of any type is copied to be
  /// read, but changed in place.
  fileprivate mutating func endedEpoch() -> AttitudeEstimate? {
    endEpoch()
    return estimate
  }
}

extension AttitudeEngine: Codable {
  init(from decoder: any Decoder) throws {
    let saved = try AnyAttitudeFilter(from: decoder)
    (filter, isOffline, isReporting) = (saved, false, saved.base.outcomes != nil)
  }

  func encode(to encoder: any Encoder) throws {
    guard let filter else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "an offline estimate is made from a whole recording and cannot be saved midway"))
    }
    try filter.encode(to: encoder)
  }
}
