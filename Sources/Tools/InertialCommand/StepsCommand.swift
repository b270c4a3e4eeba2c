import ArgumentParser
import Inertial
import InertialEssentials
import InertialSystem

struct StepsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "steps",
    abstract: "Count the steps in a log, with distance and walking intervals.",
    discussion: """
      Needs an accelerometer at 15 Hz or more, held or worn anywhere except on a foot (use 'inertial track --on \
      foot'); a fused dataset or a device's motion also works. Shakes, rides and gestures do not count as steps. The \
      distance is not measured, but modelled from the range of the acceleration within each step (Weinberg 2002), the \
      cadence and the height of the person. Floors need a barometer.

      Examples:
        inertial steps walk.csv
        inertial steps LOGFOLDER --height 1.82 --json
      """)

  @Argument(help: ArgumentHelp("A log: file, folder, or - for standard input.", valueName: "input"))
  var input: String

  @Option(help: ArgumentHelp("The height of the person, for the step length, in metres.", valueName: "m"))
  var height = Pedometer.Parameters().height

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "Input interpretation") var log: LogArguments

  func validate() throws { try validated { try TrackOptions.checkHeight(height) } }

  func run() throws {
    var job = StepsJob(input: input)
    job.log = try log.options
    job.pedometer.height = height
    let report = try ProgressBar.during(input) { try job.run(progress: $0) }
    if json { try printJSON(report) } else { report.print() }
  }
}

extension StepsJob.Report {
  func print(on page: Page = .standard) {
    page.heading(log, source, duration: lastTime - firstTime)
    let walks = walks
    if walks.isEmpty {
      page.line("No steps.")
    } else {
      var table = TextTable(["start s", "end s", "steps", "m", "steps/s"].map { .init($0, 9) })
      for walk in walks {
        let time = walk.distance * (walk.averageActivePace ?? 0)
        table.add(
          fixed(walk.start, 1), fixed(walk.end, 1), "\(walk.numberOfSteps)", fixed(walk.distance, 0),
          time > 0 ? fixed(Double(walk.numberOfSteps) / time, 2) : "-")
      }
      table.print(on: page)
      page.line("")
      page.line("\(data.numberOfSteps) steps, \(fixed(data.distance, 0)) ± \(fixed(data.distanceSigma, 0)) m\(floors)")
    }
    page.line("")
    let width = page.picture(beside: 24)
    let spans = walks.map { ($0.start, $0.end) } + history.steps.map { ($0.time, $0.time) }
    let marks = spans.map { ($0.0, $0.1, Character("█")) }
    page.line(timeline(from: firstTime, to: lastTime, width: width, marks: marks), style: .blue)
    if page.isTerminal, !history.steps.isEmpty {
      let cadence = cadence(parts: width)
      page.line(sparkline(cadence, width: width, minimum: 0), style: .blue)
      page.line("steps per second, up to \(fixed(cadence.max() ?? 0, 1))", style: .dim)
    }
  }

  private var floors: String {
    guard let ascended = data.floorsAscended, let descended = data.floorsDescended else { return "" }
    return ", \(ascended) floors up, \(descended) down"
  }

  /// Returns the steps per second in each part of the log, from the times between steps, as a part may be shorter than
  /// these.
  private func cadence(parts: Int) -> [Double] {
    var cadence = [Double](repeating: 0, count: parts)
    let span = max(lastTime - firstTime, .leastNonzeroMagnitude)
    let times = history.steps.map(\.time)
    for (a, b) in zip(times, times.dropFirst()) where b > a && b - a < 2.5 {
      let first = Int((a - firstTime) / span * Double(parts))
      let last = min(parts - 1, Int((b - firstTime) / span * Double(parts)))
      for part in max(0, first)...max(0, first, last) where part < parts { cadence[part] = 1 / (b - a) }
    }
    return cadence
  }
}
