public import InertialEvaluation
public import InertialFilters
public import InertialFusion
public import InertialLogs
public import InertialNumerics
public import InertialRotations
internal import InertialSensors

/// The evaluation of filters, or of an external estimate, against a reference.
public struct EvaluationJob: Sendable {
  /// The options of an evaluation.
  public struct Options: Sendable {
    /// The names of the filters to evaluate, or `nil` for all.
    public var filters: [String]?
    /// The filters that can be named: the built-in ones, and those that a program adds.
    public var filterRegistry = FilterKind.all
    /// Whether the offline forms of filters are evaluated. Without named filters, all filters that have one are
    /// evaluated.
    public var smooths = false
    /// The parameters of the filters; other parameters keep their defaults.
    public var settings = ParameterSettings()
    /// The frame and the field. The default uses the magnetometer.
    public var motion: DeviceMotionEstimator.Configuration = {
      var configuration = DeviceMotionEstimator.Configuration()
      configuration.frame = .xMagneticNorthZVertical
      return configuration
    }()
    /// The alignment, the skipped time and the interpolation of the comparison.
    public var comparison = OrientationComparison.Options()
    /// The path of a reference file, if the log has no reference or another one is to be used.
    public var referencePath: String?
    /// The name of a reference file in the folder of each log.
    package var referenceName: String?
    /// Returns the path of the reference file of a log, or `nil` if the log contains the reference.
    package func referencePath(of log: String) -> String? {
      referencePath ?? referenceName.map { EvaluationJob.beside(log, $0) }
    }
    /// The reference's earth frame, or `nil` for the frame that the log specifies.
    public var referenceFrame: EarthFrame?
    /// Whether the attitude recorded by the device is evaluated in addition to the filters, with the name `deviceName`.
    package var judgesDevice = false
    /// The path of an estimate to evaluate instead of filters.
    package var estimatePath: String?
    /// The estimate's earth frame, or `nil` for the reference's frame (NWU for a dataset of Inertial).
    package var estimateFrame: EarthFrame?
    /// The place and date of the recordings, for true north. They take precedence over the logs' own.
    public var given = PlaceAndDate()
    /// Whether the processing time of the filters is measured.
    public var measuresCost = true
    /// Whether filters report their measurement outcomes.
    package var talliesMeasurements = false
    /// Whether the error of every sample is kept, which takes 32 bytes for each sample and filter.
    package var keepsErrors = false
    /// Properties of the logs that only the user knows.
    public var log = LogOptions()

    /// Creates the default options.
    public init() {}

    /// Whether total and heading errors are meaningful. They are not if X is arbitrary and no yaw is fitted.
    package var judgesHeading: Bool {
      estimatePath != nil || motion.frame.isNorthReferenced || comparison.alignment != .none
    }
  }

  /// The results of one filter, or of the estimate, on one recording.
  public struct Score: Sendable, Codable {
    /// The path of the log.
    public var recording: String
    /// The name of the filter, or the path of the estimate.
    public var filter: String
    /// The angles between estimate and reference, in degrees.
    public var errors: ErrorSummary
    /// The drift and the jumps of the error.
    public var course: ErrorTrend
    /// The processing time of the filter alone, in nanoseconds per gyroscope sample, or `nil` for an estimate.
    public var nanosecondsPerSample: Double?
    /// The number of reference samples without a finite estimate.
    package var missingCount: Int
    /// The seconds added to the estimate's times, if a clock offset was searched and found.
    package var clockShift: Double?
    /// The statistics of the filter's measurements by kind, or `nil` if they are not requested.
    package var measurements: [MeasurementStatistics]?
  }

  /// A filter that could not be evaluated on a recording, with the reason.
  public struct Failure: Sendable, Codable {
    /// The path of the log.
    public var recording: String
    /// The name of the filter, or the path of the estimate.
    public var filter: String
    /// The problem, in one line.
    public var reason: String

