public import InertialNumerics
public import InertialSensors

/// The samples of one sensor as columns: value i was measured at time i.
public struct SensorColumn: Sendable, Equatable {
  /// The timestamps, in seconds on the recording's common clock, in rising order.
  public var times: [Double]
  /// The values in the units and axes of the filters: rad/s, g with Core Motion's sign, or µT.
  public var values: [Vector3]

  /// Creates a column without samples.
  public init() { (times, values) = ([], []) }

  /// Appends a sample.
  public mutating func append(_ value: Vector3, at time: Double) {
    times.append(time)
    values.append(value)
  }

  /// Creates a column from measurements and their times, in seconds: as many values as times, the times rising.
  public init(times: [Double], values: [Vector3]) {
    self.times = times
    self.values = values
  }

  /// Creates a column without a clock: value i is at the time `start` + i / `sampleRate`.
  ///
  /// - Parameters:
  ///   - values: The vectors, in rising order of time.
  ///   - sampleRate: The sample rate, in Hz, above 0.
  ///   - start: The time of the first value, in seconds.
  public init(values: [Vector3], sampleRate: Double, start: Double = 0) {
    precondition(sampleRate > 0, "a column with \(sampleRate) samples per second")
    self.init(times: values.indices.map { start + Double($0) / sampleRate }, values: values)
  }

  /// Creates a column from the first three numbers of each sample of a stream.
  public init(_ stream: SensorStream) {
    self.init(
      times: stream.times,
      values: (0..<stream.count).map { Vector3(stream.x[$0], stream.y[$0], stream.z[$0]) })
  }

  /// The number of samples.
  public var count: Int { times.count }
}

/// The input of an attitude filter or a smoother as columns: three sensors, each with its own timestamps on one clock.
public struct MotionColumns: Sendable, Equatable {
  /// The samples of one sensor.
  public typealias Column = SensorColumn

  /// The angular rate with bias, in rad/s, in device axes.
  public var gyroscope: SensorColumn
  /// The raw acceleration, in g, in device axes, with Core Motion's sign: (0, 0, −1) at rest face up.
  public var accelerometer: SensorColumn
  /// The magnetic field, in µT, in device axes, hard iron removed; empty without a field.
  public var magneticField: SensorColumn

  /// Creates columns in rad/s, g and µT, in device axes. The column of a missing sensor is empty.
  public init(
    gyroscope: SensorColumn = SensorColumn(), accelerometer: SensorColumn = SensorColumn(),
    magneticField: SensorColumn = SensorColumn()
  ) {
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.magneticField = magneticField
  }

  /// Creates columns of sensors that share one clock.
  public init(times: [Double], rates: [Vector3], accelerations: [Vector3], fields: [Vector3]? = nil) {
    self.init(
      gyroscope: Column(times: times, values: rates), accelerometer: Column(times: times, values: accelerations),
      magneticField: fields.map { Column(times: times, values: $0) } ?? Column())
  }

  /// Creates columns from three channels of a log, in its order; other channels are omitted.
  ///
  /// - Parameter samples: The samples of the log.
  /// - Parameter fieldChannel: The channel with the field, or `nil` for no field.
  public init(
    samples: some Sequence<SensorSample>, fieldChannel: SensorChannel? = .calibratedMagneticField
  ) {
    self.init()
    for sample in samples {
      switch sample.channel {
      case .gyroscope: gyroscope.append(sample.vector, at: sample.time)
      case .accelerometer: accelerometer.append(sample.vector, at: sample.time)
      case fieldChannel: magneticField.append(sample.vector, at: sample.time)
      default: break
      }
    }
  }

  /// Creates the columns of a recording. The column of a missing stream is empty.
  ///
  /// - Parameter recording: The recording in memory.
  /// - Parameter field: The channel of the field. The raw `magnetometer` is suitable only if the device has no hard
  ///   iron.
  public init(_ recording: Recording, field: SensorChannel = .calibratedMagneticField) {
    func column(_ channel: SensorChannel) -> SensorColumn {
      recording[channel].map(SensorColumn.init) ?? SensorColumn()
    }
    self.init(
      gyroscope: column(.gyroscope), accelerometer: column(.accelerometer), magneticField: column(field))
  }

  /// Returns whether the times are finite and do not decrease.
  private static func isRising(_ times: [Double]) -> Bool {
    guard let first = times.first, let last = times.last else { return true }
    guard first.isFinite, last.isFinite else { return false }
    // Between finite ends, times that do not decrease are finite.
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Checks that every column has as many values as times, and that times do not decrease.
  ///
  /// - Throws: `MotionColumnsError` if they do not.
  public func check() throws(MotionColumnsError) {
    let columns: [(MotionColumnsError.Column, SensorColumn)] = [
      (.gyroscope, gyroscope), (.accelerometer, accelerometer), (.magneticField, magneticField),
    ]
    for (name, column) in columns {
      guard column.values.count == column.times.count else {
        throw .countsDiffer(name, values: column.values.count, times: column.times.count)
      }
      guard !Self.isRising(column.times) else { continue }
      var last = -Double.infinity
      for (row, time) in column.times.enumerated() {
        // Written so that NaN fails.
        guard time.isFinite, time >= last else { throw .timesFall(name, row: row) }
        last = time
      }
    }
  }
}

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
