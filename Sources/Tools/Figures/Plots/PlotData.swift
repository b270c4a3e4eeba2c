internal import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
internal import InertialJobs
internal import InertialLogs
internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialRotations
internal import InertialSensors

/// The data of a figure: the rows of each filter, samples of the log, errors and events.
struct PlotData {
  /// The rows of a filter or of a dataset.
  struct Rows {
    /// The name of the filter; empty for a dataset.
    var name: String
    var values: [String: [Double]]
    var times: [Double] { values["time"] ?? [] }
  }

  /// The errors of a filter, in degrees.
  struct Errors {
    var name: String
    var times: [Double]
    var parts: [PlotQuantity.ErrorPart: [Double]]
  }

  /// The error of a filter and its processing time per sample.
  struct Cost {
    var name: String
    /// The error, in degrees.
    var error: Double
    var nanoseconds: Double
  }

  /// The altitude above the first one and its standard deviation, in metres, and the floor changes.
  struct Altitude {
    var times: [Double]
    var values: [Double]
    var sigmas: [Double]
    var ways: [FloorEvent] = []
  }

  private let job: PlotJob
  private(set) var rows: [Rows] = []
  private(set) var samples: [AuxiliaryChannel: [AuxiliarySample]] = [:]
  private(set) var errors: [Errors] = []
  private(set) var costs: [Cost] = []
  private(set) var shades: [Figure.Shade] = []
  private(set) var places: [Figure.Marks] = []
  private(set) var log: LogSummary?
  private(set) var notes: [String] = []
  /// The log's position fixes in the path's axes, if the drawn path has a geographic origin.
  private(set) var fixes: [Vector3] = []
  /// The altitude from the log's barometer, if a path's height is drawn, or `nil` without a barometer.
  private(set) var altitude: Altitude?
  /// Whether `rows` come from a dataset.
  private(set) var isDataset = false

  init(job: PlotJob) throws(FusionError) {
    self.job = job
    if LogFeed.isStream(job.input), passCount > 1 {
      throw .usage(
        "this figure reads the log \(passCount) times, which is impossible for standard input; save it to a file and use the file"
      )
    }
  }

  /// The time of the first drawn sample, in seconds of the log's clock.
  var firstTime: Double? {
    (rows.compactMap(\.times.first) + samples.values.compactMap(\.first?.time) + errors.compactMap(\.times.first)).min()
  }

  var sampleCount: Int {
    rows.reduce(0) { $0 + $1.times.count } + samples.values.reduce(0) { $0 + $1.count }
      + errors.reduce(0) { $0 + $1.times.count }
  }

  private var columns: [FusedColumn] { job.quantities.flatMap(\.columns) }
  private var channels: Set<AuxiliaryChannel> { Set(job.quantities.compactMap(\.channel)) }
  private var needsAltitude: Bool { job.quantities.contains { $0.content == .pathHeight } }
  private var hasPath: Bool { job.quantities.contains(where: \.isOfPath) }
  private var isFused: Bool { !columns.isEmpty || hasPath || job.marks.contains { $0.flag != nil } }

  private var passCount: Int {
    (isFused ? max(1, job.filters.count) : 0) + (channels.isEmpty ? 0 : 1)
      + (job.quantities.contains(where: \.isJudged) ? 1 : 0) + job.marks.filter { $0.flag == nil }.count
  }

  // MARK: Samples

  mutating func gather(progress: (Double) -> Void) throws(FusionError) {
    let steps = Double(max(1, passCount))
    var done = 0.0
    func report(_ fraction: Double) { progress((done + fraction) / steps) }
    if isFused {
      if job.filters.isEmpty, let dataset = try dataset() {
        rows = [dataset]
        isDataset = true
        done += 1
      } else {
        for (name, options) in try job.fusions() {
          rows.append(try fuse(name, options, progress: report))
          done += 1
        }
      }
      addFlagged()
      if job.quantities.contains(where: { $0.content == .path }) { try loadFixes() }
      if needsAltitude { try findAltitude(progress: report) }
    }
    if !channels.isEmpty {
      try load()
      done += 1
    }
    for mark in job.marks where mark.flag == nil {
      try recognise(mark, progress: report)
      done += 1
    }
  }

  private var neededNames: [String] {
    var names = ["time"]
    func add(_ name: String) { if !names.contains(name) { names.append(name) } }
    columns.forEach { add($0.name) }
    if job.sigma > 0, !PlotBands.angles.isDisjoint(with: columns.map(\.name)) { PlotBands.sources.forEach(add) }
    if job.marks.contains(where: { $0.flag != nil }) { add("status") }
    if hasPath { (Self.pathNames + Self.morePathNames).forEach(add) }
    return names
  }

  /// The required columns of a path, its optional columns, and the columns of a barometric altitude.
  private static let pathNames = ["positionX", "positionY", "positionZ"]
  private static let morePathNames = [
    "positionSigmaX", "positionSigmaY", "positionSigmaZ", "stance", "step", "trackLatitude", "trackLongitude",
  ]
  private static let altitudeNames = ["filteredAltitude", "filteredAltitudeSigma"]