    /// Creates a failure.
    package init(recording: String, filter: String, reason: String) {
      (self.recording, self.filter, self.reason) = (recording, filter, reason)
    }

    /// The message, with the name of the filter.
    package var message: String { "\(filter): \(reason)" }
  }

  /// The name of the device's own attitude among the filters.
  package static let deviceName = "device"

  /// The result of the evaluation on one log.
  public struct Result: Sendable {
    /// The scores, one for each evaluated filter.
    public var scores: [Score] = []
    /// The filters that could not be evaluated.
    public var failures: [Failure] = []
    /// The errors of every sample, by filter; empty if `keepsErrors` is `false`.
    package var comparisons: [String: OrientationComparison] = [:]
    /// The summary of the log and its problems.
    public var log: LogSummary
  }

  /// The options of the evaluation.
  public var options: Options

  /// Creates a job, which `run` performs for one log.
  public init(options: Options = Options()) { self.options = options }

  /// Returns the filters to evaluate with their settings.
  public func filters() throws(FusionError) -> [ConfiguredFilter] {
    let kinds: [FilterKind]
    if let names = options.filters {
      kinds = try names.map(options.filterRegistry.requested)
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        throw .usage("the filter \(name) is named twice")
      }
      for kind in kinds where options.smooths { try kind.checkOfflineForm() }
    } else {
      kinds = options.filterRegistry.filter { $0.canSmooth || !options.smooths }
    }
    let settings = try options.settings.expecting(options.log.calibration).resolved(
      for: kinds, of: options.filterRegistry)
    return zip(kinds, settings).map { ConfiguredFilter($0, settings: $1) }
  }

  /// Evaluates the filters on one log, one after the other.
  ///
  /// - Parameters:
  ///   - path: The path of the log.
  ///   - progress: Called with the completed fraction, 0...1, at the start and after each evaluated or timed filter.
  /// - Returns: A score or a failure for each filter, or for the estimate, and the summary of the log.
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

  /// Evaluates the filters on one log, using all cores. Processing times are measured afterwards, one filter at a time.
  ///
  /// - Parameters:
  ///   - path: The path of a log with a reference.
  ///   - progress: Called with the completed fraction, 0...1, after each evaluated or timed filter.
  package func runConcurrently(
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

  private typealias Judgement = (score: Score, comparison: OrientationComparison?, northDelay: Double?)
  private typealias Attempt = Swift.Result<Judgement, FusionError>

  private func attempt(_ filter: ConfiguredFilter, _ recording: ReferenceRecording) -> Attempt {
    Attempt { () throws(FusionError) in
      try checkStop(recording.path)
      let (track, measurements, northDelay) = try run(filter, on: recording)
      var judgement = try score(filter.kind.name, track, recording)
      (judgement.score.measurements, judgement.northDelay) = (measurements, northDelay)
      return judgement
    }
  }

  /// Returns the warning that headings without north are compared, or `nil` if there are none.
  private func northWarning(_ delays: [(filter: String, seconds: Double)]) -> String? {
    let late = delays.filter { $0.seconds > max(Self.usualNorthDelay, options.comparison.skip) }
    guard let longest = late.map(\.seconds).max() else { return nil }
    let names = late.map(\.filter).joined(separator: ", ")
    return longest < .infinity
      ? "north is unknown in the first \((10 * longest).rounded() / 10) s (\(names)), whose heading errors contain an arbitrary "
        + "yaw; leave them out with --skip \(Int(longest.rounded(.up)))"
      : "north is never known (\(names)), so heading errors contain an arbitrary yaw; check the field, or use "
        + "--frame xArbitraryZVertical with --align yaw"
  }

  /// The time until a filter knows north without a calibration of the field, in seconds.
  private static let usualNorthDelay = 1.0

  /// - Throws: ``FusionError`` if a stop was requested.
  func checkStop(_ path: String) throws(FusionError) {
    guard options.log.stop?.isRaised != true else { throw .badData("\(path): was stopped before its end") }
  }

  private func result(
    _ recording: ReferenceRecording, _ filters: [ConfiguredFilter], _ attempts: [Attempt],
    timing: (Double) -> Void = { _ in }
  ) throws(FusionError) -> Result {
    let costs =
      options.measuresCost ? try costs(recording, filters, progress: timing) : filters.map { _ in nil }
    var result = Result(log: recording.log)
    var northDelays: [(String, Double)] = []
    for (index, attempt) in attempts.enumerated() {
      switch attempt {
      case .success(var judgement):
        if let delay = judgement.northDelay { northDelays.append((judgement.score.filter, delay)) }
        judgement.score.nanosecondsPerSample = costs[index]
        note(judgement, in: &result)
      case .failure(let error):
        result.failures.append(
          Failure(recording: recording.path, filter: filters[index].kind.name, reason: error.description))
      }
    }
    if let warning = northWarning(northDelays) { result.log.warnings.append(warning) }
    if options.judgesDevice {
      do throws(FusionError) {
        note(try score(Self.deviceName, try deviceAttitude(of: recording), recording), in: &result)
      } catch {
        result.failures.append(Failure(recording: recording.path, filter: Self.deviceName, reason: error.description))
      }
    }
    return result
  }

  private func judge(_ estimatePath: String, on recording: ReferenceRecording) throws(FusionError) -> Result {
    let estimate = try self.estimate(estimatePath, on: recording)
    var result = Result(log: recording.log)
    note(try score(estimatePath, estimate, recording), in: &result)
    return result
  }

  private func note(_ judgement: Judgement, in result: inout Result) {
    result.scores.append(judgement.score)
    result.comparisons[judgement.score.filter] = judgement.comparison
  }

  func fuse(_ recording: ReferenceRecording, _ filter: ConfiguredFilter) throws(FusionError) -> OrientationTrack {
    try run(filter, on: recording).track
  }

  /// Returns the orientations of a filter, its measurements, and the seconds until north is known, infinite if it never
  /// is and `nil` in frames without north.
  private func run(
    _ filter: ConfiguredFilter, on recording: ReferenceRecording
  ) throws(FusionError) -> (track: OrientationTrack, measurements: [MeasurementStatistics]?, northDelay: Double?) {
    var estimator = try filter.kind.estimator(filter.settings, configuration(of: recording), smooths: options.smooths)
    if options.talliesMeasurements { estimator.reportMeasurements() }
    let motions = estimator.motions(of: recording.samples)
    var measurements: [MeasurementStatistics] = []
    for motion in motions { measurements.add(motion.measurements, at: motion.time) }
    do throws(EvaluationError) {
      let track = try OrientationTrack(
        times: motions.map(\.time), quaternions: motions.map(\.attitude.quaternion), frame: .nwu)
      let north = motions.first { $0.heading >= 0 }?.time ?? .infinity
      return (
        track, options.talliesMeasurements ? measurements : nil,
        options.motion.frame.isNorthReferenced ? motions.first.map { north - $0.time } : nil
      )
    } catch {
      throw .badData(error.description)
    }
  }

  /// Returns the error of a filter at every compared sample of the reference.
  public func comparison(
    of recording: ReferenceRecording, by filter: ConfiguredFilter
  ) throws(FusionError) -> OrientationComparison {
    try comparison(of: try fuse(recording, filter), recording)
  }

  private func comparison(
    of estimate: OrientationTrack, _ recording: ReferenceRecording
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
    _ filter: String, _ estimate: OrientationTrack, _ recording: ReferenceRecording
  ) throws(FusionError) -> Judgement {
    let comparison = try comparison(of: estimate, recording)
    let score = Score(
      recording: recording.path, filter: filter, errors: comparison.summary, course: comparison.course,
      missingCount: comparison.missingCount, clockShift: comparison.clockShift)
    return (score, options.keepsErrors ? comparison : nil, nil)
  }
}
