import ArgumentParser
import Inertial
import InertialSystem

enum EventTask: String, ExpressibleByArgument, CaseIterable {
  case shake
  case activity
  case steps
  case falls

  /// The label of what is found.
  var event: String { self == .falls ? "fall" : rawValue }
}

struct EvaluateEventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate-events",
    abstract: "Judge detectors by labels, and by recordings in which nothing is to be found.",
    discussion: """
      A stretch with the event's label is found where a detector's event overlaps it; an event that overlaps none, give or \
      take a second, is a false alarm. Delay is from a stretch's start to when the detector told of it. Without --labels \
      every detection is a false alarm. Intervals and bounds are at 95 %. The last column is what a detector takes for a \
      sample, in nanoseconds.

      Labels and events are matched one to one as well, where no more than --tolerance lies between them: as many pairs \
      as there can be, and of those the closest. Precision is the share of the events that have a label, recall the share \
      of the labels that have an event; the timing error is an event's start less its label's.

      Labels: a CSV file with the columns start, end (seconds on the log's clock) and label, and recording (the name of \
      the log's file or folder) where there are several logs.

      Activities are judged in windows, each by the label and the answer that fill most of it: how often which was \
      answered by which, F1 by activity and its mean. Labels may be the activities' names, or words such as sitting, \
      standing, jogging, biking and driving. With --event only whether it is that activity or another. Beside the \
      windows, whole stretches are judged by the kind of error (Ward, Lukowicz and Gellersen 2011): labelled ones are \
      correct, deleted, fragmented (told in several pieces) or merged (told together with others), told ones correct, \
      inserted, fragmenting or merging; and of the time, what is missed in a deletion, between fragments or at the edges \
      (underfill), and what is told falsely in an insertion, between merged ones or at the edges (overfill).

      Steps: the labels have the column steps, the true count of a recording or of the stretch from start to end, or \
      the column time with a line for each step, which are matched one to one with those counted. In recordings without \
      labels every step is a false one.

      Examples:
        inertial evaluate-events --task shake walk.csv ride.csv
        inertial evaluate-events --task activity LOGS --labels labels.csv
        inertial evaluate-events --task shake LOGS --labels labels.csv --sensitivities 0,0.25,0.5,0.75,1
        inertial evaluate-events --task steps LOGS --labels counts.csv
        inertial evaluate-events --task falls LOGS --labels labels.csv --tolerance 2
      """)

  @Argument(help: ArgumentHelp("Logs: files, folders, folders with logs in them, or patterns.", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("What is to be found: shake, activity, steps or falls.", valueName: "name"))
  var task: EventTask

  @Option(help: ArgumentHelp("The labels.", valueName: "file"))
  var labels: String?

  @Option(
    help: ArgumentHelp("The label of what is to be found. Default: shake, fall, or each activity.", valueName: "name"))
  var event: String?

  @Option(help: ArgumentHelp("Detectors with commas between, or all.", valueName: "a,b,c"))
  var detectors = "all"

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the detectors that have it, or detector.name=value for one; may be given again. 'inertial shake --rules' lists them.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(help: ArgumentHelp("Sensitivities of the detectors that have one, a row for each.", valueName: "a,b,c"))
  var sensitivities: String?

  @Option(
    help: ArgumentHelp(
      "Length of the windows that are counted by label. Default: 3; activities: 2.56.", valueName: "seconds"))
  var window: Double?

  @Option(
    help: ArgumentHelp(
      "Time between a label and an event that are taken for the same. Default: 1; steps: 0.2.", valueName: "seconds"))
  var tolerance: Double?

  @Option(help: ArgumentHelp("Time at a log's start in which activities are not judged.", valueName: "seconds"))
  var skip = 0.0

  @Option(help: ArgumentHelp("A model of 'inertial activity train'. Default: the built-in one.", valueName: "file"))
  var model: String?

  @Flag(
    help:
      "Judge each window by itself, by a detector that has seen nothing before it, and not by events of the whole log."
  )
  var windowsAlone = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func validate() throws {
    if let window, !(window > 0 && window.isFinite) {
      throw ValidationError("--window takes seconds above 0, not \(window)")
    }
    if !(skip >= 0 && skip.isFinite) { throw ValidationError("--skip takes seconds, not \(skip)") }
    if let tolerance {
      if task == .activity { throw ValidationError("--tolerance is for --task shake, steps and falls") }
      guard tolerance >= 0 && tolerance.isFinite else {
        throw ValidationError("--tolerance takes seconds, not \(tolerance)")
      }
    }
    if task == .activity, labels == nil { throw ValidationError("--task activity needs --labels") }
    _ = try sensitivityValues()
    if task != .shake, !settings.isEmpty { throw ValidationError("--set is for --task shake") }
    if task == .steps, detectors != "all" || sensitivities != nil || event != nil {
      throw ValidationError("--detectors, --sensitivities and --event are for --task shake")
    }
    if task == .falls, detectors != "all" { throw ValidationError("--detectors is for --task shake") }
  }

  private func sensitivityValues() throws -> [Double] {
    try sensitivities?.split(separator: ",").map { text in
      guard let value = Double(text), (0...1).contains(value) else {
        throw ValidationError("--sensitivities takes numbers from 0 to 1, not '\(text)'")
      }
      return value
    } ?? []
  }

  func run() throws {
    let paths = try LogInputs.paths(inputs, log.options)
    switch task {
    case .shake, .falls: try judgeEvents(paths)
    case .activity: try judgeActivities(paths)
    case .steps: try judgeSteps(paths)
    }
  }
}

