internal import InertialSystem

/// A monotonic clock in seconds, with an arbitrary origin.
package enum MonotonicClock {
  /// Thirty years; a longer wait is treated as indefinite.
  static let maximumWait = 1e9

  package static var now: Double { seconds(CLOCK_MONOTONIC) }

  /// The UNIX time in seconds, which can be set while the program runs.
  static var unixTime: Double { seconds(CLOCK_REALTIME) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
