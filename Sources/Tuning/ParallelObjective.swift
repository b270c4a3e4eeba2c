internal import Signals

/// The mean error over recordings as a function of a point, computed on all cores.
///
/// Each pair of point and recording is a task of its own; the results are put in their places and added in the order
/// of the recordings, so that the sums do not depend on which task ended first.
struct ParallelObjective: Sendable {
  /// The error of recording `index` at a point; infinite or not a number where the filter fails.
  let error: @Sendable (_ point: [Double], _ index: Int) -> Double

  /// The error of every point (outer) on every recording (inner).
  func errors(of points: [[Double]], on recordings: [Int]) async -> [[Double]] {
    await withTaskGroup(of: (Int, Int, Double).self) { group in
      for (row, point) in points.enumerated() {
        for (column, recording) in recordings.enumerated() {
          group.addTask { (row, column, error(point, recording)) }
        }
      }
      let empty = [Double](repeating: .nan, count: recordings.count)
      var errors = [[Double]](repeating: empty, count: points.count)
      for await (row, column, error) in group { errors[row][column] = error }
      return errors
    }
  }

  func means(of points: [[Double]], on recordings: [Int]) async -> [Double] {
    await errors(of: points, on: recordings).map { Statistics.mean($0.map(ranked)) ?? .infinity }
  }
}
