internal import InertialEvaluation
internal import InertialJobs
internal import InertialLogs
internal import InertialRotations

/// Collects the attitudes of a further filter and computes their differences from those of the first one, row by row.
final class DifferenceCollector: TableWriter {
  /// The columns that are requested from the fusion.
  static let columns = ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]

  private(set) var table: TraceTable
  var rowCount: Int { table.rowCount }

  /// The number of values in a row, starting with the values of `columns`.
  private let width: Int
  private let times: [Double]
  private let attitudes: [SIMD4<Float>]
  private var next = 0
  private static let degrees = 180 / Double.pi

  /// Creates a collector.
  ///
  /// - Parameters:
  ///   - first: The collector of the first filter's rows, with their attitudes.
  ///   - gap: The interval between two rows above which nothing is drawn between them, in seconds.
  ///   - width: The number of values in a row; other values may follow those of `columns`.
  init(from first: RowCollector, gap: Double, width: Int, limit: Int) {
    self.width = width
    (times, attitudes) = (first.attitudeTimes, first.attitudes)
    table = TraceTable(
      columns: [
        .init(name: "total", unit: "°"), .init(name: "heading", unit: "°"), .init(name: "inclination", unit: "°"),
      ], limit: limit, gap: gap)
  }

  func append(_ rows: UnsafeBufferPointer<Double>) {
    for start in stride(from: 0, to: rows.count, by: width) {
      let time = rows[start]
      // A filter with a longer start has fewer rows; only rows of both filters are compared.
      while next < times.count, times[next] < time { next += 1 }
      guard next < times.count, times[next] == time else { continue }
      let own = Quaternion(x: rows[start + 1], y: rows[start + 2], z: rows[start + 3], w: rows[start + 4])
      let first = attitudes[next]
      let other = Quaternion(x: Double(first.x), y: Double(first.y), z: Double(first.z), w: Double(first.w))
      let rotation = own * other.conjugate
      let error = OrientationError(error: rotation)
      table.append(
        time: time,
        [
          error.total * Self.degrees, OrientationError.signedHeading(of: rotation) * Self.degrees,
          error.inclination * Self.degrees,
        ])
    }
  }

  func flush() {}

  func close() { table.finish() }
}
