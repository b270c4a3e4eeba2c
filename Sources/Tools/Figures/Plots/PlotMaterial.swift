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

/// What a figure is made of: rows of each filter, samples of the log, errors, events.
struct PlotMaterial {
  /// Rows of a filter, or of a dataset.
  struct Rows {
    /// The filter's name; empty for a dataset.
    var name: String
    var values: [String: [Double]]
    var times: [Double] { values["time"] ?? [] }
  }

  /// The errors of a filter, degrees.
  struct Errors {
    var name: String
    var times: [Double]
    var parts: [PlotQuantity.ErrorPart: [Double]]
  }

  /// A filter's error and its time for a sample.
  struct Cost {
    var name: String
    /// Degrees.
    var error: Double
    var nanoseconds: Double
  }

  /// Altitude above the first and its standard deviation, m, and the ways between floors.
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
  /// The log's position fixes, where the path is drawn and has a place on earth; in its axes.
  private(set) var fixes: [Vector3] = []
  /// The altitude by the log's barometer, where a path's height is drawn; nil without one.
  private(set) var altitude: Altitude?
  /// Whether `rows` are a dataset's.
  private(set) var isDataset = false

  init(job: PlotJob) throws(FusionError) {
    self.job = job
    if LogFinder.isStream(job.input), passCount > 1 {
      throw .usage(
        "this figure needs the log \(passCount) times, and standard input can be read once; save it to a file and give that"
      )
    }
  }

