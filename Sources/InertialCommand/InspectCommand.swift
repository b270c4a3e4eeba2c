import ArgumentParser
import Inertial

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Say what is in a log: format, streams, rates, jitter, gaps, units and signs, rest, bias, and what looks wrong."
  )

  @Argument(help: ArgumentHelp("A log: file or folder.", valueName: "input"))
  var input: String

  @Flag(help: "Print one JSON document on standard output.")
  var json = false

  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func run() throws {
    var bar = ProgressBar(input)
    let report: InspectionJob.Report
    do {
      defer { bar.end() }
      report = try InspectionJob(path: input, options: log.options).run { bar.show($0) }
    }
    let document = InspectionDocument(report)
    if json { try printJSON(document) } else { document.print() }
  }
}

private struct InspectionDocument: Encodable {
  struct Channel: Encodable {
    var name: String
    var unit: String
    var samples: Int
    var used: Int
    var empty: Int
    var missing: Int
    var invalid: Int
    var outOfOrder: Int
    var repeated: Int
    var setApart: Int
    var gaps: Int
    /// Seconds.
    var longestInterval: Double
    var firstTime: Double?
    var lastTime: Double?
    /// Hz.
    var rate: Double
    /// Standard deviation of the intervals, seconds.
    var jitter: Double
    var values: ValueReport?
  }

  var path: String
  var format: String
  var formatDescription: String
  var notes: [String]
  var epoch: Double?
  var channels: [Channel]
  var rest: RestReport
  var warnings: [String]
  var findings: [String]

  init(_ report: InspectionJob.Report) {
    let description = report.log.description
    path = description.path
    format = description.format
    formatDescription = description.summary
    notes = description.notes
    epoch = description.epoch
    channels = SensorChannel.allCases.compactMap { channel in
      report.log.reports[channel].map {
        Channel(
          name: channel.name, unit: channel.unit, samples: $0.count, used: $0.used,
          empty: report.log.emptyCounts[channel] ?? 0, missing: $0.missing, invalid: $0.invalid,
          outOfOrder: $0.outOfOrder, repeated: $0.collapsed, setApart: $0.setApart, gaps: $0.gaps,
          longestInterval: $0.longestInterval, firstTime: $0.used > 0 ? $0.firstTime : nil,
          lastTime: $0.used > 0 ? $0.lastTime : nil, rate: $0.meanRate, jitter: $0.jitter,
          values: report.values[channel])
      }
    }
    rest = report.rest
    warnings = report.log.warnings
    findings = report.findings
  }

  func print() {
    Swift.print("\(path): \(formatDescription)")
    for note in notes { Swift.print("  \(note)") }
    if let epoch { Swift.print("  time 0 is UNIX time \(fixed(epoch, 3)) s") }
    Swift.print("")
    Swift.print(
      padded("channel", 26), right("samples"), right("rate Hz"), right("jitter ms"), right("gaps"),
      right("duration s"), right("mean norm"), " unit")
    for channel in channels {
      Swift.print(
        padded(channel.name, 26), right("\(channel.used)"), right(fixed(channel.rate, 2)),
        right(fixed(channel.jitter * 1000, 3)), right("\(channel.gaps)"),
        right(fixed((channel.lastTime ?? 0) - (channel.firstTime ?? 0), 2)),
        right(channel.values.map { fixed($0.meanNorm, 4) } ?? "-"), " \(channel.unit)")
    }
    Swift.print("")
    if rest.phases.isEmpty {
      Swift.print("rest: none of two seconds or more")
    } else {
      let total = rest.phases.reduce(0) { $0 + $1.end - $1.start }
      Swift.print(
        "rest: \(rest.phases.count) phase\(rest.phases.count == 1 ? "" : "s"), \(fixed(total, 1)) s in all, the first at \(fixed(rest.phases[0].start, 1)) s"
      )
      if let bias = rest.gyroscopeBias {
        Swift.print("  gyroscope bias \(fixed(bias.x, 5)), \(fixed(bias.y, 5)), \(fixed(bias.z, 5)) rad/s")
      }
      if let norm = rest.accelerationNorm { Swift.print("  acceleration \(fixed(norm, 4)) g") }
    }
    if !warnings.isEmpty {
      Swift.print("")
      for warning in warnings { Swift.print("note: \(warning)") }
    }
    Swift.print("")
    if findings.isEmpty {
      Swift.print("Nothing looks wrong.")
    } else {
      for finding in findings { Swift.print("! \(finding)") }
    }
  }

  private func right(_ text: String) -> String { padded(text, 11, left: true) }
}
