internal import InertialNumerics

/// The mean error over recordings as a function of a point, computed on all cores.
///
/// Each pair of point and recording is a task of its own; the results are put in their places and added in the order of
/// the recordings, so that the sums do not depend on which task ended first.
struct ParallelObjective: Sendable {
  /// The error of a point on a recording; infinite or not a number where the filter fails.
  let error: @Sendable (_ point: [Double], _ recording: Int) -> Double
  /// How long each recording is compared with the others; nil = all alike. The longest go first.
  var lengths: [Int]?

  init(lengths: [Int]? = nil, error: @escaping @Sendable (_ point: [Double], _ recording: Int) -> Double) {
    (self.lengths, self.error) = (lengths, error)
  }

  /// The error of every point (outer) on every recording (inner).
  func errors(of points: [[Double]], on recordings: [Int]) async -> [[Double]] {
    var columns = Array(recordings.indices)
    if let lengths {
      // By place where equal, so that the order never depends on the sort.
      columns.sort { (-lengths[recordings[$0]], $0) < (-lengths[recordings[$1]], $1) }
    }
    return await withTaskGroup(of: (row: Int, column: Int, error: Double).self) { group in
      for column in columns {
        for row in points.indices {
          group.addTask { (row, column, error(points[row], recordings[column])) }
        }
      }
      let empty = [Double](repeating: .nan, count: recordings.count)
      var result = [[Double]](repeating: empty, count: points.count)
      for await place in group { result[place.row][place.column] = place.error }
      return result
    }
  }

  func means(of points: [[Double]], on recordings: [Int]) async -> [Double] {
    await errors(of: points, on: recordings).map { Statistics.mean($0.map(ranked)) ?? .infinity }
  }
}
