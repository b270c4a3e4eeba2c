internal import AttitudeFilters
internal import LinearAlgebra

/// What gives the attitudes: a filter, sample by sample, or an offline form, late.
struct AttitudeEngine: Sendable {
  // Two optionals, not an enumeration: an offline form holds the recording, and must be changed in place.
  private var filter: AnyAttitudeFilter?
  private var smoother: (any AttitudeSmoother)?

  init(_ filter: any AttitudeFilter) { self.filter = AnyAttitudeFilter(filter) }
  init(_ smoother: any AttitudeSmoother) { self.smoother = smoother }

  var isOffline: Bool { smoother != nil }

  /// What a filter knows now; an offline form never says.
  var estimate: AttitudeEstimate? { filter?.base.estimate }

  mutating func update(gyroscope rate: Vector3, at time: Double) {
    filter?.base.update(gyroscope: rate, at: time)
    smoother?.update(gyroscope: rate, at: time)
  }

  mutating func update(accelerometer acceleration: Vector3, at time: Double) {
    filter?.base.update(accelerometer: acceleration, at: time)
    smoother?.update(accelerometer: acceleration, at: time)
  }

  mutating func update(magneticField field: Vector3, at time: Double) {
    filter?.base.update(magneticField: field, at: time)
    smoother?.update(magneticField: field, at: time)
  }

  mutating func finish() { smoother?.finish() }

  /// The next offline estimate that is final.
  mutating func next() -> TimedAttitudeEstimate? { smoother?.next() }
}

extension AttitudeEngine: Codable {
  init(from decoder: any Decoder) throws { filter = try AnyAttitudeFilter(from: decoder) }

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
