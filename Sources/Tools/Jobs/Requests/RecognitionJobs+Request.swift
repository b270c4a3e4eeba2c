internal import InertialLogs
internal import InertialRecognition

// The jobs that a request's object contains. Each initializer throws FusionError if a member is unknown, has an invalid
// value or has no effect.

extension ShakeJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    if let names = try request.names("detectors") { detectors = ShakeDetectorKind.names(names) }
    settings = try ParameterSettings(&request)
    try set(sensitivity: request.number("sensitivity"))
    gestures.maximumDuration = try request.number("maximumDuration")
    try Self.checkDuration(gestures.maximumDuration)
    if try request.flag("isContinuous") == true { gestures.isOneShot = false }
    try request.finish()
  }
}

extension ActivityJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    isLive = try request.flag("isLive") ?? isLive
    placement = try request.choice("placement")
    if let path = try request.text("model") { model = try ActivityModel(path: path) }
    try request.finish()
  }
}

extension StepsJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    pedometer.height = try request.number("height") ?? pedometer.height
    try TrackOptions.checkHeight(pedometer.height)
    try request.finish()
  }
}

extension AltitudeJob {
  init(input: String, log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    self.init(input: input)
    self.log = log
    rows = try Rows(rate: request.number("rate"), isAll: request.flag("all") ?? false)
    isCausal = try request.flag("isCausal") ?? isCausal
    vertical.barometerLag = try request.number("barometerLag")
    floors.floorHeight = try request.number("floorHeight") ?? floors.floorHeight
    try request.finish()
    try check()
  }
}

/// An evaluation of detectors against labels.
enum EventEvaluationRequest {
  case events(EventEvaluationJob)
  case activities(ActivityEvaluationJob)
  case steps(StepEvaluationJob)

  init(inputs: [String], log: LogOptions, _ request: inout RequestObject) throws(FusionError) {
    let task = try request.text("task") ?? ""
    let labels = try request.text("labels")
    switch task {
    case "shake", "falls":
      var job = EventEvaluationJob(inputs: inputs)
      (job.log, job.detectsFalls) = (log, task == "falls")
      if task == "shake" {
        job.detectors = try request.names("detectors") ?? job.detectors
        job.settings = try ParameterSettings(&request)
        for value in try request.numbers("sensitivities") ?? [] {
          guard (0...1).contains(value) else {
            throw request.invalid("sensitivities", takes: "numbers from 0 to 1", not: "\(value)")
          }
          job.sensitivities.append(value)
        }
      }
      job.labels = try labels.map { (path) throws(FusionError) in try EventLabels(path: path) }
      job.event = (try request.text("event") ?? (task == "falls" ? "fall" : task)).lowercased()
      job.window = try request.duration("window") ?? job.window
      job.tolerance = try request.number("tolerance") ?? job.tolerance
      job.judgesWindowsAlone = try request.flag("windowsAlone") ?? false
      self = .events(job)
    case "activity":
      guard let labels else { throw .usage("the task activity needs the member 'labels', a path") }
      var job = ActivityEvaluationJob(inputs: inputs, labels: try EventLabels(path: labels))
      job.log = log
      job.event = try request.text("event")?.lowercased()
      job.skip = try request.number("skip") ?? job.skip
      job.window = try request.duration("window") ?? job.window
      if let path = try request.text("model") { job.model = try ActivityModel(path: path) }
      self = .activities(job)
    case "steps":
      var job = StepEvaluationJob(inputs: inputs)
      job.log = log
      job.labels = try labels.map { (path) throws(FusionError) in try StepLabels(path: path) }
      job.tolerance = try request.number("tolerance") ?? job.tolerance
      self = .steps(job)
    default: throw request.invalid("task", takes: "shake, activity, steps or falls", not: task)
    }
    try request.finish()
  }

  /// Runs the evaluation, and returns its document.
  func run(progress: (Double) -> Void) throws -> String {
    switch self {
    case .events(let job): try jsonText(job.document(of: try job.run(progress: progress)))
    case .activities(let job): try jsonText(try job.run(progress: progress))
    case .steps(let job): try jsonText(try job.run(progress: progress))
    }
  }
}
