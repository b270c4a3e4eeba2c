import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity",
    abstract: "Classify activities in a log: stationary, walking, running, cycling, automotive.",
    discussion: """
      inertial activity LOG [--json] [--online] [--model FILE]   the activities of a log
      inertial activity train --labels FILE LOG... -o MODEL      a model from your own labels

      The device may have any orientation; an accelerometer at 15 Hz is enough. A barometer adds stairs, and speeds in \
      the log improve the detection of vehicles. Falls are detected, and with --placement the posture. \
      'inertial activity show --help' and 'inertial activity train --help' list the options.
      """,
    subcommands: [ActivityShowCommand.self, ActivityTrainCommand.self],
    defaultSubcommand: ActivityShowCommand.self)
}

struct ActivityShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "List the activities of a log, with start, end and confidence.",
    discussion: """
      Windows of 2.56 s are classified by a trained model and by physical rules for vehicles, then smoothed over the \
      whole log; --online uses only earlier samples. Flags are as in Core Motion: stationary and automotive are both set \
      in a waiting car; no flag is set if no activity fits.

      A fall is a descent, an impact harder than the previous motion, a change of the device's orientation, and rest. \
      With --placement the posture is derived from the angle between gravity and its direction while walking, so it is \
      unknown before the first walk.
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Flag(
    name: [.customLong("online"), .customLong("live")],
    help: "Print the activities that a stream reports, from earlier samples only: every 2.56 s and at each change.")
  var online = false

  @Option(help: ArgumentHelp("A model of 'inertial activity train'. Default: the built-in one.", valueName: "file"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "The body part that the device is attached to, trunk or thigh (also a trouser pocket), for the posture. "
        + "The device must rotate with the body.", valueName: "place"))
  var placement: PosturePlacement?

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func run() throws {
    var job = ActivityJob(input: input)
    job.log = try log.options
    (job.isLive, job.placement) = (online, placement)
    if let model { job.model = try ActivityModel(path: model) }
    let report = try ProgressBar.during(input) { try job.run(progress: $0) }
    if json { try printJSON(report) } else { report.print() }
  }
}

extension ActivityJob.Report {
  func print(on page: Page = .standard) {
    page.heading(log, source, duration: lastTime - firstTime)
    if listed.isEmpty {
      page.line("The log is too short: the classification needs at least 2.56 s.")
      return
    }
    var table = TextTable(
      ["start s", isLive ? "time s" : "end s", "prob."].map { .init($0, 9) } + [.init(" activity", 0, isLeft: true)])
    for segment in listed {
      let names = segment.flags.names
      let labels = names.isEmpty ? "-" : names.joined(separator: ", ")
      table.add(
        fixed(segment.start, 2), fixed(segment.end, 2), fixed(segment.probabilities[segment.probabilities.best], 2),
        " \(labels) (\(segment.confidence.rawValue))")
    }
    table.print(on: page)
    printBody(on: page)
    guard !isLive else { return }
    page.line("")
    for activity in ActivityClass.flagged {
      let own = segments.filter { $0.flags.contains(ActivityFlags(activity)) }
      guard !own.isEmpty else { continue }
      let seconds = own.reduce(0) { $0 + $1.end - $1.start }
      let marks = own.map { ($0.start, $0.end, Character("█")) }
      let strip = timeline(from: firstTime, to: lastTime, width: page.picture(beside: 24), marks: marks)
      page.line(padded(activity.rawValue, 11), strip, " \(fixed(seconds, 0)) s", style: .blue)
    }
  }

  private func printBody(on page: Page) {
    if !falls.isEmpty { page.line("") }
    for fall in falls {
      let degrees = fall.orientationChange * 180 / .pi
      page.line(
        "fall at \(fixed(fall.impact, 2)) s: \(fixed(fall.peak, 1)) g, rotated by \(fixed(degrees, 0))°,",
        "at rest from \(fixed(fall.end, 2)) s (score \(fixed(fall.score, 2)))", style: .yellow)
    }
    guard let postures else { return }
    page.line("")
    var table = TextTable(["start s", "end s", ""].map { .init($0, 9) } + [.init(" posture", 0, isLeft: true)])
    for segment in postures {
      table.add(fixed(segment.start, 2), fixed(segment.end, 2), "", " \(segment.posture.rawValue)")
    }
    table.print(on: page)
  }
}
