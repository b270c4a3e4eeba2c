/// The statistics of one auxiliary channel of a log: its samples, and how they were conditioned.
package struct AuxiliaryReport: Sendable, Equatable, Codable {
  /// The values of one field.
  package struct Field: Sendable, Equatable, Codable {
    package internal(set) var count = 0
    /// The smallest value, or `NaN` without values.
    package internal(set) var smallest = Double.nan
    package internal(set) var largest = Double.nan

    mutating func add(_ value: Double) {
      count += 1
      smallest = count == 1 ? value : min(smallest, value)
      largest = count == 1 ? value : max(largest, value)
    }
  }

  /// The number of samples read, valid or not.
  package internal(set) var count = 0
  /// The number of samples without any value.
  package internal(set) var missing = 0
  /// The number of samples without a time.
  package internal(set) var invalid = 0
  /// The number of infinite or impossible values, which were removed from their samples.
  package internal(set) var impossibleValues = 0
  /// The number of dropped repetitions of a sample with the same time and values.
  package internal(set) var collapsed = 0
  /// The number of samples older than their predecessor in the file.
  package internal(set) var outOfOrder = 0
  /// The number of samples dropped because they came too late to be sorted.
  package internal(set) var late = 0
  /// The earliest valid time, in seconds on the log's clock, or `NaN` without valid samples.
  package internal(set) var firstTime = Double.nan
  package internal(set) var lastTime = Double.nan
  /// The longest time between a sample and its predecessor in the file, in seconds.
  package internal(set) var maximumInterval = 0.0
  /// The values by field, in the order of the channel's fields.
  package internal(set) var fields: [Field]

  init(channel: AuxiliaryChannel) {
    fields = Array(repeating: Field(), count: channel.fields.count)
  }

  /// The number of samples that were used.
  package var used: Int { count - missing - invalid - collapsed - late }

  /// The mean rate over the whole channel, in Hz, or 0 for fewer than two samples.
  package var meanRate: Double {
    let duration = lastTime - firstTime
    return duration > 0 ? Double(used - 1) / duration : 0
  }
}
