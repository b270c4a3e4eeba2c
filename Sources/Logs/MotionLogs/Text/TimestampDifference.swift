/// Returns the difference of two whole timestamps, such as UNIX nanoseconds, which a double cannot represent exactly.
///
/// The result is exact if the difference fits an integer. A larger difference is computed with doubles.
package func timestampDifference(from origin: Int64, to stamp: Int64) -> Double {
  let (difference, overflow) = stamp.subtractingReportingOverflow(origin)
  return overflow ? Double(stamp) - Double(origin) : Double(difference)
}

/// The plausible UNIX times in whole nanoseconds, of the years 2001 to 2103. Times of these years in other units are
/// outside this range. Numbers from outside must be checked before any arithmetic.
package let plausibleUNIXNanoseconds: Range<Int64> = 1_000_000_000_000_000_000..<4_200_000_000_000_000_000

/// Returns the UNIX time in nanoseconds a number of seconds after another, or `nil` if it is not plausible or the
/// seconds are not finite.
package func unixNanoseconds(_ origin: Int64, plus seconds: Double) -> Int64? {
  guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
  let (stamp, overflow) = origin.addingReportingOverflow(nanoseconds)
  return !overflow && plausibleUNIXNanoseconds.contains(stamp) ? stamp : nil
}
