internal import InertialEssentials
internal import InertialFilters
internal import InertialFusion
package import InertialLogs
internal import InertialNumerics
internal import InertialRecognition
internal import InertialSensors
internal import InertialSystem

/// The answer to a request for a job in JSON, for programs that call the toolkit as a library.
///
/// A request is an object. Its member `job` is one of `names`, `input` is the path of the log unless the caller has it
/// in memory, and `log` contains the properties of the log (`LogOptions`). The other members are the properties of the
/// job in Swift:
/// - `fuse`: `options` (`FusionOptions`), `output` (without it the rows stay in memory), `isOverlapped`;
/// - `restore`: `options` and `document` of a `fuse` request whose rows are the caller's columns;
/// - `read`: `channels`;
/// - `inspect`: `sound`, `guesses`;
/// - `evaluate`: those of `EvaluationRequest`, with `settings`, `noise`, `field`, `location` and `date`;
/// - `shake`: `detectors`, `settings`, `sensitivity`, `maximumDuration`, `isContinuous`;
/// - `activity`: `isLive`, `placement`, `model` (a path);
/// - `steps`: `height`;
/// - `altitude`: `rate`, `all`, `isCausal`, `barometerLag`, `floorHeight`;
/// - `track`: `options` (`FusionOptions`), `output` (without it the rows stay in memory), `map`;
/// - `convert`: `output`, `format`, and other properties of `ConversionJob`;
/// - `allan`: `deviations`, `times`, `confidence`, `start`, `end`, `outputs`, `force`;
/// - `calibrate`: `inputs`, `device`, `gravity`, `compare`, `location`, `date`, `outputs`, `force`;
/// - `evaluateEvents`: `inputs`, `task`, `labels`, and other properties of `EventEvaluationRequest`;
/// - `simulate`: `scenario`, `output`, `sensors`, `duration`, `seed`, `settings`, `force`, without a log;
/// - `filters`, `formats`: `names`, without a log.
package struct JobAnswer: Sendable {
  /// The output of the job's command with `--json`.
  package let document: String
  /// The fused rows, with the name "motion", or the samples of each channel that was read, with the channel's name.
  package private(set) var tables: [(name: String, block: FusedTable)] = []
  /// The report on the fused rows, or `nil` if there are none.
  private var fusion: FusionJob.Report?

  /// The jobs.
  package static let names = [
    "fuse", "restore", "read", "inspect", "evaluate", "shake", "activity", "steps", "altitude", "track", "convert",
    "allan", "calibrate", "evaluateEvents", "simulate", "filters", "formats",
  ]
}

extension JobAnswer {
  /// Runs a job.
  ///
  /// - Parameters:
  ///   - json: The request.
  ///   - held: A log in the caller's memory, or `nil` if the request has its path.
  ///   - progress: A closure that is called periodically with the completed fraction, 0 to 1; it returns `false` to
  ///     stop.
  /// - Throws: ``FusionError``, which is `stopped` if `progress` stopped the job.
  package init(
    _ json: String, held: InMemoryTable? = nil, progress: (Double) -> Bool = { _ in true }
  ) throws(FusionError) {
    let stop = StopFlag()
    do {
      var request = try RequestObject(json: json)
      self = try Self.run(&request, held, stop) { fraction in
        if !stop.isRaised, !progress(fraction) { stop.raise() }
      }
    } catch {
      throw stop.isRaised ? .stopped : Self.failure(error)
    }
  }

