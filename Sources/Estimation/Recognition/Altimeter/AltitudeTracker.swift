public import InertialNumerics
public import InertialSensors

/// Altimeter, vertical filter and floors together, on what a device records: barometer and motion in, altitudes, vertical
/// speed and ways between floors out.
///
/// Without motion it gives altitudes, smoothed, and ways of unknown kind; without a barometer nothing.
public struct AltitudeTracker: Sendable {
  /// An altitude by the barometer, and what is known with the motion at its time.
  public struct Update: Sendable, Hashable {
    /// The altitude by the barometer.
    public var data: AltitudeData
    /// What the barometer and the motion give together.
    public var estimate: VerticalFilter.Estimate
    /// For `smoothed`.
    package var possible: VerticalFilters.Possible
  }

  package private(set) var altimeter = Altimeter()
  private var filters: VerticalFilters
  private var floors: FloorDetector
  private var events: [FloorEvent] = []
  /// The newest altitude by the barometer.
  package private(set) var newest: AltitudeData?

  /// A tracker that has seen nothing yet.
  public init() { self.init(filter: VerticalFilter.Parameters()) }

  /// - `trace`: which altitudes are kept to be smoothed.
  package init(
    filter: VerticalFilter.Parameters = VerticalFilter.Parameters(),
    floors: FloorDetector.Parameters = FloorDetector.Parameters(),
    keeping trace: VerticalFilters.Trace = .none
  ) {
    filters = VerticalFilters(filter, keeping: trace)
    self.floors = FloorDetector(parameters: floors)
  }

  /// What is known of altitude and speed at the newest time; nil before the first altitude.
  public var estimate: VerticalFilter.Estimate? { filters.estimate }

  /// What each of the filters knows that may be right: of a barometer that lags and of one that does not, for
  /// `smoothed`.
  package var possible: VerticalFilters.Possible? { filters.possible }

  /// Altitudes that the filter took for outliers.
  package var rejectedCount: Int { filters.rejectedCount }

  /// The estimates from the whole record, by the filter that it makes the likeliest; as they were where no trace was kept.
  ///
  /// - Parameter estimates: `possible` at any times.
  /// - Throws: `LinearAlgebraError` where a covariance of the record is not positive definite.
  package func smoothed(_ estimates: [VerticalFilters.Possible]) throws(LinearAlgebraError) -> [VerticalFilter.Estimate]
  {
    try filters.smoothed(estimates)
  }

  /// Takes a sample of the barometer. The first one waits for the second; see `Altimeter`.
  public mutating func update(_ sample: BarometerSample) -> [Update] {
    altimeter.update(sample).compactMap { use($0) }
  }

  /// Takes a moment of the motion; one without gravity or acceleration says nothing about the vertical.
  @inlinable
  @inline(__always)
  public mutating func update(_ motion: MotionSample) {
    // Numbers in registers instead of a sample in memory.
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

  /// To be called at the end of a log: the altitude that still waits.
  public mutating func finish() -> [Update] {
    let last = altimeter.finish().flatMap { use($0) }
    events += floors.finish()
    return last.map { [$0] } ?? []
  }

  /// The ways between floors that have ended since the last call.
  public mutating func takeFloors() -> [FloorEvent] {
    defer { events.removeAll() }
    return events
  }

  /// m/s², up positive, without gravity, from Core Motion's values: −a = g₀ · userAcceleration, up = −gravity.
  package static func verticalAcceleration(_ motion: MotionSample) -> Double? {
    guard let user = motion.userAcceleration, let gravity = motion.gravity else { return nil }
    let value = verticalAcceleration(user, gravity: gravity)
    return value.isFinite ? value : nil
  }

  /// Not finite where gravity is zero, or a number is not finite.
  @inline(__always)
  private static func verticalAcceleration(_ user: Vector3, gravity: Vector3) -> Double {
    // Gravity is 1 g but for roundings, mostly: the series is exact to 4e-10 there, without a root and a division.
    let excess = gravity.squaredNorm - 1
    let reciprocal = abs(excess) < 1e-3 ? 1 - excess * (0.5 - 0.375 * excess) : 1 / gravity.norm
    return standardGravity * gravity.dot(user) * reciprocal
  }

  private mutating func use(_ data: AltitudeData) -> Update? {
    newest = data
    filters.update(barometricAltitude: data.relativeAltitude, at: data.time)
    guard let possible = filters.possible else { return nil }
    // A way is found or not: by the likelier of the two, not by a mean that neither has.
    let known = filters.likeliest(of: possible)
    floors.barometerLag = filters.lag
    let event = floors.update(
      altitude: data.relativeAltitude, filtered: known.altitude, noise: known.barometerSigma, at: data.time)
    if let event {
      events.append(event)
    }
    return Update(data: data, estimate: filters.mean(of: possible), possible: possible)
  }
}
