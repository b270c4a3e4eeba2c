internal import InertialNumerics
internal import InertialSensors

/// The reasons why columns are not a valid recording.
public enum MotionColumnsError: Error, Sendable, Equatable {
  /// The invalid column.
  public enum Column: String, Sendable {
    /// The samples of a sensor, by its name.
    case gyroscope, accelerometer, magneticField
  }

  /// A column does not have one value per time.
  case countsDiffer(Column, values: Int, times: Int)
  /// A time, in the row counted from 0, is not a number or is earlier than the previous time.
  case timesFall(Column, row: Int)
  /// The sample rate is not a positive number.
  case sampleRate(Double)
}

extension MotionColumnsError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .countsDiffer(let column, let values, let times):
      "the \(column.rawValue) column has \(values) values and \(times) times; every value needs one"
    case .timesFall(let column, let row):
      "the time in row \(row) of the \(column.rawValue) column is not a number, or is earlier than the previous time; "
        + "sort the rows by time"
    case .sampleRate(let rate):
      "\(rate) samples per second is not a valid rate; it must be a positive number"
    }
  }
}

extension SensorColumn {
  /// Checks that the column has as many values as times, and that the times are finite and do not decrease.
  func check(_ name: MotionColumnsError.Column) throws(MotionColumnsError) {
    guard values.count == count else { throw .countsDiffer(name, values: values.count, times: count) }
    var last = -Double.infinity
    for (row, time) in times.enumerated() {
      // Written so that NaN fails.
      guard time.isFinite, time >= last else { throw .timesFall(name, row: row) }
      last = time
    }
  }
}
