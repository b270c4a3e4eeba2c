public import InertialNumerics
public import InertialSensors

/// The samples of one sensor as columns: value i was measured at time i.
public struct SensorColumn: Sendable, Equatable {
  /// Seconds on the recording's one clock, in rising order.
  public var times: [Double]
  /// In the unit and the axes that filters take: rad/s, g with Core Motion's sign, or µT.
  public var values: [Vector3]

  /// A column without samples.
  public init() { (times, values) = ([], []) }

  /// Adds a sample.
  public mutating func append(_ value: Vector3, at time: Double) {
    times.append(time)
    values.append(value)
  }

  /// Measurements with their times, seconds: as many values as times, the times rising.
  public init(times: [Double], values: [Vector3]) {
    self.times = times
    self.values = values
  }

  /// A column without a clock: value i is given the time `start` + i / `sampleRate`.
  ///
  /// - `sampleRate`: Hz; more than 0.
  /// - `start`: seconds.
  public init(values: [Vector3], sampleRate: Double, start: Double = 0) {
    precondition(sampleRate > 0, "a column with \(sampleRate) samples per second")
    self.init(times: values.indices.map { start + Double($0) / sampleRate }, values: values)
  }

  /// The first three numbers of every sample of a stream.
  public init(_ stream: SensorStream) {
    self.init(
      times: stream.times,
      values: (0..<stream.count).map { Vector3(stream.x[$0], stream.y[$0], stream.z[$0]) })
  }

  /// How many samples there are.
  public var count: Int { times.count }
}

/// What an attitude filter or a smoother takes, as columns: three sensors, each on its own times of one clock.
public struct MotionColumns: Sendable, Equatable {
  /// The samples of one sensor.
  public typealias Column = SensorColumn

  /// Angular rate with bias, rad/s, device axes.
  public var gyroscope: SensorColumn
  /// Raw acceleration in g, device axes, Core Motion's sign: (0, 0, −1) at rest face up.
  public var accelerometer: SensorColumn
  /// Magnetic field in µT, device axes, hard iron removed; empty where there is none.
  public var magneticField: SensorColumn

  /// Columns in rad/s, g and µT, device axes; empty for a sensor that is not there.
  public init(
    gyroscope: SensorColumn = SensorColumn(), accelerometer: SensorColumn = SensorColumn(),
    magneticField: SensorColumn = SensorColumn()
  ) {
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.magneticField = magneticField
  }

  /// Columns of sensors that share one clock.
  public init(times: [Double], rates: [Vector3], accelerations: [Vector3], fields: [Vector3]? = nil) {
    self.init(
      gyroscope: Column(times: times, values: rates), accelerometer: Column(times: times, values: accelerations),
      magneticField: fields.map { Column(times: times, values: $0) } ?? Column())
  }

  /// The samples of three channels of a log, in its order; others are left out.
  ///
  /// - `fieldChannel`: the channel with the field, or nil to do without.
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

  /// The columns of a recording; a stream that it has not is an empty column.
  ///
  /// - `field`: the channel that the field is taken from. The raw `magnetometer` is one only where the device
  ///   around it has no magnetism of its own.
  public init(_ recording: Recording, field: SensorChannel = .calibratedMagneticField) {
    func column(_ channel: SensorChannel) -> SensorColumn {
      recording[channel].map(SensorColumn.init) ?? SensorColumn()
    }
    self.init(
      gyroscope: column(.gyroscope), accelerometer: column(.accelerometer), magneticField: column(field))
  }

  /// Whether times are finite and none is before the last.
  private static func isRising(_ times: [Double]) -> Bool {
    guard let first = times.first, let last = times.last else { return true }
    guard first.isFinite, last.isFinite else { return false }
    // Between finite ends that do not fall all are finite.
    return zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Whether every column has as many values as times, and times that do not fall.
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

/// Columns that are no recording.
public enum MotionColumnsError: Error, Sendable, Equatable {
  /// The column that is wrong.
  public enum Column: String, Sendable {
    /// A sensor's samples, by its name.
    case gyroscope, accelerometer, magneticField
  }

  /// A column has not one value per time.
  case countsDiffer(Column, values: Int, times: Int)
  /// A time, in the row counted from 0, is not a number or is earlier than the one before it.
  case timesFall(Column, row: Int)
  /// Samples per second that are not a positive number.
  case sampleRate(Double)
}

extension MotionColumnsError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .countsDiffer(let column, let values, let times):
      "the \(column.rawValue) column has \(values) values and \(times) times; every value needs one"
    case .timesFall(let column, let row):
      "the time in row \(row) of the \(column.rawValue) column is not a number or earlier than the one before it; "
        + "sort the rows by time"
    case .sampleRate(let rate):
      "\(rate) samples per second are no rate; it has to be a positive number"
    }
  }
}
