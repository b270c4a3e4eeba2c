public import InertialEvaluation
internal import InertialFilters
public import InertialFusion
public import InertialLogs
public import InertialNumerics
public import InertialRotations
internal import InertialSensors

/// Filters, or somebody else's estimate, judged against a reference.
public struct EvaluationJob: Sendable {
  /// What is judged, and how.
  public struct Options: Sendable {
    /// Names of the filters to judge; nil = all.
    public var filters: [String]?
    /// Judges the offline forms of filters; with no filters named, of those that have one.
    public var smooths = false
    /// Parameters of the filters; the others keep their defaults.
    public var settings = ParameterSettings()
    /// Frame and field; the default uses the magnetometer.
    public var motion: DeviceMotionEstimator.Configuration = {
      var configuration = DeviceMotionEstimator.Configuration()
      configuration.frame = .xMagneticNorthZVertical
      return configuration
    }()
    /// What is aligned, skipped and interpolated.
    public var comparison = OrientationComparison.Options()
    /// A file with the reference, where the log has none or another is wanted.
    public var referencePath: String?
    /// The name of a file with the reference beside each log.
    package var referenceName: String?
    /// The file with the reference of a log; nil where the log has its own.
    package func referencePath(of log: String) -> String? {
      referencePath ?? referenceName.map { EvaluationJob.beside(log, $0) }
    }
    /// The reference's earth frame; nil = the log's own statement.
    public var referenceFrame: EarthFrame?
    /// Judges the attitude that the device recorded of itself beside the filters, as one by the name `deviceName`.
    package var judgesDevice = false
    /// A file with an estimate to judge in place of filters.
    package var estimatePath: String?
    /// The estimate's earth frame; nil = the reference's, or NWU for a dataset of ours.
    package var estimateFrame: EarthFrame?
    /// Where and when the logs were recorded, for true north; goes before what they tell.
    public var given = PlaceAndDate()
    /// Whether filters are timed.
    public var measuresCost = true
    /// Whether filters tell what they make of their measurements.
    package var talliesMeasurements = false
    /// Whether the error at every sample is kept, which takes 32 bytes for each sample and filter.
    package var keepsErrors = false
    /// What only the user can know about the logs.
    public var log = LogOptions()

    /// The defaults.
    public init() {}

    /// Whether total and heading errors mean something: not where X is arbitrary and no yaw is fitted.
    package var judgesHeading: Bool {
      estimatePath != nil || motion.frame.isNorthReferenced || comparison.alignment != .none
    }
  }

  /// The figures of one filter, or of the estimate, on one recording.
  public struct Score: Sendable, Codable {
    /// The log's path.
    public var recording: String
    /// The filter's name, or the estimate's file.
    public var filter: String
    /// Angles between estimate and reference, degrees.
    public var errors: ErrorSummary
    /// Drift and jumps of the error.
    public var course: ErrorCourse
    /// Time of the filter alone, per gyroscope sample, nanoseconds; nil for an estimate.
    public var nanosecondsPerSample: Double?
    /// Reference samples for which there was no finite estimate.
    public var missingCount: Int
    /// Seconds added to the estimate's times, where a clock offset was searched and found.
    public var clockShift: Double?
    /// What the filter made of its measurements, by kind; nil where that was not asked for.
    package var measurements: [MeasurementTally]?

    /// A score from its figures.
    package init(
      recording: String, filter: String, errors: ErrorSummary, course: ErrorCourse, nanosecondsPerSample: Double? = nil,
      missingCount: Int = 0, clockShift: Double? = nil
    ) {
      self.recording = recording
      self.filter = filter
      self.errors = errors
      self.course = course
      self.nanosecondsPerSample = nanosecondsPerSample
      self.missingCount = missingCount
      self.clockShift = clockShift
    }
  }

  /// A filter that could not be judged on a recording, and why.
  public struct Failure: Sendable, Codable {
    /// The log's path.
    public var recording: String
    /// The filter's name, or the estimate's file.
    public var filter: String
    /// What was wrong, in one line.
    public var reason: String

