internal import InertialNumerics
internal import InertialSensors

/// The position in a recording's columns as they are passed to a filter, in the order of
/// `AttitudeFilter.estimates(of:field:)`.
struct ColumnCursor: Sendable {
  let gyroscope: SensorColumn
  private let accelerometer: SensorColumn
  private let magneticField: SensorColumn
  /// The number of gyroscope rows with completed estimates.
  private var row = 0
  private var acceleration = 0
  private var field = 0

  /// Creates a cursor at the start of a recording's columns. The column of a missing channel is empty.
  init(_ recording: Recording, field: SensorChannel?) throws(MotionColumnsError) {
    gyroscope = recording[.gyroscope] ?? SensorColumn()
    accelerometer = recording[.accelerometer] ?? SensorColumn()
    magneticField = field.flatMap { recording[$0] } ?? SensorColumn()
    try gyroscope.check(.gyroscope)
    try accelerometer.check(.accelerometer)
    try magneticField.check(.magneticField)
  }

  var isAtEnd: Bool { row >= gyroscope.count }

  /// Passes the samples up to the end of the row to a filter.
  @inline(__always)
  mutating func advance<Filter: AttitudeFilter>(_ filter: inout Filter) {
    let time = gyroscope.times[row]
    // All rates with one timestamp come before its vectors.
    let isLast = row + 1 == gyroscope.count || gyroscope.times[row + 1] > time
    takeVectors(&filter) { $0 < time }
    if isLast, isAlone(acceleration, of: accelerometer, at: time) {
      let hasField = field < magneticField.count && magneticField.times[field] <= time
      filter.update(
        gyroscope: gyroscope.values[row], accelerometer: accelerometer.values[acceleration],
        magneticField: hasField ? magneticField.values[field] : nil, at: time)
      acceleration += 1
      if hasField { field += 1 }
    } else {
      filter.update(gyroscope: gyroscope.values[row], at: time)
    }
    if isLast {
      takeVectors(&filter) { $0 <= time }
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
  mutating func takeRest<Filter: AttitudeFilter>(_ filter: inout Filter) {
    takeVectors(&filter) { _ in true }
  }

  @inline(__always)
  private mutating func takeVectors<Filter: AttitudeFilter>(_ filter: inout Filter, _ isDue: (Double) -> Bool) {
    while true {
      let nextAcceleration = acceleration < accelerometer.count ? accelerometer.times[acceleration] : .infinity
      let nextField = field < magneticField.count ? magneticField.times[field] : .infinity
      if nextAcceleration <= nextField, acceleration < accelerometer.count, isDue(nextAcceleration) {
        filter.update(accelerometer: accelerometer.values[acceleration], at: nextAcceleration)
        acceleration += 1
      } else if field < magneticField.count, isDue(nextField) {
        filter.update(magneticField: magneticField.values[field], at: nextField)
        field += 1
      } else {
        return
      }
    }
  }
}
