public import Inertial
public import InertialSimulation

/// A simulated device that rotates through many attitudes, in memory, with all three sensors at the same times.
public struct NineAxisLog: Sendable {
  /// One epoch, in the filters' units and axes; `duration` is the time since the previous epoch.
  public struct Row: Sendable {
    public var time: Double
    public var rate: Vector3
    public var acceleration: Vector3
    public var field: Vector3
    public var duration: Double

    public init(time: Double, rate: Vector3, acceleration: Vector3, field: Vector3, duration: Double) {
      self.time = time
      self.rate = rate
      self.acceleration = acceleration
      self.field = field
      self.duration = duration
    }
  }

  public let rows: [Row]

  public init(rows: [Row]) { self.rows = rows }

  public init(duration: Double = 600, rate: Double = 100) {
    var suite = SensorSuite.synchronous(rate: rate)
    // Filters expect a calibrated field.
    suite.magnetometer?.hardIron = .zero
    let simulation = Simulation(
      trajectory: RandomSplineTrajectory(duration: duration, seed: 1), sensors: suite, duration: duration, seed: 1)
    var rows: [Row] = []
    for sample in simulation {
      switch sample.channel {
      case .gyroscope:
        let step = rows.last.map { sample.time - $0.time } ?? 1 / rate
        rows.append(
          Row(time: sample.time, rate: sample.vector, acceleration: .zero, field: .zero, duration: step))
      case .accelerometer: rows[rows.count - 1].acceleration = sample.vector
      case .magnetometer: rows[rows.count - 1].field = sample.vector
      default: break
      }
    }
    self.rows = rows
  }

  /// Runs a filter with nine or six axes over some of the rows, and reads the attitude after each.
  @inlinable
  @inline(never)
  public func run(
    _ filter: inout some AttitudeFilter, over range: Range<Int>, axes: Int, _ attitudes: inout [Quaternion]
  ) {
    for index in range {
      let row = rows[index]
      filter.update(
        gyroscope: row.rate, accelerometer: row.acceleration, magneticField: axes == 9 ? row.field : nil,
        at: row.time)
      attitudes[index] = filter.estimate?.earthFromDevice ?? .identity
    }
  }

  /// Runs an algorithm's step over the rows, from the identity.
  @inlinable
  @inline(never)
  @specialized(where Algorithm == Mahony)
  @specialized(where Algorithm == Madgwick)
  public func run<Algorithm: SteppedAlgorithm>(_ algorithm: Algorithm, axes: Int, _ attitudes: inout [Quaternion]) {
    var state = Algorithm.State(earthFromDevice: .identity)
    for index in rows.indices {
      let row = rows[index]
      algorithm.advance(
        &state,
        by: MotionStep(
          rate: row.rate, acceleration: row.acceleration, magneticField: axes == 9 ? row.field : nil,
          duration: row.duration))
      attitudes[index] = state.earthFromDevice
    }
  }
}

extension SensorSuite {
  /// A phone's sensors without quantisation, at the same regular times: nine axes in every row.
  public static func synchronous(rate: Double) -> SensorSuite {
    var suite = SensorSuite.phone
    suite.gyroscope?.rate = rate
    suite.gyroscope?.quantum = 0
    suite.gyroscope?.intervalJitter = 0
    suite.accelerometer?.rate = rate
    suite.accelerometer?.quantum = 0
    suite.accelerometer?.intervalJitter = 0
    suite.accelerometer?.startOffset = 0
    suite.magnetometer?.sensor.rate = rate
    suite.magnetometer?.sensor.quantum = 0
    suite.magnetometer?.sensor.intervalJitter = 0
    suite.magnetometer?.sensor.startOffset = 0
    suite.referenceRate = nil
    return suite
  }
}
