public import InertialNumerics
public import InertialSensors

/// Estimates altitude, vertical speed and floor changes from a device's barometer and motion.
///
/// The tracker combines the altimeter, the vertical filter and the floor detector. Without motion, altitudes are
/// smoothed and the kind of floor changes is unknown. Without a barometer there is no output.
public struct AltitudeTracker: Sendable, Codable {
  /// A barometric altitude, and the estimate from barometer and motion at its time.
  public struct Update: Sendable, Hashable {
    /// The barometric altitude.
    public var data: AltitudeData
    /// The estimate from the barometer and the motion.
    public var estimate: VerticalFilter.Estimate
    /// The estimate of each filter, the input of `smoothed`.
    package var possible: VerticalFilterBank.Hypotheses
  }

  package private(set) var altimeter = Altimeter()
  private var filters: VerticalFilterBank
  private var floors: FloorDetector
  private var events: [FloorEvent] = []
  /// The newest barometric altitude.
  package private(set) var newest: AltitudeData?

  /// Creates a tracker without any samples.
  public init() { self.init(filter: VerticalFilter.Parameters()) }

  /// Creates a tracker.
  ///
  /// - Parameter trace: The altitudes that are kept for `smoothed`.
  package init(
    filter: VerticalFilter.Parameters = VerticalFilter.Parameters(),
    floors: FloorDetector.Parameters = FloorDetector.Parameters(),
    keeping trace: VerticalFilterBank.Trace = .none
  ) {
    filters = VerticalFilterBank(filter, keeping: trace)
    self.floors = FloorDetector(parameters: floors)
  }

  /// The estimated altitude and vertical speed at the newest time, or `nil` before the first altitude.
  public var estimate: VerticalFilter.Estimate? { filters.estimate }

  /// The estimates of the filter with and of the filter without a barometer lag, the input of `smoothed`.
  package var possible: VerticalFilterBank.Hypotheses? { filters.possible }

  /// The number of altitudes that the filter rejected as outliers.
  package var rejectedCount: Int { filters.rejectedCount }

  /// The decision about the barometer's lag, or `nil` if there is no barometer or the lag is declared.
  package var decision: AutomaticDecision? { filters.decision }

  /// Returns smoothed estimates from the whole recording by the more likely filter, or the given estimates if no
  /// trace was kept.
  ///
  /// - Parameter estimates: The values of `possible` at any times.
  package func smoothed(_ estimates: [VerticalFilterBank.Hypotheses]) -> [VerticalFilter.Estimate] {
    filters.smoothed(estimates)
  }

  /// Adds a barometer sample. The first one is held until the second; see `Altimeter`.
  public mutating func update(_ sample: BarometerSample) -> [Update] {
    altimeter.update(sample).compactMap { use($0) }
  }

  /// Adds a motion sample. It is ignored if it has no gravity or no acceleration.
  @inlinable
  @inline(__always)
  public mutating func update(_ motion: MotionSample) {
    // Numbers in registers are faster than a sample in memory.
    guard let user = motion.userAcceleration, let acceleration = motion.acceleration else { return }
    update(user, gravity: acceleration - user, at: motion.time)
  }

  @usableFromInline
  mutating func update(_ user: Vector3, gravity: Vector3, at time: Double) {
    let value = Self.verticalAcceleration(user, gravity: gravity)
    guard abs(value) < .infinity else { return }
    filters.update(verticalAcceleration: value, at: time)
    floors.update(verticalAcceleration: value, at: time)
  }

  /// Ends the input and returns the pending altitude.
  public mutating func finish() -> [Update] {
    let last = altimeter.finish().flatMap { use($0) }
    events += floors.finish()
    return last.map { [$0] } ?? []
  }

  /// Returns and removes the floor changes that have ended since the last call.
  public mutating func takeFloors() -> [FloorEvent] {
    defer { events.removeAll() }
    return events
  }

  /// Returns the vertical acceleration without gravity, in m/s², up positive, from Core Motion's values: −a = g₀ ·
  /// userAcceleration, up = −gravity.
  package static func verticalAcceleration(_ motion: MotionSample) -> Double? {
    guard let user = motion.userAcceleration, let gravity = motion.gravity else { return nil }
    let value = verticalAcceleration(user, gravity: gravity)
    return value.isFinite ? value : nil
  }

  /// Returns the vertical acceleration, which is not finite if gravity is zero or a component is not finite.
  @inline(__always)
  private static func verticalAcceleration(_ user: Vector3, gravity: Vector3) -> Double {
    // Gravity is usually 1 g except for rounding: there, the series is accurate to 4e-10, without a root and a
    // division.
    let excess = gravity.squaredNorm - 1
    let reciprocal = abs(excess) < 1e-3 ? 1 - excess * (0.5 - 0.375 * excess) : 1 / gravity.norm
    return standardGravity * gravity.dot(user) * reciprocal
  }

  private mutating func use(_ data: AltitudeData) -> Update? {
    newest = data
    filters.update(barometricAltitude: data.relativeAltitude, at: data.time)
    guard let possible = filters.possible else { return nil }
    // Floor changes are detected from the more likely estimate, not from a mean that matches neither.
    let known = filters.mostLikely(of: possible)
    floors.barometerLag = filters.lag
    let event = floors.update(
      altitude: data.relativeAltitude, filtered: known.altitude, noise: known.barometerSigma, at: data.time)
    if let event {
      events.append(event)
    }
    return Update(data: data, estimate: filters.mean(of: possible), possible: possible)
  }
}
