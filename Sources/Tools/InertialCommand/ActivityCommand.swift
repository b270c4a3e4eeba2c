import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct ActivityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activity",
    abstract: "Tell what a person does in a log: stationary, walking, running, cycling, in a vehicle.",
    discussion: """
      inertial activity LOG [--json] [--live] [--model FILE]     the activities of a log
      inertial activity train --labels FILE LOG... -o MODEL      a model from your own labels

      The device may be held anyhow; 15 Hz and an accelerometer are enough. A barometer adds stairs, and a speed in \
      the log tells vehicles apart. Falls are told, and with --placement the posture. 'inertial activity show --help' \
      and 'inertial activity train --help' list the options.
      """,
    subcommands: [ActivityShowCommand.self, ActivityTrainCommand.self],
    defaultSubcommand: ActivityShowCommand.self)
}

struct ActivityShowCommand: AnsweringCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "The activities of a log, from when to when, how sure.",
    discussion: """
      Windows of 2.56 s are weighed by a trained model and by the physics of vehicles, and followed over time; what \
      came later counts too, unless --live asks for what was known at each moment. Flags are as in Core Motion: \
      stationary and automotive are both set in a car that waits; no flag says that none of the activities fits.

      A fall is a way down, a hit harder than the motion before, another orientation of the device than before, and \
      rest. With --placement the posture is told from the angle between gravity and that of walking: nothing is known \
      before the first walk.
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Flag(help: "What was told as the log went on, by what came before alone, each 2.56 s or on a change.")
  var live = false

  @Option(help: ArgumentHelp("A model of 'inertial activity train'. Default: the built-in one.", valueName: "file"))
  var model: String?

  @Option(
    help: ArgumentHelp(
      "Where the device is worn, trunk or thigh, fixed enough that it turns with the body: tells the posture. "
        + "A trouser pocket is thigh.", valueName: "place"))
  var placement: PosturePlacement?

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func document(_ access: LogAccess, progress: (Double) -> Void) throws -> ActivityDocument {
    var job = ActivityJob(input: input)
    job.log = try access.applied(to: log.options)
    job.placement = placement
    if let model { job.model = try ActivityModel(path: model) }
    return ActivityDocument(try job.run(progress: progress), isLive: live, model: job.model.name)
  }

  func run() throws {
    let document = try documentWithBar(input)
    if json { try printJSON(document) } else { document.print() }
  }
}

extension ActivityModel {
  /// Reads a model that a user named.
  init(path: String) throws(FusionError) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .badData("\(path): the file cannot be read; give a model made by 'inertial activity train'")
    }
    do throws(ActivityModelError) {
      try self.init(json: data)
    } catch {
      throw .badData("\(path): \(error)")
    }
  }
}

struct ActivityDocument: Encodable {
  struct Segment: Encodable {
    /// Seconds on the log's clock.
    var start: Double
    var end: Double
    var flags: [String]
    var confidence: MotionActivity.Confidence
    var probabilities: ActivityProbabilities

    init(_ activity: MotionActivity) {
      (start, end, flags) = (activity.start, activity.end, activity.flags.names)
      (confidence, probabilities) = (activity.confidence, activity.probabilities)
    }
  }

  var input: String
  var format: String
  var source: MotionSource?
  var model: String
  var firstTime: Double
  var lastTime: Double
  /// By all of the log; live: each answer, from its activity's start to when it was told.
  var segments: [Segment]
  var falls: [FallEvent]
  /// nil without --placement.
  var posture: [PostureSegment]?
  var warnings: [String]
  private let isLive: Bool

  private enum CodingKeys: CodingKey {
    case input, format, source, model, firstTime, lastTime, segments, falls, posture, warnings
  }

  init(_ report: ActivityJob.Report, isLive: Bool, model: String) {
    (input, format, source) = (report.log.description.path, report.log.description.format, report.source)
    (self.model, self.isLive) = (model, isLive)
    (firstTime, lastTime) = (report.firstTime ?? 0, report.lastTime ?? 0)
    segments = (isLive ? report.updates : report.segments).map { Segment($0) }
    (falls, posture) = (report.falls, report.postures)
    warnings = report.log.warnings
  }

  func print(on page: Page = .standard) {
    page.line("\(input): \(fixed(lastTime - firstTime, 1)) s, \(source?.meaning ?? "")")
    for warning in warnings { page.line("note: \(warning)", style: .yellow) }
    page.line("")
    if segments.isEmpty {
      page.line("Too short: an activity is told from 2.56 s on.")
      return
    }
    var table = TextTable(
      ["start s", isLive ? "told s" : "end s", "sure"].map { .init($0, 9) } + [.init(" activity", 0, isLeft: true)])
    for segment in segments {
      let words = segment.flags.isEmpty ? "-" : segment.flags.joined(separator: ", ")
      table.add(
        fixed(segment.start, 2), fixed(segment.end, 2), fixed(segment.probabilities[segment.probabilities.best], 2),
        " \(words) (\(segment.confidence.rawValue))")
    }
    table.print(on: page)
    printBody(on: page)
    guard !isLive else { return }
    page.line("")
    for activity in ActivityClass.allCases where segments.contains(where: { $0.flags.contains(activity.rawValue) }) {
      let own = segments.filter { $0.flags.contains(activity.rawValue) }
      let seconds = own.reduce(0) { $0 + $1.end - $1.start }
      var strip = TimeStrip(from: firstTime, to: lastTime, width: page.picture(beside: 24))
      for segment in own { strip.mark(from: segment.start, to: segment.end) }
      page.line(padded(activity.rawValue, 11), strip.text, " \(fixed(seconds, 0)) s", style: .blue)
    }
  }

  private func printBody(on page: Page) {
    if !falls.isEmpty { page.line("") }
    for fall in falls {
      let degrees = fall.orientationChange * 180 / .pi
      page.line(
        "fall at \(fixed(fall.impact, 2)) s: \(fixed(fall.peak, 1)) g, turned by \(fixed(degrees, 0))°,",
        "at rest from \(fixed(fall.end, 2)) s (score \(fixed(fall.score, 2)))", style: .yellow)
    }
    guard let posture else { return }
    page.line("")
    var table = TextTable(["start s", "end s", ""].map { .init($0, 9) } + [.init(" posture", 0, isLeft: true)])
    for segment in posture {
      table.add(fixed(segment.start, 2), fixed(segment.end, 2), "", " \(segment.posture.rawValue)")
    }
    table.print(on: page)
  }
}
