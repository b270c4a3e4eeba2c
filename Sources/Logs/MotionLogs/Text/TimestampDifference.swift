/// Returns the difference of two whole timestamps, such as UNIX nanoseconds, which a double cannot represent exactly.
///
/// The result is exact if the difference fits an integer. A larger difference is computed with doubles.
package func timestampDifference(from origin: Int64, to stamp: Int64) -> Double {
  let (difference, overflow) = stamp.subtractingReportingOverflow(origin)
  return overflow ? Double(stamp) - Double(origin) : Double(difference)
}

/// UNIX time in whole nanoseconds, as in messages. Numbers from outside must be checked before any arithmetic.
package enum UNIXNanoseconds {
  /// The years 2001 to 2103. Times of these years in other units are outside this range.
  package static let plausible: Range<Int64> = 1_000_000_000_000_000_000..<4_200_000_000_000_000_000

  /// Returns the timestamp a number of seconds after another, or `nil` if it is not plausible or the seconds are not
  /// finite.
  package static func stamp(_ origin: Int64, plus seconds: Double) -> Int64? {
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    let (stamp, overflow) = origin.addingReportingOverflow(nanoseconds)
    return !overflow && plausible.contains(stamp) ? stamp : nil
  }

  /// Returns the unit in which a number is a plausible time, for messages, or `nil` if there is no such unit.
  package static func otherUnit(of number: Int64) -> String? {
    let units: [(name: String, perSecond: Double)] = [("seconds", 1), ("milliseconds", 1e3), ("microseconds", 1e6)]
    return units.first { (1e9..<4.2e9).contains(Double(number) / $0.perSecond) }?.name
  }
}
