public import InertialSensors

/// What was found while a log was read.
public struct LogSummary: Sendable {
  /// What the log says of itself.
  public var description: LogDescription
  /// What became of each sensor's samples.
  public var reports: [SensorChannel: ChannelReport]
  /// Empty fields per channel: no sample at that time.
  public var emptyCounts: [SensorChannel: Int]
  /// The wanted channels beside the motion sensors that had a sample.
  package var auxiliary: [AuxiliaryChannel: AuxiliaryReport]
  /// How well each channel was recorded, in full where it was asked for (`LogFeed.isInspected`).
  package var quality: [SensorChannel: StreamQuality] = [:]
  /// What was skipped, dropped or moved, and then what is certainly wrong with the log, a line each.
  public var warnings: [String]
  /// What is certainly wrong with the log, and what mends it, a sentence each, the worst first.
  public var faults: [String] = []
  /// What may be wrong, and is right in one half of the world; a sentence each.
  public var hints: [String] = []
  /// What the checks saw of the samples.
  var inspection = Inspection(isDetailed: false)
  /// Whether the log was so far out of order that it had to be sorted in memory.
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