  /// The first time of anything that is drawn, seconds of the log's clock.
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
    func tell(_ share: Double) { progress((done + share) / steps) }
    if isFused {
      if job.filters.isEmpty, let dataset = try dataset() {
        rows = [dataset]
        isDataset = true
        done += 1
      } else {
        for (name, options) in try job.fusions() {
          rows.append(try fuse(name, options, progress: tell))
          done += 1
        }
      }
      addFlagged()
      if job.quantities.contains(where: { $0.content == .path }) { try loadFixes() }
      if needsAltitude { try findAltitude(progress: tell) }
    }
    if !channels.isEmpty {
      try load()
      done += 1
    }
    for mark in job.marks where mark.flag == nil {
      try recognise(mark, progress: tell)
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

  /// Columns that a path is drawn of, those that say more of it where they are there, and those of a barometer's altitude.
  private static let pathNames = ["positionX", "positionY", "positionZ"]
  private static let morePathNames = [
    "positionSigmaX", "positionSigmaY", "positionSigmaZ", "stance", "step", "trackLatitude", "trackLongitude",
  ]
  private static let altitudeNames = ["filteredAltitude", "filteredAltitudeSigma"]

  /// The columns of a dataset as they are; nil where the input is none.
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
            ? "'inertial track LOG' writes a dataset with the path; give that, or the log itself"
            : "it has \(dataset.names.joined(separator: ", ")); --filters NAME fuses its motion anew")
      }
      notes.append("\(job.input) is a dataset: its columns are drawn as they are; --filters NAME fuses its motion anew")
      let rows = Rows(
        name: "", values: Dictionary(zip(names, try dataset.read(names)), uniquingKeysWith: { first, _ in first }))
      let told = Self.altitudeNames.compactMap { rows.values[$0] }
      if needsAltitude, told.count == 2, told[0].contains(where: \.isFinite) {
        altitude = Altitude(times: rows.times, values: told[0], sigmas: told[1])
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
    // A recogniser's column is enough to ask for the recogniser.
    options.recognitions = Recognition.allCases.filter { recognition in
      recognition.columns.contains { names.contains($0.name) }
    }
    // The axis tells where time begins; marks and samples have the log's.
    options.startsAtZero = false
    let (table, report) = try FusionJob(input: job.input, options: options).table(progress: progress)
    guard table.rowCount > 0 else { throw .badData("\(job.input): the log gives no row to draw") }
    if log == nil { log = report.log }
    if hasPath, let path = report.path { try note(path) }
    return Rows(name: name, values: Dictionary(uniqueKeysWithValues: names.map { ($0, table[$0] ?? []) }))
  }

  /// Says how the path was found; refuses one that rests on nothing.
  private mutating func note(_ path: PathReport) throws(FusionError) {
    if let reason = path.lack { throw .badData("\(job.input): no path: \(reason)") }
    notes.append(
      "the path is of a device on \(path.on.rawValue) (\(path.reason)); its end is known to "
        + "\(path.sigma.metres) m over the ground and \(path.heightSigma.metres) m in height (standard deviation)")
  }

  /// The fixes of a log whose path has a place on earth.
  private mutating func loadFixes() throws(FusionError) {
    guard !isDataset, !LogFinder.isStream(job.input),
      rows.contains(where: { $0.values["trackLatitude"]?.contains(where: \.isFinite) ?? false })
    else { return }
    var feed = LogFeed(path: job.input, options: job.options.log)
    feed.isStrict = job.options.strict
    feed.neededChannels = []
    feed.options.auxiliary = [.location]
    var frame = FusionJob(input: job.input, options: job.options).start
    do throws(LogError) {
      // East and north to the frame's X, north, and Y, west.
      fixes = try feed.load()[.location].compactMap { sample in
        PositionFix(sample, in: &frame).map { Vector3($0.position.y, -$0.position.x, $0.position.z) }
      }
    } catch {
      throw FusionError(error)
    }
  }

  /// What the barometer of a log says of its height, and of floors.
  private mutating func findAltitude(progress: (Double) -> Void) throws(FusionError) {
    guard !isDataset, !LogFinder.isStream(job.input), log?.auxiliary[.barometer] != nil else { return }
    var altimeter = AltitudeJob(input: job.input)
    (altimeter.log, altimeter.smooths) = (job.options.log, job.options.smooths)
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
        "\(job.input): the log has no \(channel.name); 'inertial inspect' lists what it has")
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
        // A dataset may hold anything in the column.
        let isSet = UInt16(exactly: value).map { AttitudeFlags(rawValue: $0).contains(flag) } ?? false
        if isSet, start == nil { start = times[index] }
        if !isSet || index == status.count - 1, let from = start {
          spans.append(from...max(from, times[index]))
          start = nil
        }
      }
      shades.append(Figure.Shade(mark == .rest ? "at rest" : "magnetic disturbance", spans))
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
      shades.append(Figure.Shade("shake", spans))
      if spans.isEmpty { notes.append("no shake is marked: there is none") }
    case .activity, .falls:
      var activity = ActivityJob(input: job.input)
      activity.log = job.options.log
      let report = try activity.run(progress: progress)
      log = log ?? report.log
      guard mark == .activity else {
        places.append(Figure.Marks("fall", report.falls.map(\.impact)))
        return
      }
      for kind in ActivityClass.allCases {
        let spans = report.segments.filter { $0.flags.names.contains(kind.rawValue) }.map {
          $0.start...max($0.start, $0.end)
        }
        if !spans.isEmpty { shades.append(Figure.Shade(kind.rawValue, spans)) }
      }
    case .steps:
      var steps = StepsJob(input: job.input)
      steps.log = job.options.log
      let report = try steps.run(progress: progress)
      log = log ?? report.log
      places.append(Figure.Marks("step", report.history.steps.map(\.time)))
    }
  }

  // MARK: Errors

  mutating func judge() async throws(FusionError) {
    let judged = job.quantities.filter(\.isJudged)
    guard !judged.isEmpty else { return }
    var evaluation = EvaluationJob(options: job.evaluation)
    evaluation.options.settings = job.settings
    // Accuracy against cost is of all filters unless some are named.
    let isOfAll = judged.allSatisfy { $0.content == .accuracy }
    evaluation.options.filters = job.filters.isEmpty ? isOfAll ? nil : [job.options.filter] : job.filters
    evaluation.options.log = job.options.log
    let parts = judged.compactMap { if case .error(let part) = $0.content { part } else { nil } }
    if !evaluation.options.judgesHeading, parts.contains(where: { $0 != .inclination }) || parts.count < judged.count {
      throw .usage(
        "the total and heading errors say nothing in \(evaluation.options.motion.frame.name), where X is arbitrary; "
          + "give --frame xMagneticNorthZVertical, --align yaw, or --quantity inclinationError")
    }
    if judged.contains(where: { $0.content == .accuracy }) {
      let result = try await evaluation.runConcurrently(on: job.input)
      log = log ?? result.log
      for score in result.scores {
        guard let cost = score.nanosecondsPerSample else { continue }
        costs.append(Cost(name: score.filter, error: score.errors.total.rmse, nanoseconds: cost))
      }
      notes += result.failures.map { "\($0.filter) is left out: \($0.reason)" }
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
