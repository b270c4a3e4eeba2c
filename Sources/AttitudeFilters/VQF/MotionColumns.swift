public import LinearAlgebra
public import Rotations
public import Sensors

/// A whole recording as columns, for smoothers: each sensor on its own clock, in rising order of time.
///
/// Units and frames are those of `AttitudeFilter`: rad/s, g with Core Motion's sign, µT; seconds.
public struct MotionColumns: Sendable, Equatable {
  public struct Column: Sendable, Equatable {
    public var times: [Double] = []
    public var values: [Vector3] = []

    public init() {}

    /// - Precondition: as many values as times.
    public init(times: [Double], values: [Vector3]) {
      precondition(times.count == values.count, "\(times.count) times and \(values.count) values")
      self.times = times
      self.values = values
    }

    public var count: Int { times.count }

    public mutating func append(_ value: Vector3, at time: Double) {
      times.append(time)
      values.append(value)
    }
  }

  public var gyroscope: Column
  public var accelerometer: Column
  /// Empty where there is no magnetometer.
  public var magneticField: Column

  public init(gyroscope: Column = Column(), accelerometer: Column = Column(), magneticField: Column = Column()) {
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
  /// - Parameter fieldChannel: the channel with the field, or nil to do without.
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

  /// The samples that a filter would use: finite, possible, in rising order of time.
  func admitted() -> MotionColumns {
    var gate = SampleGate()
    var result = MotionColumns()
    func keep(
      _ column: Column, in path: WritableKeyPath<MotionColumns, Column>,
      _ admit: (inout SampleGate, Vector3, Double) -> SampleClock.Step
    ) {
      for (time, value) in zip(column.times, column.values) where admit(&gate, value, time) != .refused {
        result[keyPath: path].append(value, at: time)
      }
    }
    keep(gyroscope, in: \.gyroscope) { $0.admit(gyroscope: $1, at: $2, gapThreshold: .infinity) }
    keep(accelerometer, in: \.accelerometer) { $0.admit(accelerometer: $1, at: $2, gapThreshold: .infinity) }
    keep(magneticField, in: \.magneticField) { $0.admit(field: $1, at: $2) }
    return result
  }
}

/// What a smoother makes of a recording: a row for each good sample of the gyroscope.
public struct SmoothedAttitudes: Sendable, Equatable {
  /// Seconds.
  public internal(set) var times: [Double] = []
  /// Unit quaternions, device to earth.
  public internal(set) var attitudes: [Quaternion] = []
  /// rad/s, device axes.
  public internal(set) var gyroscopeBiases: [Vector3] = []
  /// An upper bound of the bias's standard deviation about any axis, rad/s.
  public internal(set) var gyroscopeBiasSigmas: [Double] = []
  public internal(set) var isResting: [Bool] = []
  /// Whether the field differs from the learned one; true as long as none was learned.
  public internal(set) var isFieldDisturbed: [Bool] = []

  public var count: Int { times.count }
}
