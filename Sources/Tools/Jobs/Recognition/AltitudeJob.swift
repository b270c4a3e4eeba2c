internal import InertialFilters
public import InertialLogs
internal import InertialNumerics
public import InertialRecognition
internal import InertialSensors

/// Altitude, vertical speed and ways between floors of a log.
public struct AltitudeJob: Sendable {
  /// Which times rows are made for.
  public enum Rows: Sendable, Hashable {
    /// Those of the barometer.
    case barometer
    /// Those of the motion, the first of each period of a rate in Hz; nil: all.
    case motion(rate: Double?)
  }

  /// File, folder, or "-" for standard input.
  public var input: String
  /// What only the user can know about the log.
  public var log = LogOptions()
  /// Which times rows are made for.
  public var rows = Rows.barometer
  /// Whether the rows' altitudes and speeds are from the whole log, and not only from what was before them.
  public var smooths = false
  package var vertical = VerticalFilter.Parameters()
  package var floors = FloorDetector.Parameters()
  /// What fuses a raw log.
  public var filter = FilterKind.standard

  /// A job for one log.
  public init(input: String) { self.input = input }

  /// What is known at a time.
  public struct Row: Sendable, Hashable {
    /// The newest altitude by the barometer; its time is the row's where rows are the barometer's.
    public var data: AltitudeData
    /// By barometer and motion, at the row's time.
    package var estimate: VerticalFilter.Estimate
  }

  /// Altitude and floors of a log.
  public struct Report: Sendable {
    /// What was read, and what was wrong with it.
    public var log: LogSummary
    /// nil for a log without motion.
    public var source: MotionSource?
    /// What is known at each time, in order.
    public var rows: [Row] = []
    /// The ways between floors, in order of time.
    public var floors: [FloorEvent] = []
    /// Samples of the barometer that were taken.
    public var barometerCount = 0
    /// What was left out of the barometer's samples, a line each.
    public var notes: [String] = []
  }

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  public func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var feed = MotionSampleFeed(
      path: input, options: log, filter: filter, auxiliary: [.barometer],
      lack: "no barometer; record air pressure or relative altitude with it (Barometer.csv, columns pressure or "
        + "relativeAltitude)")
    // A barometer alone tells altitudes, too.
    feed.needsRate = false
    let fresh = AltitudePass(
      tracker: AltitudeTracker(filter: vertical, floors: floors, keeping: smooths ? .all : .none), rows: rows,
      smooths: smooths)
    var pass = fresh
    let (summary, source) = try feed.run(
      restart: { pass = fresh }, progress: progress, auxiliary: { pass.give($0) }, consume: { pass.give($0) })
    pass.finish()
    try checkPressure(pass.meanPressure, summary)
    guard pass.barometerCount > 0 else { throw feed.nothing }
    if smooths { try pass.smooth(input) }
    return Report(
      log: summary, source: pass.hasMotion ? source : nil, rows: pass.rows, floors: pass.floors,
      barometerCount: pass.barometerCount, notes: pass.notes)
  }
}

extension AltitudeJob {
  /// Air pressure in kPa from the bottom of the deepest mines to the height of airliners.
  private static let pressures = 20.0...130.0

  /// - Throws: where the air pressure is in another unit than the log says.
  private func checkPressure(_ mean: Double?, _ log: LogSummary) throws(FusionError) {
    let remedy = "name the unit in the column's header: \"pressure (hPa)\" or \"pressure (kPa)\""
    if let mean, !Self.pressures.contains(mean) {
      let guess = Self.pressures.contains(mean * 10) ? "kPa taken for hPa" : "in another unit"
      throw .badData("\(input): the air pressure is \(rounded(mean)) kPa on average, \(guess); \(remedy)")
    }
    if mean == nil, let report = log.auxiliary[.barometer], 2 * report.impossibleValues > report.count {
      throw .badData(
        "\(input): the air pressure is nowhere from 1 to 200 kPa, as if hPa or Pa were taken for kPa; \(remedy)")
    }
  }
}

/// The tracker over a log.
private struct AltitudePass {
  private var tracker: AltitudeTracker
  private let kind: AltitudeJob.Rows
  private(set) var rows: [AltitudeJob.Row] = []
  /// For the smoother, at the rows' times.
  private var possible: [VerticalFilters.Possible] = []
  private let smooths: Bool
  private(set) var floors: [FloorEvent] = []
  private(set) var barometerCount = 0
  private(set) var hasMotion = false
  private var nextTime = -Double.infinity
  private var pressures = (sum: 0.0, count: 0)

  /// kPa; nil where no pressure was measured.
  var meanPressure: Double? { pressures.count > 0 ? pressures.sum / Double(pressures.count) : nil }

  init(tracker: AltitudeTracker, rows: AltitudeJob.Rows, smooths: Bool) {
    self.tracker = tracker
    self.smooths = smooths
    kind = rows
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
    guard case .motion(let rate) = kind, motion.time >= nextTime else { return }
    guard let data = tracker.newest, let estimate = tracker.estimate else { return }
    rows.append(AltitudeJob.Row(data: data, estimate: estimate))
    if smooths, let possible = tracker.possible { self.possible.append(possible) }
    guard let rate else { return }
    // On the grid of the rate, whatever the motion's own spacing.
    nextTime = ((motion.time * rate).rounded(.down) + 1) / rate - 1e-9
  }

  mutating func finish() {
    take(tracker.finish())
    floors += tracker.takeFloors()
  }

  mutating func smooth(_ input: String) throws(FusionError) {
    do throws(LinearAlgebraError) {
      for (index, estimate) in try tracker.smoothed(possible).enumerated() {
        rows[index].estimate = estimate
      }
    } catch {
      throw .badData("\(input): the altitudes cannot be smoothed (\(error)); leave --smooth out")
    }
  }

  private mutating func take(_ updates: [AltitudeTracker.Update]) {
    barometerCount += updates.count
    floors += tracker.takeFloors()
    guard kind == .barometer else { return }
    rows += updates.map { AltitudeJob.Row(data: $0.data, estimate: $0.estimate) }
    if smooths { possible += updates.map(\.possible) }
  }

  var notes: [String] {
    let altimeter = tracker.altimeter
    var notes: [String] = []
    if altimeter.staleCount > 0 {
      notes.append("barometer: the first sample was left over from before the log, and is left out")
    }
    if altimeter.invalidCount > 0 {
      notes.append("barometer: \(altimeter.invalidCount) without a value that can be, left out")
    }
    if altimeter.lateCount > 0 {
      notes.append("barometer: \(altimeter.lateCount) out of order or of one time, left out")
    }
    if tracker.rejectedCount > 0 {
      notes.append("barometer: \(tracker.rejectedCount) taken for outliers by the filter")
    }
    return notes
  }
}
