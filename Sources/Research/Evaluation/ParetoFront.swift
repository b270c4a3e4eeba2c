/// The selection of Pareto-optimal candidates: no other candidate is better in one respect and at least as good in the
/// other.
package enum ParetoFront {
  /// Returns one flag per candidate, `true` if it is on the front. Smaller values are better in both respects.
  ///
  /// A candidate without both figures, or with a figure that is not finite, is not on the front. Two candidates with
  /// the same figures are both on it if one is.
  package static func members(_ candidates: [(first: Double?, second: Double?)]) -> [Bool] {
    let points = candidates.map { candidate -> (first: Double, second: Double)? in
      guard let first = candidate.first, let second = candidate.second, first.isFinite, second.isFinite else {
        return nil
      }
      return (first, second)
    }
    return points.map { point in
      guard let point else { return false }
      return !points.contains { other in
        guard let other else { return false }
        let isNoWorse = other.first <= point.first && other.second <= point.second
        return isNoWorse && (other.first < point.first || other.second < point.second)
      }
    }
  }
}
