/// The conversion from the timestamps of a file to seconds on the log's clock.
enum TableClock {
  /// Timestamps in seconds, to which `offset` is added.
  case seconds(offset: Double)
  /// Whole nanoseconds, counted from `origin`. A UNIX timestamp in nanoseconds exceeds the precision of a double.
  case nanoseconds(origin: Int64)
  case microseconds
  /// Seconds on a clock that stops during pauses.
  case experiment(PhyphoxTime)

  /// Returns a timestamp in seconds, or NaN if the timestamp is not a number.
  func seconds(_ stamp: FieldScanner.Integer) -> Double {
    switch (self, stamp) {
    case (.seconds(let offset), .integer(let stamp)): Double(stamp) + offset
    case (.seconds(let offset), .value(let stamp)): stamp + offset
    case (.nanoseconds(let origin), .integer(let stamp)): timestampDifference(from: origin, to: stamp) / 1e9
    case (.nanoseconds(let origin), .value(let stamp)): (stamp - Double(origin)) / 1e9
    case (.microseconds, .integer(let stamp)): Double(stamp) / 1e6
    case (.microseconds, .value(let stamp)): stamp / 1e6
    case (.experiment(let time), .integer(let stamp)): time.seconds(Double(stamp))
    case (.experiment(let time), .value(let stamp)): time.seconds(stamp)
    case (_, .empty), (_, .text), (_, .end): .nan
    }
  }
}
