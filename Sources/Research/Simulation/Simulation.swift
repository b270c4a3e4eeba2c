public import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// The log of a device that moves along a known trajectory: a sequence of samples sorted by time.
///
/// Channels: `gyroscope`, `accelerometer`, `magnetometer` and `calibratedMagneticField` (if the suite has them),
/// `referenceAttitude` (the ground truth, device to north-west-up) and `movement`. Units and signs match
/// `SensorChannel`. The same trajectory, suite, duration and seed give the same bits. Every sensor has its own random
/// numbers, so that changing one sensor leaves the others unchanged. Iterating needs constant memory.
public struct Simulation: Sequence, Sendable {
  /// The motion of the device.
  public var trajectory: any Trajectory
  /// The sensors of the device.
  public var sensors: SensorSuite
  /// The duration in seconds, from 0; a sample at the very end is not included.
  public var duration: Double
  /// The seed of the random numbers: the same seed gives the same samples.
  public var seed: UInt64

  /// Creates a simulation of a duration in seconds.
  public init(
    trajectory: any Trajectory, sensors: SensorSuite = .phone, duration: Double = 60, seed: UInt64 = 1
  ) {
    self.trajectory = trajectory
    self.sensors = sensors
    self.duration = duration
    self.seed = seed
  }

  /// Creates a simulation of a scenario with the given parameters and the defaults of the others.
  public init(
    scenario: Scenario, parameters: [String: Double] = [:], sensors: SensorSuite = .phone,
    duration: Double = 60, seed: UInt64 = 1
  ) throws(ScenarioError) {
    let trajectory = try scenario.trajectory(parameters: parameters, duration: duration, seed: seed)
    self.init(trajectory: trajectory, sensors: sensors, duration: duration, seed: seed)
  }

  /// Returns every sample, sorted by time; samples of equal time are in the order of their channels.
  public func samples() -> [SensorSample] { Array(self) }

  /// Returns every sample, as columns.
  public func recording() -> Recording { Recording(self) }

  public func makeIterator() -> Iterator { Iterator(generators: generators()) }

  /// An iterator that merges the streams by time.
  public struct Iterator: IteratorProtocol {
    private var generators: [SensorStreamGenerator]
    private var heads: [SensorSample?]

    init(generators: [SensorStreamGenerator]) {
      self.generators = generators
      heads = []
      for index in generators.indices { heads.append(self.generators[index].next()) }
    }

    public mutating func next() -> SensorSample? {
      // The few streams are in the order of their channels: the first of the earliest samples is next.
      var earliest: Int?
      var earliestTime = Double.infinity
      for index in heads.indices {
        if let head = heads[index], head.time < earliestTime {
          earliest = index
          earliestTime = head.time
        }
      }
      guard let earliest else { return nil }
      defer { heads[earliest] = generators[earliest].next() }
      return heads[earliest]
    }
  }

  private func generators() -> [SensorStreamGenerator] {
    var result: [SensorStreamGenerator] = []
    func add(
      _ channel: SensorChannel, _ model: SensorModel, noiseOf noise: SensorChannel? = nil,
      measure: @escaping @Sendable (Double) -> SensorStreamGenerator.Truth
    ) {
      result.append(
        SensorStreamGenerator(
          channel: channel, model: model, duration: duration, seed: seed,
          streamSeed: UInt64((noise ?? channel).rawValue), measure: measure))
    }
    let trajectory = trajectory
    if let gyroscope = sensors.gyroscope {
      let mindsForce = gyroscope.accelerationSensitivity != .zero
      add(.gyroscope, gyroscope) { time in
        let state = trajectory.state(at: time)
        return .vector(state.angularRate, acceleration: mindsForce ? state.accelerometerReading : .zero)
      }
    }
    if let accelerometer = sensors.accelerometer {
      add(.accelerometer, accelerometer) { .vector(trajectory.state(at: $0).accelerometerReading) }
    }
    if let magnetometer = sensors.magnetometer {
      let environment = MagneticEnvironment(sensors)
      if magnetometer.output != .calibrated {
        let (hardIron, softIron) = (magnetometer.hardIron, magnetometer.softIron)
        add(.magnetometer, magnetometer.sensor) { time in
          .vector(softIron * environment.field(at: time, trajectory.state(at: time).attitude) + hardIron)
        }
      }
      if magnetometer.output != .raw {
        add(.calibratedMagneticField, magnetometer.sensor.calibrated, noiseOf: .magnetometer) { time in
          .vector(environment.field(at: time, trajectory.state(at: time).attitude))
        }
      }
    }
    if let rate = sensors.referenceRate {
      let model = SensorModel(rate: rate)
      add(.referenceAttitude, model) { time in
        .exact(SensorSample(time: time, channel: .referenceAttitude, trajectory.state(at: time).attitude))
      }
      add(.movement, model) { time in
        .exact(
          SensorSample(time: time, channel: .movement, x: trajectory.state(at: time).isMoving ? 1 : 0))
      }
    }
    return result
  }
}

extension KinematicState {
  /// The reading of a perfect accelerometer in the device, in g with Core Motion's sign: −R(q)ᵀ (a + g e_z) / g.
  public var accelerometerReading: Vector3 {
    -1 / standardGravity * attitude.rotateInverse(acceleration + Vector3(0, 0, standardGravity))
  }
}

/// The magnetic field around a device, without its hard iron.
struct MagneticEnvironment: Sendable {
  private let earth: Vector3
  private let disturbances: [MagneticDisturbance]

  init(_ suite: SensorSuite) {
    earth = suite.earthField.vector
    disturbances = suite.disturbances
  }

  /// Returns the field in device axes, in µT.
  func field(at time: Double, _ earthFromDevice: Quaternion) -> Vector3 {
    var inEarth = earth
    var inDevice = Vector3.zero
    for disturbance in disturbances {
      let field = disturbance.strength(at: time) * disturbance.field
      switch disturbance.frame {
      case .earth: inEarth += field
      case .device: inDevice += field
      }
    }
    return earthFromDevice.rotateInverse(inEarth) + inDevice
  }
}

extension SensorModel {
  /// The sensor after the device's own calibration: noise and clock are unchanged, without systematic errors.
  var calibrated: SensorModel {
    var model = self
    (model.bias, model.biasWalk) = (.zero, 0)
    (model.scale, model.misalignment) = (Vector3(1, 1, 1), .identity)
    (model.warming, model.accelerationSensitivity) = (0, .zero)
    return model
  }
}
