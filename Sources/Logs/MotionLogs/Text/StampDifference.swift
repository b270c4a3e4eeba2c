/// Units between two whole stamps, such as nanoseconds of UNIX time, which a double could not tell apart.
///
/// Exact where the difference fits an integer. Stamps that are further apart than that are so by doubles, too.
package func stampDifference(from origin: Int64, to stamp: Int64) -> Double {
  let (difference, overflow) = stamp.subtractingReportingOverflow(origin)
  return overflow ? Double(stamp) - Double(origin) : Double(difference)
}

/// UNIX time in whole nanoseconds, as messages carry it. Each number from outside is checked before anything is added to it.
package enum UNIXNanoseconds {
  /// The years 2001 to 2103. In no other unit are the times of these years as large, or as small.
  package static let plausible: Range<Int64> = 1_000_000_000_000_000_000..<4_200_000_000_000_000_000

  /// The stamp at a number of seconds after another; nil if it is not plausible, or the seconds are not finite.
  package static func stamp(_ origin: Int64, plus seconds: Double) -> Int64? {
    guard let nanoseconds = Int64(exactly: (seconds * 1e9).rounded()) else { return nil }
    let (stamp, overflow) = origin.addingReportingOverflow(nanoseconds)
    return !overflow && plausible.contains(stamp) ? stamp : nil
  }

  /// The unit in which a number would be a plausible time, for messages; nil if it is a time in none.
  package static func otherUnit(of number: Int64) -> String? {
    let units: [(name: String, perSecond: Double)] = [("seconds", 1), ("milliseconds", 1e3), ("microseconds", 1e6)]
    return units.first { (1e9..<4.2e9).contains(Double(number) / $0.perSecond) }?.name
  }
}