  /// Returns the unchanged columns of a dataset, or `nil` if the input is not a dataset.
  private mutating func dataset() throws(FusionError) -> Rows? {
    do throws(LogError) {
      guard let dataset = try DatasetColumns(path: job.input) else { return nil }
      let optional = PlotBands.sources + ["status"] + Self.morePathNames + Self.altitudeNames
      let needed = neededNames + (needsAltitude ? Self.altitudeNames : [])
      let names = needed.filter { dataset.names.contains($0) || !optional.contains($0) }
      if let absent = names.first(where: { !dataset.names.contains($0) }) {
        throw LogError(
          path: job.input, line: 1, problem: "the dataset has no column \(absent)",
          remedy: Self.pathNames.contains(absent)
            ? "use a dataset with the path from 'inertial track LOG', or the log itself"
            : "use \(dataset.names.joined(separator: ", ")), or fuse its motion again with --filters NAME")
      }
      notes.append(
        "\(job.input) is a dataset: its columns are drawn unchanged; use --filters NAME to fuse its motion again")
      let rows = Rows(
        name: "", values: Dictionary(zip(names, try dataset.read(names)), uniquingKeysWith: { first, _ in first }))
      let reported = Self.altitudeNames.compactMap { rows.values[$0] }
      if needsAltitude, reported.count == 2, reported[0].contains(where: \.isFinite) {
        altitude = Altitude(times: rows.times, values: reported[0], sigmas: reported[1])
      }
      return rows
    } catch {
      throw FusionError(error)
    }
  }

  private mutating func fuse(
    _ name: String, _ options: FusionOptions, progress: (Double) -> Void
  ) throws(FusionError) -> Rows {
    var options = options
    let names = neededNames
    options.columns = try FusedColumn.named(names)
    // A requested column of a recogniser enables the recogniser.
    options.recognitions = Recognition.allCases.filter { recognition in
      recognition.columns.contains { names.contains($0.name) }
    }
    // The axis shows the start of time. Marks and samples have the log's times.
    options.startsAtZero = false
    let (table, report) = try FusionJob(input: job.input, options: options).table(progress: progress)
    guard table.rowCount > 0 else { throw .badData("\(job.input): the log has no rows to draw") }
    if log == nil { log = report.log }
    if hasPath, let path = report.path { try note(path) }
    return Rows(name: name, values: Dictionary(uniqueKeysWithValues: names.map { ($0, table[$0] ?? []) }))
  }

  /// Adds a note on the estimation of the path.
  ///
  /// - Throws: ``FusionError`` if the path has no basis.
  private mutating func note(_ path: PathReport) throws(FusionError) {
    if let reason = path.missingInputReason { throw .badData("\(job.input): no path: \(reason)") }
    notes.append(
      "the path is of a device on \(path.on.rawValue) (\(path.decision)); the standard deviation of its end is "
        + "\(path.sigma.metres) m horizontally and \(path.heightSigma.metres) m in height")
  }