    /// A failure from its parts.
    package init(recording: String, filter: String, reason: String) {
      self.recording = recording
      self.filter = filter
      self.reason = reason
    }
  }

  /// What the device's own attitude is called among the filters.
  package static let deviceName = "device"

  /// What came of one log.
  public struct Result: Sendable {
    /// The figures, one for each filter that could be judged.
    public var scores: [Score] = []
    /// The filters that could not be judged.
    public var failures: [Failure] = []
    /// The errors at every sample, by the score's filter; empty where they were not to be kept.
    package var comparisons: [String: OrientationComparison] = [:]
    /// What was read, and what was wrong with it.
    public var log: LogSummary
  }

  /// What is judged, and how.
  public var options: Options

  /// A job; `run` does it for one log.
  public init(options: Options = Options()) { self.options = options }

  /// The filters to judge, each with its settings.
  public func filters() throws(FusionError) -> [ConfiguredFilter] {
    let kinds: [FilterKind]
    if let names = options.filters {
      kinds = try names.map(FilterKind.known)
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        throw .usage("the filter \(name) is named twice")
      }
      for kind in kinds where options.smooths { try kind.checkOfflineForm() }
    } else {
      kinds = FilterKind.all.filter { $0.canSmooth || !options.smooths }
    }
    let settings = try options.settings.expecting(options.log.calibration).resolved(for: kinds)
    return zip(kinds, settings).map { ConfiguredFilter($0, settings: $1) }
  }

  /// Judges on one log, one filter after the other.
  ///
  /// - Parameters:
  ///   - path: the log.
  ///   - progress: called with the share that is done, 0 to 1, before the first filter and whenever one has been judged or timed.
  /// - Returns: a score or a failure per filter, or that of the estimate; and what was found in the log.
  public func run(on path: String, progress: (Double) -> Void = { _ in }) throws(FusionError) -> Result {
    let filters = try filters()
    progress(0)
    let recording = try load(path)
    if let estimatePath = options.estimatePath { return try judge(estimatePath, on: recording) }
    let steps = Double(filters.count * (options.measuresCost ? 2 : 1))
    let attempts = filters.enumerated().map { index, filter in
      defer { progress(Double(index + 1) / steps) }
      return attempt(filter, recording)
    }
    return try result(recording, filters, attempts) { progress(0.5 + $0 / 2) }
  }

  /// Judges on one log, the filters on all cores; they are timed afterwards, alone.
  ///
  /// - Parameters:
  ///   - path: a log with a reference.
  ///   - progress: called with the share that is done, 0 to 1, whenever a filter has been judged or timed.
  public func runConcurrently(
    on path: String, progress: (Double) -> Void = { _ in }
  ) async throws(FusionError) -> Result {
    let filters = try filters()
    let recording = try load(path)
    if let estimatePath = options.estimatePath { return try judge(estimatePath, on: recording) }
    let attempts = await withTaskGroup(of: (Int, Attempt).self) { group in
      for (index, filter) in filters.enumerated() {
        group.addTask { (index, attempt(filter, recording)) }
      }
      var attempts = [Attempt?](repeating: nil, count: filters.count)
      let steps = Double(filters.count * (options.measuresCost ? 2 : 1))
      var count = 0.0
      for await (index, attempt) in group {
        attempts[index] = attempt
        count += 1
        progress(count / steps)
      }
      return attempts.compactMap { $0 }
    }
    return try result(recording, filters, attempts) { progress(0.5 + $0 / 2) }
  }

  // MARK: Steps

  private typealias Judgement = (score: Score, comparison: OrientationComparison?)
  private typealias Attempt = Swift.Result<Judgement, FusionError>

  private func attempt(_ filter: ConfiguredFilter, _ recording: JudgedRecording) -> Attempt {
    Attempt { () throws(FusionError) in
      try checkStop(recording.path)
      let (track, measurements) = try run(filter, on: recording)
      var judgement = try score(filter.kind.name, track, recording)
      judgement.score.measurements = measurements
      return judgement
    }
  }

  /// - Throws: where the end was asked for.
  func checkStop(_ path: String) throws(FusionError) {
    guard options.log.stop?.isRaised != true else { throw .badData("\(path): stopped before its end") }
  }

  private func result(
    _ recording: JudgedRecording, _ filters: [ConfiguredFilter], _ attempts: [Attempt],
    timing: (Double) -> Void = { _ in }
  ) throws(FusionError) -> Result {
    let costs =
      options.measuresCost ? try costs(recording, filters, progress: timing) : filters.map { _ in nil }
    var result = Result(log: recording.log)
    for (index, attempt) in attempts.enumerated() {
      switch attempt {
      case .success(var judgement):
        judgement.score.nanosecondsPerSample = costs[index]
        note(judgement, in: &result)
      case .failure(let error):
        result.failures.append(
          Failure(recording: recording.path, filter: filters[index].kind.name, reason: error.description))
      }
    }
    if options.judgesDevice {
      do throws(FusionError) {
        note(try score(Self.deviceName, try deviceAttitude(of: recording), recording), in: &result)
      } catch {
        result.failures.append(
          Failure(recording: recording.path, filter: Self.deviceName, reason: error.description))
      }
    }
    return result
  }

  private func judge(_ estimatePath: String, on recording: JudgedRecording) throws(FusionError) -> Result {
    let estimate = try self.estimate(estimatePath, referenceFrame: recording.reference.frame)
    var result = Result(log: recording.log)
    note(try score(estimatePath, estimate, recording), in: &result)
    return result
  }

  private func note(_ judgement: Judgement, in result: inout Result) {
    result.scores.append(judgement.score)
    result.comparisons[judgement.score.filter] = judgement.comparison
  }

  func fuse(_ recording: JudgedRecording, _ filter: ConfiguredFilter) throws(FusionError) -> OrientationTrack {
    try run(filter, on: recording).track
  }

  private func run(
    _ filter: ConfiguredFilter, on recording: JudgedRecording
  ) throws(FusionError) -> (track: OrientationTrack, measurements: [MeasurementTally]?) {
    var estimator = try filter.kind.estimator(
      filter.settings, configuration(of: recording), smooths: options.smooths)
    if options.talliesMeasurements { estimator.reportMeasurements() }
    let motions = estimator.motions(of: recording.samples)
    var measurements: [MeasurementTally] = []
    for motion in motions { measurements.add(motion.measurements, at: motion.time) }
    do throws(EvaluationError) {
      let track = try OrientationTrack(
        times: motions.map(\.time), quaternions: motions.map(\.attitude.quaternion), frame: .nwu)
      return (track, options.talliesMeasurements ? measurements : nil)
    } catch {
      throw .badData(error.description)
    }
  }

  /// The error of a filter at every sample of the reference that counts.
  public func comparison(
    of recording: JudgedRecording, by filter: ConfiguredFilter
  ) throws(FusionError) -> OrientationComparison {
    try comparison(of: try fuse(recording, filter), recording)
  }

  private func comparison(
    of estimate: OrientationTrack, _ recording: JudgedRecording
  ) throws(FusionError) -> OrientationComparison {
    do throws(EvaluationError) {
      return try OrientationComparison(
        estimate: estimate, reference: recording.reference, movement: recording.movement,
        options: options.comparison)
    } catch {
      throw .badData("\(recording.path): \(error.description)")
    }
  }

  private func score(
    _ filter: String, _ estimate: OrientationTrack, _ recording: JudgedRecording
  ) throws(FusionError) -> Judgement {
    let comparison = try comparison(of: estimate, recording)
    let score = Score(
      recording: recording.path, filter: filter, errors: comparison.summary, course: comparison.course,
      missingCount: comparison.missingCount, clockShift: comparison.clockShift)
    return (score, options.keepsErrors ? comparison : nil)
  }
}
