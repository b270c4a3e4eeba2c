public import InertialFilters
public import InertialLogs
internal import InertialNumerics
public import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// Computes the altitude, vertical speed and floor changes of a log.
public struct AltitudeJob: Sendable {
  /// The times at which rows are made.
  public enum Rows: Sendable, Hashable {
    /// The timestamps of the barometer.
    case barometer
    /// The timestamps of the motion: the first in each period of a rate in Hz, or all if `nil`.
    case motion(rate: Double?)

    /// Creates the times of a request for a rate in Hz, or for all times of the motion.
    package init(rate: Double?, isAll: Bool) throws(FusionError) {
      if rate != nil, isAll { throw .usage("--rate and --all exclude each other") }
      self = rate != nil || isAll ? .motion(rate: rate) : .barometer
    }
  }

  /// File, folder, or "-" for standard input.
  public var input: String
  /// The properties of the log that only the user can specify.
  public var log = LogOptions()
  /// The times at which rows are made.
  public var rows = Rows.barometer
  /// Whether the altitudes and speeds of the rows use earlier samples only, as in a stream, instead of the whole log.
  public var isCausal = false
  package var vertical = VerticalFilter.Parameters()
  package var floors = FloorDetector.Parameters()
  /// The filter that fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// The estimates at one time.
  public struct Row: Sendable, Hashable {
    /// The time of the row, in seconds on the log's clock.
    package var time: Double
    /// The newest barometric altitude. In rows at the barometer's timestamps, its time is the row's.
    public var data: AltitudeData
    /// The estimate from barometer and motion at the row's time.
    package var estimate: VerticalFilter.Estimate
  }

  /// The altitude and floor changes of a log.
  public struct Report: Sendable {
    /// The contents of the log and its problems.
    public var log: LogSummary
    /// The source of the motion, or `nil` for a log without motion.
    public var source: MotionSource?
    /// The estimates in chronological order.
    public var rows: [Row] = []
    /// The floor changes in chronological order.
    public var floors: [FloorEvent] = []
    /// The number of barometer samples used.
    package var barometerCount = 0
    /// Notes on skipped barometer samples, one line per note.
    public var notes: [String] = []

    /// The findings about the log and the skipped barometer samples, one line per finding.
    package var warnings: [String] { log.warnings + notes }

    /// Returns the number of floors climbed on stairs in one direction, as a pedometer counts them.
    fileprivate func floorsClimbed(_ direction: FloorEvent.Direction) -> Int {
      floors.reduce(0) { $0 + ($1.kind == .stairs && $1.direction == direction ? $1.floors : 0) }
    }
  }

  /// Computes altitudes from the log.
  ///
  /// - Parameter progress: Called periodically with the fraction of the log that has been read, 0...1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    // A barometer alone is sufficient for altitudes.
    let feed = LogFeed(motionOf: input, options: log, auxiliary: [.barometer], needsRate: false)
    var pass = AltitudePass(self)
    let (summary, source, _) = try feed.runMotion(
      filter: filter, restart: { pass = AltitudePass(self) }, progress: progress, auxiliary: { pass.give($0) },
      consume: { pass.give($0) })
    pass.finish()
    try checkPressure(pass.meanPressure, summary)
    guard pass.barometerCount > 0 else {
      throw .badData(
        "\(input): the log has no barometer; record air pressure or relative altitude with it (Barometer.csv, columns "
          + "pressure or relativeAltitude)")
    }
    if !isCausal { pass.smooth() }
    return Report(
      log: summary, source: pass.hasMotion ? source : nil, rows: pass.rows, floors: pass.floors,
      barometerCount: pass.barometerCount, notes: pass.notes)
  }
}

extension AltitudeJob {
  /// - Throws: ``FusionError`` if a number is outside its range.
  package func check() throws(FusionError) {
    if case .motion(let rate?) = rows, !(rate > 0 && rate.isFinite) {
      throw .usage("--rate takes a number of Hz above 0, not \(rate)")
    }
    if let lag = vertical.barometerLag, !(lag >= 0 && lag.isFinite) {
      throw .usage("--barometer-lag takes seconds from 0 on, not \(lag)")
    }
    if !(1...100).contains(floors.floorHeight) {
      throw .usage("--floor-height takes 1 to 100 meters, not \(floors.floorHeight)")
    }
  }

  /// The range of air pressure in kPa, from the deepest mines to the altitude of airliners.
  private static let pressures = 20.0...130.0

  /// - Throws: ``FusionError`` if the air pressure is not in the unit that the log specifies.
  private func checkPressure(_ mean: Double?, _ log: LogSummary) throws(FusionError) {
    let remedy = "name the unit in the column's header: \"pressure (hPa)\" or \"pressure (kPa)\""
    if let mean, !Self.pressures.contains(mean) {
      let guess =
        Self.pressures.contains(mean * 10)
        ? "so the unit appears to be kPa, not hPa" : "so the unit appears to be wrong"
      throw .badData("\(input): the air pressure is \(rounded(mean)) kPa on average, \(guess); \(remedy)")
    }
    if mean == nil, let report = log.auxiliary[.barometer], 2 * report.impossibleValues > report.count {
      throw .badData(
        "\(input): the air pressure is outside 1 to 200 kPa throughout, so the unit appears to be hPa or Pa, not kPa; \(remedy)"
      )
    }
  }
}