  private static func run(
    _ request: inout RequestObject, _ held: InMemoryTable?, _ stop: StopFlag, _ progress: (Double) -> Void
  ) throws -> JobAnswer {
    let job = try request.text("job") ?? ""
    switch job {
    case "filters": return try answer(FilterKind.all.requested(requestedNames(&request)).map(\.document))
    case "formats": return try answer(LogFormat.known(requestedNames(&request)).map(\.document))
    case let job where !names.contains(job):
      throw FusionError.usage("there is no job '\(job)'; there are \(names.joined(separator: ", "))")
    case "simulate":
      let job = try SimulationJob(&request)
      return try answer(job.document(samples: job.run()))
    case "calibrate", "evaluateEvents": return try runMany(job, &request, held, stop, progress)
    default: break
    }
    let input = try input(&request, held, isGiven: job == "restore" || held == nil)
    if ["fuse", "restore", "track"].contains(job) {
      var fusion = FusionJob(input: input, options: try FusionOptions(request.object("options")))
      guard job != "restore" else { return try restore(fusion, &request, held) }
      (fusion.options.log.held, fusion.options.log.stop) = (held, stop)
      return try job == "track" ? track(fusion, &request, progress) : fuse(fusion, &request, progress)
    }
    if job == "evaluate" {
      var evaluation = try EvaluationRequest(inputs: [input], &request)
      try request.finish()
      (evaluation.evaluation.log.held, evaluation.evaluation.log.stop) = (held, stop)
      return JobAnswer(document: try jsonText(try evaluation.run(progress: progress)))
    }
    var log = try LogOptions(request.object("log"))
    (log.held, log.stop) = (held, stop)
    switch job {
    case "read": return try read(input, &log, &request, progress)
    case "inspect":
      let (sound, guesses) = (try request.sound("sound"), try request.flag("guesses") ?? false)
      try request.finish()
      guard guesses else {
        return try answer(InspectionReport(path: input, options: log, sound: sound, progress: progress))
      }
      try LogGuess.check(hasSound: sound != nil, hasCalibration: log.calibration != nil)
      return try answer(LogGuess.decide(path: input, options: log))
    case "shake":
      let job = try ShakeJob(input: input, log: log, &request)
      return try answer(job.run(progress: progress))
    case "activity":
      let job = try ActivityJob(input: input, log: log, &request)
      return try answer(job.run(progress: progress))
    case "steps":
      let job = try StepsJob(input: input, log: log, &request)
      return try answer(job.run(progress: progress))
    case "convert":
      let job = try ConversionJob(input: input, log: log, &request)
      return try answer(job.run(progress: progress))
    case "allan":
      let job = try AllanJob(input: input, log: log, &request)
      let files = try outputs(&request, sparing: [input])
      let report = try job.run(progress: progress)
      return try answer(report, writing: files) { (path) throws(FusionError) in try report.content(of: path) }
    default:
      let job = try AltitudeJob(input: input, log: log, &request)
      return try answer(job.run(progress: progress))
    }
  }

  private static func answer(_ result: some Encodable) throws -> JobAnswer {
    JobAnswer(document: try jsonText(result))
  }

  /// Runs a job on several logs.
  private static func runMany(
    _ job: String, _ request: inout RequestObject, _ held: InMemoryTable?, _ stop: StopFlag,
    _ progress: (Double) -> Void
  ) throws -> JobAnswer {
    var log = try LogOptions(request.object("log"))
    (log.held, log.stop) = (held, stop)
    let inputs: [String]
    if let paths = try request.texts("inputs") {
      guard held == nil else {
        throw FusionError.usage("the request has two logs, 'inputs' and columns; leave one out")
      }
      var unreadable: [String] = []
      inputs = try LogFeed.readableLogs(of: paths, log) { unreadable.append($0) }
      if let reason = unreadable.first { throw FusionError.badData(reason) }
    } else {
      guard held != nil else {
        throw FusionError.usage("the request has no logs; add the member 'inputs', or pass columns")
      }
      inputs = [InMemoryTable.name]
    }
    guard job == "calibrate" else {
      let evaluation = try EventEvaluationRequest(inputs: inputs, log: log, &request)
      return JobAnswer(document: try evaluation.run(progress: progress))
    }
    let calibration = try CalibrationJob(inputs: inputs, log: log, &request)
    let files = try outputs(&request, sparing: inputs)
    let report = try calibration.run(progress: progress)
    return try answer(report, writing: files) { (path) throws(FusionError) in try report.content(of: path) }
  }

