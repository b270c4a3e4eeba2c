package import InertialSensors

/// The results of an inspection, which are the JSON document of `inertial inspect`.
package struct InspectionReport: Sendable, Encodable {
  /// The samples of a motion sensor; see `ChannelReport`.
  package struct Channel: Sendable, Encodable {
    /// The name of the channel, and the unit of its values.
    package var name, unit: String
    /// The numbers of samples by their treatment.
    package var samples, used, empty, missing, invalid, outOfOrder: Int
    /// The line of the first sample that is out of order, or `nil` if all are in order.
    package var firstOutOfOrderLine: Int?
    /// The numbers of repeated samples, of retimed samples, and of gaps.
    package var repeated, setApart, gaps: Int
    /// The longest interval, in seconds.
    package var longestInterval: Double
    /// The times of the first and the last used sample, in seconds, or `nil` without used samples.
    package var firstTime, lastTime: Double?
    /// The rate in Hz.
    package var rate: Double
    /// The standard deviation of the intervals that are not gaps, in seconds.
    package var jitter: Double
    /// The magnitudes of the values.
    package var values: ValueReport?
    /// The recording quality.
    package var quality: StreamQuality?
  }

  /// The samples of a channel other than the motion sensors; see `AuxiliaryReport`.
  package struct Auxiliary: Sendable, Encodable {
    /// The values of one field.
    package struct Field: Sendable, Encodable {
      /// The name of the field, and the unit of its values.
      package var name, unit: String
      /// The number of values.
      package var values: Int
      /// The range of the values, or `nil` without values.
      package var smallest, largest: Double?
    }

    /// The name of the channel, and its description.
    package var name, meaning: String
    /// Whether the samples are events, which have no rate.
    package var isEvent: Bool
    /// The numbers of samples by their treatment.
    package var samples, used, missing, invalid, impossibleValues, outOfOrder, repeated, late: Int
    /// The longest interval, in seconds.
    package var longestInterval: Double
    /// The times of the first and the last used sample, in seconds, or `nil` without used samples.
    package var firstTime, lastTime: Double?
    /// The rate in Hz.
    package var rate: Double
    /// The fields of the channel.
    package var fields: [Field]

    init(_ channel: AuxiliaryChannel, _ report: AuxiliaryReport) {
      (name, meaning, isEvent) = (channel.name, channel.meaning, channel.isEvent)
      (samples, used, missing, invalid) = (report.count, report.used, report.missing, report.invalid)
      impossibleValues = report.impossibleValues
      (outOfOrder, repeated, late) = (report.outOfOrder, report.collapsed, report.late)
      (longestInterval, rate) = (report.maximumInterval, report.meanRate)
      (firstTime, lastTime) = report.used > 0 ? (report.firstTime, report.lastTime) : (nil, nil)
      fields = zip(channel.fields, report.fields).map { field, found in
        Field(
          name: field.name, unit: field.unit, values: found.count,
          smallest: found.count > 0 ? found.smallest : nil, largest: found.count > 0 ? found.largest : nil)
      }
    }
  }

  /// The path of the log.
  package var path: String
  /// The guess, or `nil` if none was requested; the report then describes the log with this command's options.
  package var guess: LogGuess?
  /// The problems with their remedies, the most severe first; empty if there are none.
  package var findings: [Diagnostic]
  /// The tests without a result, with the reasons; empty if every test passed or failed.
  package var untested: [String]
  /// Observations that are not problems, one sentence each.
  package var remarks: [String]
  /// The identifier and the description of the format.
  package var format, formatDescription: String
  /// The criteria by which the format is recognised.
  package var recognition: String?
  /// The inferences and conversions of the reader.
  package var notes: [String]
  /// The UNIX time of the log's time 0, in seconds, if the log specifies it.
  package var epoch: Double?
  /// The motion sensors.
  package var channels: [Channel]
  /// The interval in which all of the log's motion sensors were recorded, or `nil` if they were never recorded
  /// together.
  package var overlap: RestReport.Phase?
  /// The channels other than the motion sensors, or `nil` if the log has no others.
  package var auxiliary: [Auxiliary]?
  /// The times at rest, and the sensor errors at rest.
  package var rest: RestReport
  /// The agreement between the sensors.
  package var consistency: ConsistencyReport
  /// The constant time offsets of the sensors relative to the gyroscope, if they can be determined.
  package var alignment: [ChannelAlignment]
  /// The clock of the log's timestamps, if the reader knows it.
  package var clock: LogClock?
  /// The messages about skipped, dropped or shifted samples.
  package var warnings: [String]

  /// Creates the report on a log that was read with inspection (`LogFeed.isInspected`).
  package init(_ summary: LogSummary) {
    let (description, inspection) = (summary.description, summary.inspection)
    (path, format, formatDescription) = (description.path, description.format, description.summary)
    recognition = LogFormat(id: format)?.recognition
    (notes, epoch, clock) = (description.notes, description.epoch, description.clock)
    channels = SensorChannel.allCases.compactMap { channel in
      summary.reports[channel].map {
        Channel(
          name: channel.name, unit: channel.unit, samples: $0.count, used: $0.used,
          empty: summary.emptyCounts[channel] ?? 0, missing: $0.missing, invalid: $0.invalid,
          outOfOrder: $0.outOfOrder, firstOutOfOrderLine: $0.outOfOrder > 0 ? Int($0.firstOutOfOrderLine) : nil,
          repeated: $0.collapsed, setApart: $0.retimedCount, gaps: $0.gaps, longestInterval: $0.maximumInterval,
          firstTime: $0.used > 0 ? $0.firstTime : nil, lastTime: $0.used > 0 ? $0.lastTime : nil, rate: $0.meanRate,
          jitter: $0.jitter, values: inspection.values[channel], quality: summary.quality[channel])
      }
    }
    overlap = Self.overlap(summary.reports)
    let found = summary.auxiliary.sorted { $0.key < $1.key }.map { Auxiliary($0.key, $0.value) }
    auxiliary = found.isEmpty ? nil : found
    let doctor = LogDiagnostics(summary: summary, inspection: inspection)
    (rest, consistency) = (inspection.rest.report, doctor.consistency)
    alignment = doctor.offsets.alignments(isApplied: false)
    (findings, remarks) = doctor.examine()
    (untested, warnings) = (doctor.untested, summary.warnings)
  }

  /// Examines a log without fusing it: its content, its recording quality and its problems.
  ///
  /// - Parameter sound: A sound file recorded together with the log.
  package init(
    path: String, options: LogOptions = LogOptions(), sound: SoundSource? = nil, progress: (Double) -> Void = { _ in }
  ) throws(LogError) {
    var feed = LogFeed(path: path, options: options)
    feed.neededChannels = []
    feed.options.auxiliary = AuxiliaryChannel.ofLogs
    feed.sound = sound
    feed.isTolerant = true
    feed.isInspected = true
    self.init(try feed.run(progress: progress, consume: { (_) throws(LogError) in }))
  }

  private static func overlap(_ reports: [SensorChannel: ChannelReport]) -> RestReport.Phase? {
    let used = reports.filter { $0.key <= .calibratedMagneticField && $0.value.used > 0 }.values
    guard let start = used.map(\.firstTime).max(), let end = used.map(\.lastTime).min(), start < end else {
      return nil
    }
    return RestReport.Phase(start: start, end: end)
  }
}
