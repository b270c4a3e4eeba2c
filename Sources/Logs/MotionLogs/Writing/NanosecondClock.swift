/// Seconds of a log as whole nanoseconds.
struct NanosecondClock: Sendable {
  /// Nanoseconds of time 0.
  private let origin: Int64

  /// - Parameter epoch: UNIX time in seconds of time 0; stamps count from time 0 where it is not known.
  init(epoch: Double?) {
    // To a microsecond, which is what a double of UNIX time can tell.
    // In range: below 4·10¹⁵ µs.
    origin = abs(epoch ?? 0) < 4e9 ? Int64(((epoch ?? 0) * 1e6).rounded()) * 1000 : 0
  }

  /// The stamp of a time; nil where 64 bits do not hold it.
  func stamp(_ time: Double) -> Int64? {
    let own = time * 1e9
    // As far as the sum fits as well.
    // In range: below 4·10¹⁸ ns, as the origin is.
    return abs(own) < 4e18 ? origin + Int64(own.rounded()) : nil
  }

  static func error(_ time: Double, path: String) -> OutputError {
    OutputError(
      kind: .other, path: path, problem: "the time \(time) s cannot be told in nanoseconds",
      remedy: "give another format, or the log's own --time-unit")
  }
}
