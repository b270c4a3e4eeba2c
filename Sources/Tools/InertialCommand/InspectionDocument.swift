import Inertial
import InertialSystem

/// What `inspect` found, as one JSON document.
struct InspectionDocument: Encodable {
  /// How well a channel was recorded; see `StreamQuality`.
  struct Quality: Encodable {
    struct Axis: Encodable {
      var name: String
      /// In the channel's unit.
      var smallest: Double
      var largest: Double
      /// Shares of the samples that have exactly these values: many mean a clipped sensor.
      var shareAtSmallest: Double
      var shareAtLargest: Double
      /// The step of which the values are whole multiples; nil where none is found.
      var step: Double?
    }

    /// Seconds: the middle one of all intervals.
    var medianInterval: Double
    /// Width of the middle nine tenths of the intervals, as a share of the median.
    var intervalSpread: Double
    var gaps: [StreamQuality.Gap]
    var longestGap: StreamQuality.Gap?
    /// Sum of the gaps, seconds.
    var gapTime: Double
    /// Samples whose time is that of the sample before, and the most in a row with one time.
    var sameTime: Int
    var longestBurst: Int
    /// Samples to a block of evenly spaced stamps; nil where there are none.
    var blockLength: Int?
    var zeros: Int
    var longestZeroRun: StreamQuality.Run
    var longestConstantRun: StreamQuality.Run
    /// Middle one of the norms, as read.
    var medianNorm: Double
    var axes: [Axis]

    init(_ quality: StreamQuality, of channel: SensorChannel) {
      medianInterval = quality.medianInterval
      intervalSpread = quality.intervalSpread
      (gaps, longestGap, gapTime) = (quality.gaps, quality.longestGap, quality.gapTime)
      (sameTime, longestBurst, blockLength) = (quality.sameTimeCount, quality.longestBurst.count, quality.blockLength)
      (zeros, longestZeroRun, longestConstantRun) = (
        quality.zeroCount, quality.longestZeroRun, quality.longestConstantRun
      )
      medianNorm = quality.norms.median
      let total = Double(max(quality.count, 1))
      // Nothing finite: no range.
      let axes = quality.count > 0 ? quality.axes.prefix(channel.componentCount) : []
      self.axes = zip(axes, ["x", "y", "z", "w"]).map { axis, name in
        Axis(
          name: name, smallest: axis.smallest, largest: axis.largest, shareAtSmallest: Double(axis.atSmallest) / total,
          shareAtLargest: Double(axis.atLargest) / total, step: axis.step)
      }
    }
  }

  struct Channel: Encodable {
    var name: String
    var unit: String
    var samples: Int
    var used: Int
    var empty: Int
    var missing: Int
    var invalid: Int
    var outOfOrder: Int
    /// Line of the first sample out of order; nil where there is none.
    var firstOutOfOrderLine: Int?
    var repeated: Int
    var setApart: Int
    var gaps: Int
    /// Seconds.
    var longestInterval: Double
    var firstTime: Double?
    var lastTime: Double?
    /// Hz.
    var rate: Double
    /// Standard deviation of the intervals that are no gaps, seconds.
    var jitter: Double
    var values: ValueReport?
    var quality: Quality?
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

  /// A stretch of time, seconds.
  struct Span: Encodable {
    var start: Double
    var end: Double
  }

  /// The command for the log, as far as its data decide it.
  struct Guess: Encodable {
    struct Part: Encodable {
      var option: String
      /// "certain", "likely" or "open".
      var certainty: LogGuess.Certainty
      /// The test and what it found.
      var test: String
    }

    var command: String
    var parts: [Part]

    init(_ guess: LogGuess) {
      command = guess.command
      parts = guess.parts.map { Part(option: $0.answer.text, certainty: $0.certainty, test: $0.test) }
    }
  }

  var path: String
  /// Nil without --guess; the rest of the document is then of the log under this command's options.
  var guess: Guess?
  /// What looks wrong, the worst first; empty where nothing does.
  var findings: [String]
  /// The tests without a result, and the reasons.
  var untested: [String]
  /// What is no fault and good to know.
  var remarks: [String]
  var format: String
  var formatDescription: String
  /// How a log of the format is recognised.
  var recognition: String?
  var notes: [String]
  var epoch: Double?
  var channels: [Channel]
  /// When all of the motion sensors that the log has were recorded; nil where they never were together.
  var overlap: Span?
  /// Channels beside the motion sensors; nil where the log has none.
  var auxiliary: [Auxiliary]?
  var rest: RestReport
  var consistency: ConsistencyReport
  /// Time offsets of the sensors against the gyroscope.
  var alignment: [LogAlignment.Entry]
  /// What the log's times count, where the reader knows.
  var clock: LogClock?
  var warnings: [String]

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
          outOfOrder: $0.outOfOrder, firstOutOfOrderLine: $0.outOfOrder > 0 ? Int($0.firstOutOfOrderLine) : nil,
          repeated: $0.collapsed, setApart: $0.setApart, gaps: $0.gaps,
          longestInterval: $0.longestInterval, firstTime: $0.used > 0 ? $0.firstTime : nil,
          lastTime: $0.used > 0 ? $0.lastTime : nil, rate: $0.meanRate, jitter: $0.jitter,
          values: report.values[channel], quality: report.log.quality[channel].map { Quality($0, of: channel) })
      }
    }
    overlap = Self.overlap(report.log.reports)
    let found = report.log.auxiliary.sorted { $0.key < $1.key }.map { Auxiliary($0.key, $0.value) }
    auxiliary = found.isEmpty ? nil : found
    rest = report.rest
    consistency = report.consistency
    alignment = report.alignment.entries(isApplied: false)
    clock = description.clock
    warnings = report.log.warnings
    findings = report.findings.map(\.text)
    untested = report.untested
    remarks = report.remarks
  }

  private static func overlap(_ reports: [SensorChannel: ChannelReport]) -> Span? {
    let used = reports.filter { $0.key <= .calibratedMagneticField && $0.value.used > 0 }.values
    guard let start = used.map(\.firstTime).max(), let end = used.map(\.lastTime).min(), start < end else { return nil }
    return Span(start: start, end: end)
  }
}
