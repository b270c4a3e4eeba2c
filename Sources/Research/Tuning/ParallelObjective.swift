internal import InertialNumerics

/// The mean error over recordings as a function of a point, computed on all cores.
///
/// Each pair of point and recording is a separate task; the results are stored by index and added in the order of the
/// recordings, so that the sums do not depend on the order in which tasks end.
struct ParallelObjective: Sendable {
  /// The error of a point on a recording; infinite or NaN if the filter fails.
  let error: @Sendable (_ point: [Double], _ recording: Int) -> Double
  /// The relative durations of the recordings, or `nil` if all are equal. The longest are started first.
  var lengths: [Int]?

  init(lengths: [Int]? = nil, error: @escaping @Sendable (_ point: [Double], _ recording: Int) -> Double) {
    (self.lengths, self.error) = (lengths, error)
  }

  /// Returns the error of every point (outer) on every recording (inner).
  func errors(of points: [[Double]], on recordings: [Int]) async -> [[Double]] {
    var columns = Array(recordings.indices)
    if let lengths {
      // Equal lengths are sorted by index, so that the order never depends on the sorting algorithm.
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
      for await element in group { result[element.row][element.column] = element.error }
      return result
    }
  }

  func means(of points: [[Double]], on recordings: [Int]) async -> [Double] {
    await errors(of: points, on: recordings).map { Statistics.mean($0.map(ranked)) ?? .infinity }
  }
}
