internal import InertialEssentials
package import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// An evaluation of filters, or of an external estimate, on one or more logs: their orientations or their paths.
package struct EvaluationRequest: Sendable {
  /// The evaluated quantity.
  package enum Task: String, Sendable, CaseIterable {
    case orientation
    case track
  }

  /// The evaluated quantity.
  package var task = Task.orientation
  /// Logs with a reference, folders of such logs, or patterns.
  package var inputs: [String]
  /// The options of both quantities, without the frame, the file of the reference and the alignment.
  package var evaluation = EvaluationJob.Options()
  /// The reference frame, or `nil` for the default of the quantity.
  package var frame: AttitudeReferenceFrame?
  /// The file with the reference, or `nil` for a reference in the log; see `EvaluationJob.Options.setReference`.
  package var reference: String?
  /// The constant differences to fit and remove, or `nil` for the default of the quantity.
  package var alignment: AlignmentMode?
  /// The grouping of the recordings, unless `groups` is the path of a table of groups.
  package var groupRule = RecordingGroups.Rule.automatic
  package var groups: String?
  /// The placement of the device and the height of the person in m, for paths, or `nil` for the defaults.
  package var on: CarryMode?
  package var height: Double?
  /// The constraints that paths do not use.
  package var without: [PathConstraint] = []
  /// Whether the paths end at their start.
  package var isClosed = false
  /// Whether the paths use earlier samples only, as in a stream, instead of the whole log.
  package var isCausal = false
  /// The duration of simulated outages of the position fixes, in seconds, or `nil` for none.
  package var withheld: Double?
  /// The interval of the relative error, or `nil` for the default.
  package var interval: PathInterval?

  /// Creates a request for the orientations of the filters on some logs.
  package init(inputs: [String]) { self.inputs = inputs }

  /// - Throws: ``FusionError`` if options exclude each other or do not apply to the quantity.
  package func check() throws(FusionError) {
    if evaluation.estimatePath != nil {
      if evaluation.filters != nil { throw .usage("give --estimate or --filters, not both") }
      if evaluation.judgesDevice { throw .usage("give --estimate or --device, not both") }
      if evaluation.talliesMeasurements {
        throw .usage("--innovations applies to filters, not to --estimate; leave one out")
      }
      if evaluation.smooths { throw .usage("--smooth applies to filters, not to --estimate; leave one out") }
    }
    if groups != nil, groupRule != .automatic { throw .usage("give --groups or --group-by, not both") }
    if let withheld, !(withheld > 0 && withheld.isFinite) {
      throw .usage("--withhold takes seconds above 0, not \(withheld)")
    }
    try TrackOptions.checkHeight(height)
    try evaluation.check()
    guard task == .track else {
      let given: KeyValuePairs = [
        "--closed": isClosed, "--withhold": withheld != nil, "--over": interval != nil, "--on": on != nil,
        "--height": height != nil, "--without": !without.isEmpty, "--online": isCausal,
      ]
      if let option = given.first(where: \.value)?.key { throw .usage("\(option) applies to paths; add --task track") }
      return
    }
    if evaluation.judgesDevice { throw .usage("--device applies to orientations; leave it out with --task track") }
    if evaluation.talliesMeasurements {
      throw .usage("--innovations applies to orientations; leave it out with --task track")
    }
    if evaluation.comparison.clockAlignment != nil {
      throw .usage("--align-clock compares orientations; use --clock-shift SECONDS with --task track")
    }
    if evaluation.estimatePath != nil, withheld != nil {
      throw .usage("--withhold applies to paths that inertial estimates, not to --estimate; leave one out")
    }
    if withheld == nil, !isClosed, reference == nil {
      throw .usage(
        "the evaluation of paths needs a reference; use --reference FILE (time,x,y or time,x,y,z), --closed if the path "
          + "ends at its start, or --withhold SECONDS")
    }
  }

  /// Returns the logs that the inputs represent, each once, and sets the path of their reference.
  ///
  /// - Parameter warn: A closure that is called with a warning about each log that cannot be read.
  package mutating func logs(warn: (String) -> Void) throws(FusionError) -> [String] {
    let logs = try LogFeed.readableLogs(of: inputs, evaluation.log, warn: warn)
    if let reference { try evaluation.setReference(reference, logCount: logs.count) }
    return logs
  }

  /// Returns the groups of the logs.
  package func grouping(of logs: [String]) throws(FusionError) -> RecordingGroups {
    guard let groups else { return RecordingGroups(logs, by: groupRule) }
    let data = try contents(of: groups, "check the path and its permissions")
    return try RecordingGroups(logs, table: String(decoding: data, as: UTF8.self), path: groups)
  }

  /// Returns the job for orientations.
  ///
  /// - Throws: ``FusionError`` if there is an estimate and more than one log.
  package func job(logCount: Int) throws(FusionError) -> EvaluationJob {
    if evaluation.estimatePath != nil, logCount > 1 {
      throw .usage("--estimate expects one log, found \(logCount)")
    }
    var options = evaluation
    if let frame { options.motion.frame = frame }
    options.comparison.alignment = alignment ?? .none
    return EvaluationJob(options: options)
  }

  /// Returns the job for paths.
  ///
  /// - Throws: ``FusionError`` if there is an estimate and more than one log.
  package func trackJob(logCount: Int) throws(FusionError) -> TrackEvaluationJob {
    var job = TrackEvaluationJob()
    job.evaluation = try self.job(logCount: logCount).options
    job.evaluation.motion.frame = frame ?? .commandDefault
    job.frameNeedsField = frame != nil
    job.track = TrackOptions(on: on, height: height, without: without)
    job.comparison.alignment = alignment ?? .yaw
    if let interval { job.comparison.interval = interval }
    (job.isClosed, job.withheld, job.isCausal) = (isClosed, withheld, isCausal)
    return job
  }

  /// Evaluates the logs one after the other, in the caller's thread.
  ///
  /// - Parameter progress: A closure that is called periodically with the completed fraction, 0 to 1.
  /// - Returns: The report, with the logs that cannot be read among its failures.
  mutating func run(progress: (Double) -> Void) throws(FusionError) -> any Encodable {
    var leftOut: [String] = []
    if evaluation.log.held == nil {
      inputs = try logs { leftOut.append($0) }
    } else if let reference {
      try evaluation.setReference(reference, logCount: 1)
    }
    let groups = try grouping(of: inputs).byPath(inputs)
    func show(_ index: Int, _ fraction: Double) { progress((Double(index) + fraction) / Double(inputs.count)) }
    if task == .track {
      let job = try trackJob(logCount: inputs.count)
      let names = try filterNames(job.filters)
      let found = try evaluations(by: names, leftOut) { (index, input) throws(FusionError) in
        let result = try job.run(on: input) { show(index, $0) }
        return (result.rows, result.failures)
      }
      return TrackEvaluationReport(
        found.scores, unjudged: found.unjudged, failures: found.messages, groups: groups, job: job)
    }
    let job = try job(logCount: inputs.count)
    let names = try filterNames(job.filters)
    let found = try evaluations(by: names, leftOut) { (index, input) throws(FusionError) in
      let result = try job.run(on: input) { show(index, $0) }
      return (result.scores, result.failures)
    }
    return EvaluationReport(
      found.scores, unjudged: found.unjudged, failures: found.messages, groups: groups,
      judgesHeading: job.options.judgesHeading)
  }

  /// Returns the names of the evaluated filters, or the path of the estimate.
  ///
  /// - Parameter filters: A function that returns the job's filters.
  package func filterNames(_ filters: () throws(FusionError) -> [ConfiguredFilter]) throws(FusionError) -> [String] {
    if let path = evaluation.estimatePath { return [path] }
    return try filters().map(\.kind.name) + (evaluation.judgesDevice ? [EvaluationJob.deviceName] : [])
  }

  private func evaluations<Score>(
    by filters: [String], _ messages: [String],
    _ evaluate: (Int, String) throws(FusionError) -> (scores: [Score], failures: [EvaluationJob.Failure])
  ) throws(FusionError) -> LogEvaluations<Score> {
    var found = LogEvaluations<Score>(logCount: inputs.count, filters: filters, messages: messages)
    for (index, input) in inputs.enumerated() {
      let result = Result { () throws(FusionError) in try evaluate(index, input) }
      _ = try found.add(result, of: input)
    }
    return found
  }
}

