/// Which of several candidates no other one beats: better in one respect and no worse in the other.
package enum ParetoFront {
  /// One flag for each candidate, true where it is on the front; smaller is better in both respects.
  ///
  /// A candidate without both figures, or with one that is not finite, is not on the front. Of two with the same
  /// figures both are.
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
