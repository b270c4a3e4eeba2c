/// Units between two whole stamps, such as nanoseconds of UNIX time, which a double could not tell apart.
///
/// Exact where the difference fits an integer. Stamps that are further apart than that are so by doubles, too.
func stampDifference(from origin: Int64, to stamp: Int64) -> Double {
  let (difference, overflow) = stamp.subtractingReportingOverflow(origin)
  return overflow ? Double(stamp) - Double(origin) : Double(difference)
}