  /// Loads the fixes of a log whose path has a geographic origin.
  private mutating func loadFixes() throws(FusionError) {
    guard !isDataset, !LogFeed.isStream(job.input),
      rows.contains(where: { $0.values["trackLatitude"]?.contains(where: \.isFinite) ?? false })
    else { return }
    var feed = LogFeed(path: job.input, options: job.options.log)
    feed.isStrict = job.options.strict
    feed.neededChannels = []
    feed.options.auxiliary = [.location]
    var frame = job.options.start
    do throws(LogError) {
      // Converts east and north to the frame's X (north) and Y (west).
      fixes = try feed.load()[.location].compactMap { sample in
        PositionFix(sample, in: &frame).map { Vector3($0.position.y, -$0.position.x, $0.position.z) }
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// Determines the altitude and the floor changes from the log's barometer.
  private mutating func findAltitude(progress: (Double) -> Void) throws(FusionError) {
    guard !isDataset, !LogFeed.isStream(job.input), log?.auxiliary[.barometer] != nil else { return }
    var altimeter = AltitudeJob(input: job.input)
    (altimeter.log, altimeter.isCausal) = (job.options.log, job.options.isCausal)
    let report = try altimeter.run(progress: progress)
    let estimates = report.rows.map(\.estimate)
    altitude = Altitude(
      times: estimates.map(\.time), values: estimates.map(\.altitude), sigmas: estimates.map(\.altitudeSigma),
      ways: report.floors)
  }

  private mutating func load() throws(FusionError) {
    var feed = LogFeed(path: job.input, options: job.options.log)
    feed.isStrict = job.options.strict
    feed.neededChannels = []
    feed.options.auxiliary = channels
    feed.sound = job.options.sound
    do throws(LogError) {
      let loaded = try feed.load()
      for channel in channels { samples[channel] = loaded[channel] }
      log = log ?? loaded.summary
    } catch {
      throw FusionError(error)
    }
    for channel in channels.sorted() where samples[channel, default: []].isEmpty {
      throw .badData(
        "\(job.input): the log has no \(channel.name); list its channels with 'inertial inspect'")
    }
  }

  // MARK: Marks

  private mutating func addFlagged() {
    guard let first = rows.first, let status = first.values["status"] else { return }
    let times = first.times
    for mark in job.marks {
      guard let flag = mark.flag else { continue }
      var spans: [ClosedRange<Double>] = []
      var start: Double?
      for (index, value) in status.enumerated() {
        // The column of a dataset may contain any values.
        let isSet = UInt16(exactly: value).map { AttitudeFlags(rawValue: $0).contains(flag) } ?? false
        if isSet, start == nil { start = times[index] }
        if !isSet || index == status.count - 1, let from = start {
          spans.append(from...max(from, times[index]))
          start = nil
        }
      }
      shade(mark == .rest ? "at rest" : "magnetic disturbance", spans)
    }
  }

  private mutating func recognise(_ mark: PlotMark, progress: (Double) -> Void) throws(FusionError) {
    switch mark {
    case .rest, .disturbance: break
    case .shake:
      var shake = ShakeJob(input: job.input)
      shake.log = job.options.log
      let report = try shake.run(progress: progress)
      log = log ?? report.log
      let spans = report.gestures.filter { $0.phase == .ended }.map { $0.start...max($0.start, $0.end) }
      shade("shake", spans)
    case .activity, .falls:
      var activity = ActivityJob(input: job.input)
      activity.log = job.options.log
      let report = try activity.run(progress: progress)
      log = log ?? report.log
      guard mark == .activity else {
        addMarks("fall", at: report.falls.map(\.impact))
        return
      }
      for kind in ActivityClass.flagged {
        let spans = report.segments.filter { $0.flags.names.contains(kind.rawValue) }.map {
          $0.start...max($0.start, $0.end)
        }
        if !spans.isEmpty { shade(kind.rawValue, spans) }
      }
    case .steps:
      var steps = StepsJob(input: job.input)
      steps.log = job.options.log
      let report = try steps.run(progress: progress)
      log = log ?? report.log
      addMarks("step", at: report.history.steps.map(\.time))
    }
  }

  /// Adds intervals to the figure, or a note without any.
  private mutating func shade(_ name: String, _ spans: [ClosedRange<Double>]) {
    guard !spans.isEmpty else { return notes.append("no interval '\(name)' is marked, as none was detected") }
    shades.append(Figure.Shade(name, spans))
  }

  /// Adds points in time to the figure, or a note without any.
  private mutating func addMarks(_ name: String, at times: [Double]) {
    guard !times.isEmpty else { return notes.append("no \(name) is marked, as none was detected") }
    places.append(Figure.Marks(name, times))
  }

  // MARK: Errors

  mutating func judge() async throws(FusionError) {
    let judged = job.quantities.filter(\.isJudged)
    guard !judged.isEmpty else { return }
    var evaluation = EvaluationJob(options: job.evaluation)
    evaluation.options.settings = job.settings
    // Without named filters, accuracy against cost shows all filters.
    let isOfAll = judged.allSatisfy { $0.content == .accuracy }
    evaluation.options.filters = job.filters.isEmpty ? isOfAll ? nil : [job.options.filter] : job.filters
    evaluation.options.log = job.options.log
    let parts = judged.compactMap { if case .error(let part) = $0.content { part } else { nil } }
    if !evaluation.options.judgesHeading, parts.contains(where: { $0 != .inclination }) || parts.count < judged.count {
      throw .usage(
        "the total and heading errors are meaningless in \(evaluation.options.motion.frame.name), whose X is arbitrary; "
          + "use --frame xMagneticNorthZVertical, --align yaw, or --quantity inclinationError")
    }
    if judged.contains(where: { $0.content == .accuracy }) {
      let result = try await evaluation.runConcurrently(on: job.input)
      log = log ?? result.log
      for score in result.scores {
        guard let cost = score.nanosecondsPerSample else { continue }
        costs.append(Cost(name: score.filter, error: score.errors.total.rmse, nanoseconds: cost))
      }
      notes += result.failures.map { "\($0.filter) is omitted: \($0.reason)" }
    }
    guard judged.contains(where: { $0.content != .accuracy }) else { return }
    let recording = try evaluation.load(job.input)
    log = log ?? recording.log
    for filter in try evaluation.filters() {
      let comparison = try evaluation.comparison(of: recording, by: filter)
      let degrees = 180 / Double.pi
      errors.append(
        Errors(
          name: filter.kind.name, times: comparison.times,
          parts: [
            .total: comparison.errors.map { $0.total * degrees },
            .heading: comparison.errors.map { $0.heading * degrees },
            .inclination: comparison.errors.map { $0.inclination * degrees },
          ]))
    }
  }
}