extension EvaluationRequest {
  /// Creates the request that a JSON object contains.
  ///
  /// - Throws: ``FusionError`` if a member is unknown, has an invalid value or does not apply.
  init(inputs: [String], _ request: inout RequestObject) throws(FusionError) {
    self.init(inputs: inputs)
    task = try request.choice("task") ?? task
    evaluation.filters = try request.names("filters")
    evaluation.smooths = try request.flag("smooths") ?? false
    evaluation.settings = try ParameterSettings(&request)
    evaluation.motion.field = try request.choice("field") ?? .automatic
    frame = try request.value(
      "frame", { AttitudeReferenceFrame(name: $0) },
      takes: AttitudeReferenceFrame.frames.map(\.name).joined(separator: ", "))
    evaluation.given = PlaceAndDate(place: try request.place("location"), year: try request.year("date"))
    (reference, alignment) = (try request.text("reference"), try request.choice("alignment"))
    evaluation.referenceFrame = try request.choice("referenceFrame")
    if try request.flag("alignsClock") == true { evaluation.comparison.clockAlignment = ClockAlignment() }
    evaluation.comparison.clockShift = try request.number("clockShift") ?? 0
    evaluation.comparison.skip = try request.number("skip") ?? 0
    evaluation.judgesDevice = try request.flag("judgesDevice") ?? false
    evaluation.estimatePath = try request.text("estimatePath")
    evaluation.estimateFrame = try request.choice("estimateFrame")
    evaluation.measuresCost = try request.flag("measuresCost") ?? true
    evaluation.talliesMeasurements = try request.flag("talliesMeasurements") ?? false
    groupRule = try request.choice("groupRule") ?? groupRule
    groups = try request.text("groups")
    (on, height) = (try request.choice("on"), try request.number("height"))
    isClosed = try request.flag("isClosed") ?? false
    isCausal = try request.flag("isCausal") ?? false
    withheld = try request.number("withheld")
    interval = try request.value(
      "interval", { PathInterval($0) }, takes: "a time such as 60s or a distance such as 100m")
    evaluation.log = try LogOptions(request.object("log"))
    try check()
  }
}
