/// The conversion of a log's seconds to whole nanoseconds.
struct NanosecondClock: Sendable {
  /// The nanoseconds of time 0.
  private let origin: Int64

  /// - Parameter epoch: The UNIX time of time 0 in seconds; if unknown, timestamps count from time 0.
  init(epoch: Double?) {
    // Rounded to a microsecond, the resolution of a double of UNIX time.
    // In range: below 4·10¹⁵ µs.
    origin = abs(epoch ?? 0) < 4e9 ? Int64(((epoch ?? 0) * 1e6).rounded()) * 1000 : 0
  }

  /// Returns the nanosecond timestamp, or `nil` if it does not fit 64 bits.
  func stamp(_ time: Double) -> Int64? {
    let own = time * 1e9
    // The limit leaves room for the sum.
    // In range: below 4·10¹⁸ ns, as the origin is.
    return abs(own) < 4e18 ? origin + Int64(own.rounded()) : nil
  }

  static func error(_ time: Double, path: String) -> OutputError {
    OutputError(
      kind: .other, path: path, problem: "the time \(time) s cannot be represented in nanoseconds",
      remedy: "give another format, or the log's own --time-unit")
  }
}
