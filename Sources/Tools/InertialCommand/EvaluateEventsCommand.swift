import ArgumentParser
import Inertial
import InertialSystem

enum EventTask: String, ExpressibleByArgument, CaseIterable {
  case shake
  case activity
  case steps
  case falls

  /// The label of the detected events.
  var event: String { self == .falls ? "fall" : rawValue }
}

struct EvaluateEventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "evaluate-events",
    abstract: "Evaluate detectors against labels, and count false alarms in recordings without events.",
    discussion: """
      A labelled segment is found if a detected event overlaps it; an event that overlaps no labelled segment within one \
      second is a false alarm. The delay is the time from the start of a segment to its detection. Without --labels every \
      detection is a false alarm. Confidence intervals and bounds are at 95 %. The last column is the detector's time per \
      sample, in nanoseconds.

      Labels and events are also matched one to one if they are at most --tolerance apart: the maximum number of pairs, \
      and among these matchings the closest. Precision is the fraction of events that have a label, recall the fraction \
      of labels that have an event; the timing error is an event's start minus its label's start.

      Labels: a CSV file with the columns start, end (seconds on the log's clock) and label, and recording (the name of \
      the log's file or folder) for several logs.

      Activities are evaluated in windows, each with the label and the classification that cover most of it: the \
      confusion matrix, F1 by activity and its mean. Labels are the activities' names, or words such as sitting, \
      standing, jogging, biking and driving. With --event, the classes are that activity and all others. In addition, \
      segments are evaluated by the kind of error (Ward, Lukowicz and Gellersen 2011): labelled segments are correct, \
      deleted, fragmented (detected in several parts) or merged (detected together with others), detected segments are \
      correct, inserted, fragmenting or merging. Missed time is in a deletion, between fragments or at the edges \
      (underfill); falsely detected time is in an insertion, between merged segments or at the edges (overfill).

      Steps: the labels have the column steps, the true count of a recording or of the segment from start to end, or the \
      column time with a line for each step, which are matched one to one with the detected steps. In recordings without \
      labels every step is a false step.

      Examples:
        inertial evaluate-events --task shake walk.csv ride.csv
        inertial evaluate-events --task activity LOGS --labels labels.csv
        inertial evaluate-events --task shake LOGS --labels labels.csv --sensitivities 0,0.25,0.5,0.75,1
        inertial evaluate-events --task steps LOGS --labels counts.csv
        inertial evaluate-events --task falls LOGS --labels labels.csv --tolerance 2
      """)

  @Argument(help: ArgumentHelp("Logs: files, folders, folders with logs in them, or patterns.", valueName: "input"))
  var inputs: [String]

  @Option(help: ArgumentHelp("The events to detect: shake, activity, steps or falls.", valueName: "name"))
  var task: EventTask

  @Option(help: ArgumentHelp("The CSV file with the labels.", valueName: "file"))
  var labels: String?

  @Option(
    help: ArgumentHelp("The label of the events. Default: shake, fall, or each activity.", valueName: "name"))
  var event: String?

  @Option(help: ArgumentHelp("The detectors, separated by commas, or all.", valueName: "a,b,c"))
  var detectors = "all"

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of all detectors that have it, or of one with detector.name=value; can be repeated. 'inertial shake --rules' lists the parameters.",
      valueName: "name=value"))
  var settings: [String] = []

  @Option(
    help: ArgumentHelp("The sensitivities of the detectors that have one, one row per value.", valueName: "a,b,c"))
  var sensitivities: String?

  @Option(
    help: ArgumentHelp(
      "The duration of the windows that are counted by label, in seconds. Default: 3; activities: 2.56.",
      valueName: "seconds"))
  var window: Double?

  @Option(
    help: ArgumentHelp(
      "The maximum time between a matching label and event, in seconds. Default: 1; steps: 0.2.", valueName: "seconds"))
  var tolerance: Double?

  @Option(
    help: ArgumentHelp("The duration to skip at the start of a log, for activities, in seconds.", valueName: "seconds"))
  var skip = 0.0

  @Option(help: ArgumentHelp("A model of 'inertial activity train'. Default: the built-in one.", valueName: "file"))
  var model: String?

  @Flag(
    help:
      "Evaluate each window separately, with a restarted detector, instead of the events of the whole log."
  )
  var windowsAlone = false

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

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
    let paths = try LogFeed.readableLogs(of: inputs, log.options, warn: Console.warning)
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
    job.detectsFalls = task == .falls
    if let window { job.window = window }
    if let tolerance { job.tolerance = tolerance }
    job.judgesWindowsAlone = windowsAlone
    let rows = try ProgressBar.during("\(paths.count) logs") { try job.run(progress: $0) }
    if json { try printJSON(job.document(of: rows)) } else { job.print(rows) }
  }

  private func judgeActivities(_ paths: [String]) throws {
    var job = ActivityEvaluationJob(inputs: paths, labels: try EventLabels(path: labels ?? ""))
    job.log = try log.options
    job.event = event?.lowercased()
    job.skip = skip
    if let window { job.window = window }
    if let model { job.model = try ActivityModel(path: model) }
    let report = try ProgressBar.during(counted(paths.count, "log")) { try job.run(progress: $0) }
    if json { try printJSON(report) } else { report.print() }
  }

  private func judgeSteps(_ paths: [String]) throws {
    var job = StepEvaluationJob(inputs: paths)
    job.log = try log.options
    job.labels = try labels.map { (path) throws(FusionError) in try StepLabels(path: path) }
    if let tolerance { job.tolerance = tolerance }
    let report = try ProgressBar.during(counted(paths.count, "log")) { try job.run(progress: $0) }
    if json { try printJSON(report) } else { report.print() }
  }
}
