import Inertial
import InertialSystem

/// The findings of `inspect` as a JSON document.
struct InspectionDocument: Encodable {
  /// The recording quality of a channel; see `StreamQuality`.
  struct Quality: Encodable {
    struct Axis: Encodable {
      var name: String
      /// The range of the values, in the channel's unit.
      var smallest: Double
      var largest: Double
      /// The fractions of samples that have exactly these values: large fractions indicate a clipped sensor.
      var shareAtSmallest: Double
      var shareAtLargest: Double
      /// The step of which all values are multiples, or `nil` if no step was found.
      var step: Double?
    }

    /// The median of all intervals, in seconds.
    var medianInterval: Double
    /// The width of the central 90 % of the intervals, as a fraction of the median.
    var intervalSpread: Double
    var gaps: [StreamQuality.Gap]
    var longestGap: StreamQuality.Gap?
    /// The total duration of the gaps, in seconds.
    var gapTime: Double
    /// The number of samples with the same timestamp as the previous one, and the maximum number of consecutive samples
    /// with one timestamp.
    var sameTime: Int
    var longestBurst: Int
    /// The number of samples per block of evenly spaced timestamps, or `nil` if there are no blocks.
    var blockLength: Int?
    var zeros: Int
    var longestZeroRun: StreamQuality.Run
    var longestConstantRun: StreamQuality.Run
    /// The median of the norms, as read.
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
      // Without finite values there is no range.
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
    /// The line of the first sample that is out of order, or `nil` if all are in order.
    var firstOutOfOrderLine: Int?
    var repeated: Int
    var setApart: Int
    var gaps: Int
    /// The longest interval, in seconds.
    var longestInterval: Double
    var firstTime: Double?
    var lastTime: Double?
    /// The rate in Hz.
    var rate: Double
    /// The standard deviation of the intervals that are not gaps, in seconds.
    var jitter: Double
    var values: ValueReport?
    var quality: Quality?
  }

  /// A channel other than the motion sensors.
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
    /// The longest interval, in seconds.
    var longestInterval: Double
    var firstTime: Double?
    var lastTime: Double?
    /// The rate in Hz.
    var rate: Double
    var fields: [Field]

    init(_ channel: AuxiliaryChannel, _ report: AuxiliaryReport) {
      name = channel.name
      meaning = channel.meaning
      isEvent = channel.isEvent
      (samples, used, missing, invalid) = (report.count, report.used, report.missing, report.invalid)
      impossibleValues = report.impossibleValues
      (outOfOrder, repeated, late) = (report.outOfOrder, report.collapsed, report.late)
      longestInterval = report.maximumInterval
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

  /// A time interval in seconds.
  struct Span: Encodable {
    var start: Double
    var end: Double
  }

  /// The command for the log, as far as its data determines it.
  struct Guess: Encodable {
    struct Part: Encodable {
      var option: String
      /// The certainty: "certain", "likely" or "open".
      var certainty: LogGuess.Certainty
      /// The test and its result.
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
  /// The guess, or `nil` without --guess; the rest of the document then describes the log with this command's options.
  var guess: Guess?
  /// The problems, the most severe first; empty if there are none.
  var findings: [String]
  /// The tests without a result, with the reasons.
  var untested: [String]
  /// Observations that are not problems.
  var remarks: [String]
  var format: String
  var formatDescription: String
  /// The criteria by which the format is recognised.
  var recognition: String?
  var notes: [String]
  var epoch: Double?
  var channels: [Channel]
  /// The interval in which all of the log's motion sensors were recorded, or `nil` if they were never recorded
  /// together.
  var overlap: Span?
  /// The channels other than the motion sensors, or `nil` if the log has no others.
  var auxiliary: [Auxiliary]?
  var rest: RestReport
  var consistency: ConsistencyReport
  /// The time offsets of the sensors relative to the gyroscope.
  var alignment: [LogAlignment.Entry]
  /// The clock of the log's timestamps, if the reader knows it.
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
          repeated: $0.collapsed, setApart: $0.retimedCount, gaps: $0.gaps,
          longestInterval: $0.maximumInterval, firstTime: $0.used > 0 ? $0.firstTime : nil,
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
