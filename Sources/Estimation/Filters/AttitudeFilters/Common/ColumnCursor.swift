internal import InertialNumerics

/// The position in a recording's columns as they are passed to a filter, in the order of
/// `AttitudeFilter.estimates(of:)`.
struct ColumnCursor: Sendable {
  /// The number of gyroscope rows with completed estimates.
  private(set) var row = 0
  private(set) var acceleration = 0
  private(set) var field = 0

  func isAtEnd(of motion: MotionColumns) -> Bool { row >= motion.gyroscope.count }

  /// Passes the samples up to the end of the row to a filter.
  @inline(__always)
  mutating func advance<Filter: AttitudeFilter>(_ filter: inout Filter, through motion: MotionColumns) {
    let time = motion.gyroscope.times[row]
    // All rates with one timestamp come before its vectors.
    let isLast = row + 1 == motion.gyroscope.count || motion.gyroscope.times[row + 1] > time
    takeVectors(&filter, motion) { $0 < time }
    if isLast, isAlone(acceleration, of: motion.accelerometer, at: time) {
      let hasField = field < motion.magneticField.count && motion.magneticField.times[field] <= time
      filter.update(
        gyroscope: motion.gyroscope.values[row], accelerometer: motion.accelerometer.values[acceleration],
        magneticField: hasField ? motion.magneticField.values[field] : nil, at: time)
      acceleration += 1
      if hasField { field += 1 }
    } else {
      filter.update(gyroscope: motion.gyroscope.values[row], at: time)
    }
    if isLast {
      takeVectors(&filter, motion) { $0 <= time }
      filter.endEpoch()
    }
    row += 1
  }

  /// Returns whether a column has exactly one sample at a time, from an index on.
  @inline(__always)
  private func isAlone(_ index: Int, of column: SensorColumn, at time: Double) -> Bool {
    index < column.count && column.times[index] == time
      && (index + 1 == column.count || column.times[index + 1] > time)
  }

  /// Passes the vectors after the last row to a filter.
  mutating func takeRest<Filter: AttitudeFilter>(of motion: MotionColumns, by filter: inout Filter) {
    takeVectors(&filter, motion) { _ in true }
  }

  @inline(__always)
  private mutating func takeVectors<Filter: AttitudeFilter>(
    _ filter: inout Filter, _ motion: MotionColumns, _ isDue: (Double) -> Bool
  ) {
    while true {
      let nextAcceleration =
        acceleration < motion.accelerometer.count ? motion.accelerometer.times[acceleration] : .infinity
      let nextField = field < motion.magneticField.count ? motion.magneticField.times[field] : .infinity
      if nextAcceleration <= nextField, acceleration < motion.accelerometer.count, isDue(nextAcceleration) {
        filter.update(accelerometer: motion.accelerometer.values[acceleration], at: nextAcceleration)
        acceleration += 1
      } else if field < motion.magneticField.count, isDue(nextField) {
        filter.update(magneticField: motion.magneticField.values[field], at: nextField)
        field += 1
      } else {
        return
      }
    }
  }
}