extension EvaluateEventsCommand {
  private func judgeEvents(_ paths: [String]) throws {
    var job = EventEvaluationJob(inputs: paths)
    job.log = try log.options
    if detectors != "all" { job.detectors = detectors.split(separator: ",").map(String.init) }
    job.settings = try ParameterSettings(words: settings)
    job.sensitivities = try sensitivityValues()
    job.labels = try labels.map { (path) throws(FusionError) in try EventLabels(path: path) }
    job.event = (event ?? task.event).lowercased()
    job.task = task == .falls ? .falls : .shakes
    if let window { job.window = window }
    if let tolerance { job.tolerance = tolerance }
    job.judgesWindowsAlone = windowsAlone
    var bar = ProgressBar("\(paths.count) logs")
    let rows: [EventEvaluationJob.Row]
    do {
      defer { bar.end() }
      rows = try job.run { bar.show($0) }
    }
    let document = EventEvaluationDocument(task: task.rawValue, event: job.event, logs: paths.count, rows: rows)
    if json { try printJSON(document) } else { document.print() }
  }

  private func judgeActivities(_ paths: [String]) throws {
    var job = ActivityEvaluationJob(inputs: paths, labels: try EventLabels(path: labels ?? ""))
    job.log = try log.options
    job.event = event?.lowercased()
    job.skip = skip
    if let window { job.window = window }
    if let model { job.model = try ActivityModel(path: model) }
    var bar = ProgressBar(counted(paths.count, "log"))
    let report: ActivityEvaluationJob.Report
    do {
      defer { bar.end() }
      report = try job.run { bar.show($0) }
    }
    let document = ActivityEvaluationDocument(report, logs: paths.count, window: job.window)
    if json { try printJSON(document) } else { document.print() }
  }

  private func judgeSteps(_ paths: [String]) throws {
    var job = StepEvaluationJob(inputs: paths)
    job.log = try log.options
    job.labels = try labels.map { (path) throws(FusionError) in try StepLabels(path: path) }
    if let tolerance { job.tolerance = tolerance }
    var bar = ProgressBar(counted(paths.count, "log"))
    let report: StepEvaluationJob.Report
    do {
      defer { bar.end() }
      report = try job.run { bar.show($0) }
    }
    let document = StepEvaluationDocument(report)
    if json { try printJSON(document) } else { document.print() }
  }
}
