/// What was found in one auxiliary channel of a log, and what was done about it.
package struct AuxiliaryReport: Sendable, Equatable {
  /// The values of one field.
  package struct Field: Sendable, Equatable {
    package internal(set) var count = 0
    /// NaN where there is no value.
    package internal(set) var smallest = Double.nan
    package internal(set) var largest = Double.nan

    mutating func add(_ value: Double) {
      count += 1
      smallest = count == 1 ? value : min(smallest, value)
      largest = count == 1 ? value : max(largest, value)
    }
  }

  /// Samples read, good or not.
  package internal(set) var count = 0
  /// Samples without any value.
  package internal(set) var missing = 0
  /// Samples without a time.
  package internal(set) var invalid = 0
  /// Values that are infinite or cannot be: left out of their samples.
  package internal(set) var impossibleValues = 0
  /// Repetitions of a sample with the same time and values, dropped.
  package internal(set) var collapsed = 0
  /// Samples older than their predecessor in the file.
  package internal(set) var outOfOrder = 0
  /// Samples that came too late to be put in order, dropped.
  package internal(set) var late = 0
  /// Seconds on the log's clock: earliest and latest; NaN where no sample was good.
  package internal(set) var firstTime = Double.nan
  package internal(set) var lastTime = Double.nan
  /// The longest time between a sample and its predecessor in the file, seconds.
  package internal(set) var longestInterval = 0.0
  /// In the order of the channel's fields.
  package internal(set) var fields: [Field]

  init(channel: AuxiliaryChannel) {
    fields = Array(repeating: Field(), count: channel.fields.count)
  }

  /// Samples that were used.
  package var used: Int { count - missing - invalid - collapsed - late }

  /// Mean rate in Hz over the whole channel, 0 for fewer than two samples.
  package var meanRate: Double {
    let duration = lastTime - firstTime
    return duration > 0 ? Double(used - 1) / duration : 0
  }
}
