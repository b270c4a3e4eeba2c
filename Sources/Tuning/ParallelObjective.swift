internal import Signals

/// The mean error over recordings as a function of a point, computed on all cores.
///
/// Pairs of point and recording are computed by tasks of some pairs each; the results are put in their places and added
/// in the order of the recordings, so that the sums do not depend on which task ended first. A pair's error must not
/// depend on the pairs it is computed with: then the result does not depend on the number of cores either.
struct ParallelObjective: Sendable {
  struct Pair: Sendable {
    var point: [Double]
    var recording: Int
  }

  /// The errors of some pairs, in their order; infinite or not a number where the filter fails.
  let errors: @Sendable ([Pair]) -> [Double]
  /// How many pairs a task is given.
  let bankSize: Int
  /// How long each recording is compared with the others; nil = all alike. Pairs of one length go together, the longest
  /// first.
  var lengths: [Int]?

  init(bankSize: Int, lengths: [Int]? = nil, errors: @escaping @Sendable ([Pair]) -> [Double]) {
    precondition(bankSize > 0, "a task of no pair")
    (self.bankSize, self.lengths, self.errors) = (bankSize, lengths, errors)
  }

  /// A task for each pair.
  init(error: @escaping @Sendable (_ point: [Double], _ index: Int) -> Double) {
    self.init(bankSize: 1) { $0.map { error($0.point, $0.recording) } }
  }

  /// The error of every point (outer) on every recording (inner).
  func errors(of points: [[Double]], on recordings: [Int]) async -> [[Double]] {
    await withTaskGroup(of: ([(row: Int, column: Int)], [Double]).self) { group in
      for places in tasks(points.count, recordings) {
        group.addTask {
          (places, errors(places.map { Pair(point: points[$0.row], recording: recordings[$0.column]) }))
        }
      }
      let empty = [Double](repeating: .nan, count: recordings.count)
      var result = [[Double]](repeating: empty, count: points.count)
      for await (places, errors) in group {
        for (place, error) in zip(places, errors) { result[place.row][place.column] = error }
      }
      return result
    }
  }

  func means(of points: [[Double]], on recordings: [Int]) async -> [Double] {
    await errors(of: points, on: recordings).map { Statistics.mean($0.map(ranked)) ?? .infinity }
  }

  /// All pairs, divided into tasks.
  private func tasks(_ pointCount: Int, _ recordings: [Int]) -> [[(row: Int, column: Int)]] {
    var columns = Array(recordings.indices)
    if let lengths {
      // By place where equal, so that the order never depends on the sort.
      columns.sort { (-lengths[recordings[$0]], $0) < (-lengths[recordings[$1]], $1) }
    }
    let places = columns.flatMap { column in (0..<pointCount).map { (row: $0, column: column) } }
    return stride(from: 0, to: places.count, by: bankSize).map {
      Array(places[$0..<min($0 + bankSize, places.count)])
    }
  }
}
