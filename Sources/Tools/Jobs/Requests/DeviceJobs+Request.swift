internal import InertialCalibration
internal import InertialLogs
internal import InertialNumerics
internal import InertialSimulation

// The jobs that measure or simulate a device, or convert its logs, in a request's object. Each initializer throws
// FusionError if a member is unknown, has an invalid value or has no effect.

extension ConversionJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    guard let output = try request.text("output") else { throw .usage("the member 'output' is missing, a path") }
    self.init(input: input, output: output, format: try request.choice("format"))
    if !DatasetFormat.ofSamples.contains(format) {
      throw .usage(
        "the format '\(format.rawValue)' has no raw samples; use one of "
          + DatasetFormat.ofSamples.map(\.rawValue).joined(separator: ", "))
    }
    self.log = log
    if let path = try request.text("noise") {
      guard format == .euroc else { throw .usage("'noise' is for euroc, not \(format.rawValue); leave it out") }
      do throws(LogError) { noise = try InertialNoise(path: path) } catch { throw FusionError(error) }
      readFiles.append(path)
    }
    writesMetadata = try request.flag("writesMetadata") ?? false
    startsAtZero = try request.flag("startsAtZero") ?? false
    writesUnits = try request.flag("writesUnits") ?? false
    (force, strict) = (try request.flag("force") ?? false, try request.flag("strict") ?? false)
    if var names = try request.object("bids") {
      guard format == .bids else { throw .usage("'bids' is for the format bids, not \(format.rawValue); leave it out") }
      bids = try BIDSEntities(
        subject: names.text("subject"), task: names.text("task"), trackingSystem: names.text("trackingSystem"))
      try names.finish()
    }
    try request.finish()
  }
}

extension AllanJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    if let names = try request.names("deviations") { kinds = try StabilityDeviation.list(names) }
    timeCount = try request.integer("times") ?? timeCount
    confidence = try request.number("confidence") ?? confidence
    (start, end) = (try request.number("start") ?? start, try request.number("end"))
    if !(1...1000).contains(timeCount) { throw request.invalid("times", takes: "1 to 1000", not: "\(timeCount)") }
    if !(confidence > 0 && confidence < 1) {
      throw request.invalid("confidence", takes: "a probability above 0 and below 1", not: "\(confidence)")
    }
    if !(start >= 0 && start.isFinite) { throw request.invalid("start", takes: "seconds from 0 on", not: "\(start)") }
    if let end, !(end > start) { throw request.invalid("end", takes: "seconds after the start", not: "\(end)") }
  }
}

extension CalibrationJob {
  init(inputs: [String], log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(inputs: inputs)
    self.log = log
    device = try request.text("device") ?? device
    gravity = try request.number("gravity") ?? gravity
    if !(9.7...9.9).contains(gravity) { throw request.invalid("gravity", takes: "9.7 to 9.9 m/s2", not: "\(gravity)") }
    if let path = try request.text("compare") { other = try DeviceCalibration(path: path) }
    (given.place, given.year) = (try request.place("location"), try request.year("date"))
  }
}

extension SimulationJob {
  init(_ request: inout RequestObject) throws(FusionError) {
    guard let scenario = try request.text("scenario"), let folder = try request.text("output") else {
      throw .usage("a simulation needs the members 'scenario' and 'output', the path of a folder")
    }
    let seed = try request.integer("seed") ?? 1
    guard seed >= 0 else { throw request.invalid("seed", takes: "an integer from 0 on", not: "\(seed)") }
    try self.init(
      scenario: scenario, sensors: request.text("sensors"), duration: request.number("duration"), seed: UInt64(seed),
      settings: ParameterSettings(&request), folder: folder)
    force = try request.flag("force") ?? false
    try request.finish()
  }
}
