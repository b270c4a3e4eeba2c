import CReferenceFilters
import Inertial

/// A simulated walk through many attitudes in memory, all three sensors at the same moments.
struct NineAxisLog {
  struct Row {
    var time: Double
    var rate: Vector3
    var acceleration: Vector3
    var field: Vector3
    var duration: Double
  }

  /// The same in single precision, as the C filters take it.
  struct SingleRow {
    var rate: reference_vector
    var acceleration: reference_vector
    var field: reference_vector
    var duration: Float

    init(_ row: Row) {
      rate = reference_vector(row.rate)
      acceleration = reference_vector(row.acceleration)
      field = reference_vector(row.field)
      duration = Float(row.duration)
    }
  }

  let rows: [Row]

  init(duration: Double = 600, rate: Double = 100) {
    var suite = SensorSuite.phone
    suite.gyroscope?.rate = rate
    suite.gyroscope?.intervalJitter = 0
    suite.accelerometer?.rate = rate
    suite.accelerometer?.intervalJitter = 0
    suite.accelerometer?.startOffset = 0
    suite.magnetometer?.sensor.rate = rate
    suite.magnetometer?.sensor.intervalJitter = 0
    suite.magnetometer?.sensor.startOffset = 0
    suite.magnetometer?.hardIron = .zero
    suite.referenceRate = nil
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
}

extension reference_vector {
  init(_ v: Vector3) { self.init(x: Float(v.x), y: Float(v.y), z: Float(v.z)) }
}