extension AltitudeJob.Row: Encodable {
  /// Encodes the row as a sample of the document.
  public func encode(to encoder: any Encoder) throws {
    try EncodedObject([
      "time": time, "relativeAltitude": data.relativeAltitude, "pressure": data.pressure,
      "filteredAltitude": estimate.altitude, "filteredAltitudeSigma": estimate.altitudeSigma,
      "verticalSpeed": estimate.verticalSpeed, "verticalSpeedSigma": estimate.verticalSpeedSigma,
    ]).encode(to: encoder)
  }
}

extension AltitudeJob.Report: Encodable {
  /// Encodes the document of `inertial altitude --json`.
  public func encode(to encoder: any Encoder) throws {
    let changes = floors.map { floor in
      EncodedObject([
        "start": floor.start, "end": floor.end, "direction": floor.direction, "height": floor.height,
        "floors": floor.floors, "kind": floor.kind, "speed": floor.meanSpeed, "steppingShare": floor.steppingFraction,
      ])
    }
    try EncodedObject([
      "input": log.description.path, "format": log.description.format, "source": source, "samples": rows,
      "floors": changes, "floorsAscended": floorsClimbed(.up), "floorsDescended": floorsClimbed(.down),
      "warnings": warnings,
    ]).encode(to: encoder)
  }
}

/// Runs the tracker over a log.
private struct AltitudePass {
  private let job: AltitudeJob
  private var tracker: AltitudeTracker
  private(set) var rows: [AltitudeJob.Row] = []
  /// The states at the rows' times, for the smoother.
  private var possible: [VerticalFilterBank.Hypotheses] = []
  private(set) var floors: [FloorEvent] = []
  private(set) var barometerCount = 0
  private(set) var hasMotion = false
  private var nextTime = -Double.infinity
  private var pressures = (sum: 0.0, count: 0)

  /// The mean air pressure in kPa, or `nil` if no pressure was measured.
  var meanPressure: Double? { pressures.count > 0 ? pressures.sum / Double(pressures.count) : nil }

  init(_ job: AltitudeJob) {
    self.job = job
    tracker = AltitudeTracker(filter: job.vertical, floors: job.floors, keeping: job.isCausal ? .none : .all)
  }

  mutating func give(_ sample: AuxiliarySample) {
    guard let sample = BarometerSample(sample) else { return }
    if let pressure = sample.pressure {
      pressures.sum += pressure
      pressures.count += 1
    }
    take(tracker.update(sample))
  }

  mutating func give(_ motion: MotionSample) {
    tracker.update(motion)
    hasMotion = hasMotion || motion.userAcceleration != nil
    guard case .motion(let rate) = job.rows, motion.time >= nextTime else { return }
    guard let data = tracker.newest, let estimate = tracker.estimate else { return }
    rows.append(row(data, estimate))
    if !job.isCausal, let possible = tracker.possible { self.possible.append(possible) }
    guard let rate else { return }
    // Rows follow the grid of the rate, independent of the motion's timestamps.
    nextTime = ((motion.time * rate).rounded(.down) + 1) / rate - 1e-9
  }

  mutating func finish() {
    take(tracker.finish())
    floors += tracker.takeFloors()
  }

  mutating func smooth() {
    for (index, estimate) in tracker.smoothed(possible).enumerated() {
      rows[index] = row(rows[index].data, estimate)
    }
  }

  private mutating func take(_ updates: [AltitudeTracker.Update]) {
    barometerCount += updates.count
    floors += tracker.takeFloors()
    guard job.rows == .barometer else { return }
    rows += updates.map { row($0.data, $0.estimate) }
    if !job.isCausal { possible += updates.map(\.possible) }
  }

  private func row(_ data: AltitudeData, _ estimate: VerticalFilter.Estimate) -> AltitudeJob.Row {
    AltitudeJob.Row(time: job.rows == .barometer ? data.time : estimate.time, data: data, estimate: estimate)
  }

  var notes: [String] {
    let altimeter = tracker.altimeter
    var notes: [String] = []
    if altimeter.staleCount > 0 { notes.append("barometer: the first sample is from before the log and was skipped") }
    if altimeter.invalidCount > 0 {
      notes.append("barometer: \(altimeter.invalidCount) samples with an invalid value skipped")
    }
    if altimeter.lateCount > 0 {
      notes.append("barometer: \(altimeter.lateCount) samples out of order or with equal timestamps skipped")
    }
    if tracker.rejectedCount > 0 {
      notes.append("barometer: \(tracker.rejectedCount) samples rejected as outliers by the filter")
    }
    return notes
  }
}
