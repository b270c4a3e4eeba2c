import ArgumentParser
import Foundation
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

  @OptionGroup(title: "Sound") var sound: SoundArguments
  @OptionGroup(title: "What a log cannot say") var log: LogArguments

  func run() throws {
    var bar = ProgressBar(input)
    let report: InspectionJob.Report
    do {
      defer { bar.end() }
      var job = InspectionJob(path: input, options: log.options)
      job.sound = sound.source
      report = try job.run { bar.show($0) }
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

  /// A channel beside the motion sensors.
  struct Auxiliary: Encodable {
    struct Field: Encodable {
      var name: String
      var unit: String
      var values: Int
      var smallest: Double?
      var largest: Double?
    }

    var name: String
    var meaning: String
    var isEvent: Bool
    var samples: Int
    var used: Int
    var missing: Int
    var invalid: Int
    var impossibleValues: Int
    var outOfOrder: Int
    var repeated: Int
    var late: Int
    /// Seconds.
    var longestInterval: Double
    var firstTime: Double?
    var lastTime: Double?
    /// Hz.
    var rate: Double
    var fields: [Field]

    init(_ channel: AuxiliaryChannel, _ report: AuxiliaryReport) {
      name = channel.name
      meaning = channel.meaning
      isEvent = channel.isEvent
      (samples, used, missing, invalid) = (report.count, report.used, report.missing, report.invalid)
      impossibleValues = report.impossibleValues
      (outOfOrder, repeated, late) = (report.outOfOrder, report.collapsed, report.late)
      longestInterval = report.longestInterval
      firstTime = report.used > 0 ? report.firstTime : nil
      lastTime = report.used > 0 ? report.lastTime : nil
      rate = report.meanRate
      fields = zip(channel.fields, report.fields).map { field, found in
        Field(
          name: field.name, unit: field.unit, values: found.count,
          smallest: found.count > 0 ? found.smallest : nil, largest: found.count > 0 ? found.largest : nil)
      }
    }
  }

  var path: String
  var format: String
  var formatDescription: String
  /// How a log of the format is recognised.
  var recognition: String?
  var notes: [String]
  var epoch: Double?
  var channels: [Channel]
  /// Channels beside the motion sensors; nil where the log has none.
  var auxiliary: [Auxiliary]?
  var rest: RestReport
  /// Time offsets of the sensors against the gyroscope.
  var alignment: [LogAlignment.Entry]
  /// What the log's times count, where the reader knows.
  var clock: LogClock?
  var warnings: [String]
  var findings: [String]

  init(_ report: InspectionJob.Report) {
    let description = report.log.description
    path = description.path
    format = description.format
    formatDescription = description.summary
    recognition = LogFormat(id: format)?.recognition
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
    let found = report.log.auxiliary.sorted { $0.key < $1.key }.map { Auxiliary($0.key, $0.value) }
    auxiliary = found.isEmpty ? nil : found
    rest = report.rest
    alignment = report.alignment.entries(isApplied: false)
    clock = description.clock
    warnings = report.log.warnings
    findings = report.findings
  }

  func print() {
    Swift.print("\(path): \(formatDescription)")
    if let recognition { printWrapped("  \(format): recognised by ", recognition, indent: 4) }
    for note in notes { Swift.print("  \(note)") }
    if let clock { printWrapped("  clock: ", clock.description, indent: 4) }
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
    if let auxiliary { Self.print(auxiliary) }
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
    if !alignment.isEmpty {
      Swift.print("time offsets against the gyroscope:")
      for entry in alignment { Swift.print("  \(entry.sentence)") }
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

  private static func print(_ auxiliary: [Auxiliary]) {
    for channel in auxiliary {
      // Events come when they come: they have no rate.
      Swift.print(
        padded(channel.name, 26), right("\(channel.used)"), right(channel.isEvent ? "-" : fixed(channel.rate, 2)),
        right("-"), right("-"), right(fixed((channel.lastTime ?? 0) - (channel.firstTime ?? 0), 2)))
      for field in channel.fields {
        guard let smallest = field.smallest, let largest = field.largest else { continue }
        let unit = field.unit == "1" ? "" : " \(field.unit)"
        Swift.print("  \(padded(field.name, 24)) \(short(smallest)) to \(short(largest))\(unit)")
      }
    }
    Swift.print("")
  }

  private static func short(_ value: Double) -> String { String(format: "%.9g", value) }

  private static func right(_ text: String) -> String { padded(text, 11, left: true) }

  private func right(_ text: String) -> String { Self.right(text) }
}
