public import InertialSensors

/// The findings from reading a log.
public struct LogSummary: Sendable {
  /// The description of the log by its reader.
  public var description: LogDescription
  /// The processing results of each sensor's samples.
  public var reports: [SensorChannel: ChannelReport]
  /// The number of empty fields per channel, each a missing sample.
  public var emptyCounts: [SensorChannel: Int]
  /// The requested auxiliary channels that have samples.
  package var auxiliary: [AuxiliaryChannel: AuxiliaryReport]
  /// The recording quality of each channel, in full if requested (`LogFeed.isInspected`).
  package var quality: [SensorChannel: StreamQuality] = [:]
  /// The messages about skipped, dropped or shifted samples, followed by the certain faults of the log.
  public var warnings: [String]
  /// The certain faults of the log with their remedies, one sentence each, in order of decreasing severity.
  public var faults: [String] = []
  /// The possible faults, one sentence each. They may be normal on one hemisphere.
  public var hints: [String] = []
  /// The reason for which a fusion refuses the log, or `nil` for none. Only a tolerant pass has one.
  var refusal: LogError?
  /// The results of the checks.
  var inspection = Inspection(isDetailed: false)
  /// Whether the log had to be sorted in memory because of its disorder.
  public var wasSorted = false

  package init(
    description: LogDescription, reports: [SensorChannel: ChannelReport], emptyCounts: [SensorChannel: Int] = [:],
    auxiliary: [AuxiliaryChannel: AuxiliaryReport] = [:], warnings: [String] = []
  ) {
    self.description = description
    self.reports = reports
    self.emptyCounts = emptyCounts
    self.auxiliary = auxiliary
    self.warnings = warnings
  }
}
