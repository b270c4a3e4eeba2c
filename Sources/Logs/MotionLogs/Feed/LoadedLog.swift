public import InertialSensors

/// A log in memory.
public struct LoadedLog: Sendable {
  /// The valid samples, sorted by time.
  public var samples: [SensorSample]
  /// The valid samples of the requested auxiliary channels, sorted by time. Samples with the same time keep the log's
  /// order.
  public private(set) var auxiliary: [AuxiliarySample]
  /// The description of the log and its problems.
  public var summary: LogSummary

  /// - Parameter auxiliary: The auxiliary samples in the order of the log.
  init(samples: [SensorSample], auxiliary: [AuxiliarySample], summary: LogSummary) {
    self.samples = samples
    self.auxiliary = auxiliary.inTimeOrder()
    self.summary = summary
  }

  /// Returns the samples of an auxiliary channel, sorted by time.
  public subscript(channel: AuxiliaryChannel) -> [AuxiliarySample] { auxiliary.filter { $0.channel == channel } }
}