  /// Ends a request with the members `outputs` and `force`, and opens its output files.
  private static func outputs(
    _ request: inout RequestObject, sparing inputs: [String]
  ) throws(FusionError) -> (paths: [String], files: OutputFiles) {
    let (paths, force) = (try request.texts("outputs") ?? [], try request.flag("force") ?? false)
    try request.finish()
    return (paths, try OutputFiles(paths, sparing: InputGuard(inputs), force: force))
  }

  /// Writes the files of a result, all or none, and returns its document.
  private static func answer(
    _ result: some Encodable, writing outputs: (paths: [String], files: OutputFiles),
    content: (String) throws(FusionError) -> String
  ) throws -> JobAnswer {
    for path in outputs.paths { try outputs.files.write(try content(path), to: path) }
    try outputs.files.commit()
    return try answer(result)
  }

  /// Estimates a path: rows in memory, or files with an output.
  private static func track(
    _ job: FusionJob, _ request: inout RequestObject, _ progress: (Double) -> Void
  ) throws -> JobAnswer {
    var job = job
    let (output, map) = (try request.text("output"), try request.text("map"))
    try request.finish()
    guard job.options.recognitions == [.track] else {
      throw FusionError.usage("a path has the recognition 'track', and no other; use fuse for several")
    }
    guard let output else {
      if map != nil { throw FusionError.usage("a map needs a dataset; add the member 'output'") }
      job.output = ""
      try job.options.checkNoFiles()
      let (table, report) = try job.table(progress: progress)
      return JobAnswer(
        document: try jsonText(report.path!.document(of: report, map: nil)), tables: [("motion", table)], fusion: report
      )
    }
    job.output = AtomicFile.plainName(output)
    let report = try job.run(mapPath: map, progress: progress)
    return try answer(report.path!.document(of: report, map: map))
  }

  private static func requestedNames(_ request: inout RequestObject) throws(FusionError) -> [String] {
    let names = try request.names("names") ?? []
    try request.finish()
    return names
  }

  private static func input(
    _ request: inout RequestObject, _ held: InMemoryTable?, isGiven: Bool
  ) throws(FusionError) -> String {
    guard let input = try request.text("input") else {
      if held == nil { throw .usage("the request has no log; add the member 'input', or pass columns") }
      return InMemoryTable.name
    }
    guard isGiven else { throw .usage("the request has two logs, 'input' and columns; leave one out") }
    if StreamAddress.isStream(input), input != "-" {
      throw .usage("\(input) is a stream; only the command 'inertial fuse --follow' reads it")
    }
    return input
  }

  /// Fuses a log to rows in memory, or to files with an output.
  private static func fuse(
    _ job: FusionJob, _ request: inout RequestObject, _ progress: (Double) -> Void
  ) throws -> JobAnswer {
    var job = job
    let output = try request.text("output")
    job.isOverlapped = try request.flag("isOverlapped") ?? true
    try request.finish()
    if let output {
      job.output = AtomicFile.plainName(output)
      return try answer(job.run(progress: progress))
    }
    if job.input == "-" { throw FusionError.usage("standard input needs an output; add the member 'output'") }
    // Rows in memory have no file name, so no check of formats applies to them.
    job.output = ""
    try job.options.checkNoFiles()
    let (table, report) = try job.table(progress: progress)
    return JobAnswer(document: try jsonText(report), tables: [("motion", table)], fusion: report)
  }

  /// Restores the result of another process from its fused rows, which are in memory, and its document.
  private static func restore(
    _ job: FusionJob, _ request: inout RequestObject, _ rows: InMemoryTable?
  ) throws -> JobAnswer {
    let document = try request.text("document") ?? ""
    try request.finish()
    guard let rows, let facts = try? FusionManifest.decoder.decode(RestoredDocument.self, from: Data(document.utf8))
    else { throw FusionError.usage("restore expects the rows and the document of a result of fuse") }
    var log = LogDescription(format: facts.format, summary: facts.formatDescription, path: facts.input)
    (log.notes, log.epoch) = (facts.notes, facts.logEpoch)
    let (block, report) = try job.restored(
      rows, log: log, declination: try facts.declination?.restored(), timeOrigin: facts.timeOrigin)
    return JobAnswer(document: document, tables: [("motion", block)], fusion: report)
  }

