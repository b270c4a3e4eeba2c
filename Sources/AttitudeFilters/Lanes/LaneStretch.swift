internal import CLanes
internal import LinearAlgebra

/// Rows of a recording whose samples all have the row's own time, rising from row to row.
///
/// Found once for a whole stretch, mostly for the whole recording.
struct LaneStretch: Sendable {
  private var start = LaneCursor()
  private var rowCount = 0
  private(set) var hasField = false

  /// Nothing.
  init() {}

  /// The stretch that begins where a cursor stands.
  init(at cursor: LaneCursor, of motion: MotionColumns) {
    start = cursor
    hasField = cursor.field < motion.magneticField.count
    guard !cursor.isOpen else { return }
    let (rates, accelerations, fields) = (motion.gyroscope, motion.accelerometer, motion.magneticField)
    // The last sample of each is left to those who look about: what follows a row is looked at here.
    let limit = min(
      rates.count - cursor.row, accelerations.count - cursor.acceleration,
      hasField ? fields.count - cursor.field : .max)
    guard limit > 1 else { return }
    rowCount = rates.times.withUnsafeBufferPointer { times in
      accelerations.times.withUnsafeBufferPointer { accelerationTimes in
        fields.times.withUnsafeBufferPointer { fieldTimes in
          let times = UnsafeBufferPointer(rebasing: times[cursor.row...])
          return Self.commonCount(
            times, UnsafeBufferPointer(rebasing: accelerationTimes[cursor.acceleration...]),
            hasField ? UnsafeBufferPointer(rebasing: fieldTimes[cursor.field...]) : times, limit: limit)
        }
      }
    }
  }

  /// How many of its rows a cursor that stands in it has before it, or nil where it does not.
  func rowsAhead(of cursor: LaneCursor, in motion: MotionColumns) -> Int? {
    let passed = cursor.row - start.row
    guard passed >= 0, passed < rowCount, !cursor.isOpen, cursor.acceleration - start.acceleration == passed,
      hasField ? cursor.field - start.field == passed : cursor.field >= motion.magneticField.count
    else { return nil }
    return rowCount - passed
  }

  /// How many rows have one time in all columns, less than the next row's in each.
  private static func commonCount(
    _ times: UnsafeBufferPointer<Double>, _ others: UnsafeBufferPointer<Double>,
    _ thirds: UnsafeBufferPointer<Double>, limit: Int
  ) -> Int {
    var count = 0
    let chunk = 64
    while count + chunk < limit,
      lanes_count_differences(
        times.baseAddress.map { $0 + count }, others.baseAddress.map { $0 + count },
        thirds.baseAddress.map { $0 + count }, chunk) == 0
    {
      count += chunk
    }
    // The chunks have looked at their rows' own samples: those of the row after them have to be later as well.
    while count < limit, times[count] == others[count], times[count] == thirds[count] {
      guard count + 1 < limit, times[count] < times[count + 1], times[count] < others[count + 1],
        times[count] < thirds[count + 1]
      else { break }
      count += 1
    }
    return isEnd(count, times, others, thirds) ? count : count - 1
  }

  /// Whether what follows the rows before this one is later than they, in each column.
  private static func isEnd(
    _ row: Int, _ times: UnsafeBufferPointer<Double>, _ others: UnsafeBufferPointer<Double>,
    _ thirds: UnsafeBufferPointer<Double>
  ) -> Bool {
    row == 0 || (times[row - 1] < others[row] && times[row - 1] < thirds[row])
  }
}
