public import InertialSensors

/// A log in memory.
public struct LoadedLog: Sendable {
  /// The good samples in order of time.
  public var samples: [SensorSample]
  /// The good samples of the other channels that were wanted, in order of time; those of one time in the order of the log.
  public private(set) var auxiliary: [AuxiliarySample]
  /// What was read, and what was wrong with it.
  public var summary: LogSummary

  /// - Parameter auxiliary: in the order of the log.
  init(samples: [SensorSample], auxiliary: [AuxiliarySample], summary: LogSummary) {
    self.samples = samples
    self.auxiliary = auxiliary.inTimeOrder()
    self.summary = summary
  }

  /// The samples of one other channel, in order of time.
  public subscript(channel: AuxiliaryChannel) -> [AuxiliarySample] { auxiliary.filter { $0.channel == channel } }
}