  /// Reads every sample of a log, by channel.
  private static func read(
    _ input: String, _ options: inout LogOptions, _ request: inout RequestObject, _ progress: (Double) -> Void
  ) throws -> JobAnswer {
    if let names = try request.names("channels") { options.auxiliary = try ChannelSelection(names: names).wanted }
    try request.finish()
    let (tables, summary) = try FusedTable.samples(input, options, progress: progress)
    let log = summary.description
    let facts = EncodedObject([
      "input": log.path, "format": log.format, "formatDescription": log.summary, "notes": log.notes,
      "epoch": log.epoch, "referenceFrame": log.referenceFrame, "warnings": summary.warnings,
    ])
    return JobAnswer(document: try jsonText(facts), tables: tables)
  }

  /// Writes fused rows to files, as `fuse` does.
  ///
  /// - Parameter json: The object with `output`, the path, and those of the members `formats`, `digits`, `writesLists`,
  ///   `writesUnits` and `force` of `FusionOptions` that differ from the defaults.
  package func write(_ json: String) throws(FusionError) {
    guard let fusion, let rows = tables.first else { throw .usage("there are no fused rows to write") }
    var request = try RequestObject(json: json)
    guard let output = try request.text("output"), AtomicFile.plainName(output) != "-" else {
      throw .usage("the member 'output' is missing, the path of a file")
    }
    var job = fusion.job
    job.output = output
    // The metadata is not written to a file here.
    job.options.writesMetadata = false
    try job.options.setFiles(&request)
    try request.finish()
    job.options.log.stop = nil
    _ = try job.write(rows.block, fusion)
  }

  private static func failure(_ error: any Error) -> FusionError {
    switch error {
    case let error as FusionError: error
    case let error as LogError: FusionError(error)
    default: .badData("\(error)")
    }
  }
}

extension FusionStream {
  /// Creates a stream for rows of numbers.
  ///
  /// - Parameters:
  ///   - json: The options (`FusionOptions`) as a JSON object.
  ///   - names: The names of the numbers in a row, with the same meaning as CSV columns.
  /// - Throws: ``FusionError`` if an option is invalid or needs the whole log, or a name is unknown.
  package init(_ json: String, names: [String]) throws(FusionError) {
    let options = try FusionOptions(RequestObject(json: json))
    try options.checkNoFiles()
    if options.sound != nil { throw .usage("'sound' needs the whole log; leave it out of a stream") }
    try self.init(names: names, options: options)
    request = (json, names)
  }
}

/// The members of a document of `fuse` that are needed to write its rows.
private struct RestoredDocument: Decodable {
  var input: String
  var format: String
  var formatDescription: String
  var notes: [String]
  var epoch: Double?
  var timeOrigin: Double?
  var declination: Declination?

  struct Declination: Decodable {
    var latitude: Double
    var longitude: Double
    var altitude: Double
    var place: MagneticDeclination.Origin
    var decimalYear: Double
    var date: MagneticDeclination.Origin

    func restored() throws(GeomagnetismError) -> MagneticDeclination? {
      let site = Place(latitude: latitude, longitude: longitude, altitude: altitude)
      return try MagneticDeclination(
        given: PlaceAndDate(place: place == .given ? site : nil, year: date == .given ? decimalYear : nil),
        log: PlaceAndDate(place: place == .log ? site : nil, year: date == .log ? decimalYear : nil))
    }
  }

  /// The UNIX time of the log's time 0: `epoch` is the rounded sum of it and the origin.
  var logEpoch: Double? {
    guard let epoch, let timeOrigin else { return epoch }
    let difference = epoch - timeOrigin
    return [difference, difference.nextDown, difference.nextUp].first { $0 + timeOrigin == epoch } ?? difference
  }
}
