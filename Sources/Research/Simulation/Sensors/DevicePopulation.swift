internal import InertialNumerics

/// Devices of one make: what they share, and how far their sensors' errors differ from one device to the next.
///
/// A gyroscope sample of such a device is the mean rate over the interval before it; acceleration and field are those of
/// the moment. Its magnetometer is calibrated but for a rest, and is found on the channel `magnetometer`.
public struct DevicePopulation: Sendable, Hashable, Codable {
  /// Hz, of gyroscope and accelerometer.
  public var rate = 100.0
  /// Hz.
  public var fieldRate = 25.0
  /// rad/√s, as `SensorModel.noiseDensity`.
  public var gyroscopeNoise = 1e-4
  /// Largest bias of an axis, rad/s: uniform up to it.
  public var gyroscopeBias = 0.009
  /// rad/s/√s.
  public var gyroscopeBiasWalk = 2e-5
  /// Standard deviation of an axis' scale error.
  public var gyroscopeScale = 0.003
  /// Standard deviation of each misalignment, rad.
  public var misalignment = 0.0012
  /// rad/s; nil = no limit.
  public var gyroscopeRange: Double?
  /// g√s.
  public var accelerationNoise = 2e-4
  /// Standard deviation of an axis' bias, g.
  public var accelerationBias = 0.002
  /// µT√s.
  public var fieldNoise = 0.08
  /// Standard deviation of what calibration leaves of the hard iron, µT per axis.
  public var fieldBias = 0.2
  /// Standard deviation of what it leaves of the soft iron: of scale, and half as much across.
  public var fieldScale = 0.002
  /// How old a field is at its stamp, seconds.
  public var fieldDelay = 0.0
  /// Standard deviation of the intervals between samples, seconds, as the stamps tell them.
  public var intervalJitter = 1e-4

  /// The defaults.
  public init() {}

  /// Good phones: factory-calibrated consumer sensors at 100 Hz.
  public static let phone = DevicePopulation()

  /// Cheap phones: slower, noisier sensors with larger biases and scale errors, and a field that is late.
  public static let cheapPhone: DevicePopulation = {
    var population = DevicePopulation()
    population.rate = 50
    population.fieldRate = 20
    population.gyroscopeNoise = 5e-4
    population.gyroscopeBias = 0.03
    population.gyroscopeBiasWalk = 6e-5
    population.gyroscopeScale = 0.015
    population.misalignment = 0.005
    population.accelerationNoise = 6e-4
    population.accelerationBias = 0.015
    population.fieldNoise = 0.2
    population.fieldBias = 0.6
    population.fieldScale = 0.01
    population.fieldDelay = 0.04
    population.intervalJitter = 1e-3
    return population
  }()

  /// One of the devices, with the truth as a log has it.
  public func device(seed: UInt64) -> SensorSuite {
    var generator = SeededGenerator(seed: seed)
    func normal(_ deviation: Double) -> Vector3 {
      deviation * Vector3(generator.normal(), generator.normal(), generator.normal())
    }
    func uniform(_ bound: Double) -> Vector3 {
      bound * Vector3(2 * generator.uniform() - 1, 2 * generator.uniform() - 1, 2 * generator.uniform() - 1)
    }
    func crossCoupling(_ deviation: Double) -> Matrix3 {
      let (upper, lower) = (normal(deviation), normal(deviation))
      return Matrix3(
        rows: Vector3(1, upper.x, upper.y), Vector3(lower.x, 1, upper.z), Vector3(lower.y, lower.z, 1))
    }
    let one = Vector3(1, 1, 1)
    var gyroscope = SensorModel(rate: rate)
    gyroscope.bias = uniform(gyroscopeBias)
    gyroscope.biasWalk = gyroscopeBiasWalk
    gyroscope.scale = one + normal(gyroscopeScale)
    gyroscope.misalignment = crossCoupling(misalignment)
    gyroscope.noiseDensity = gyroscopeNoise
    gyroscope.range = gyroscopeRange
    gyroscope.delay = 0.5 / rate
    gyroscope.intervalJitter = intervalJitter

    var accelerometer = SensorModel(rate: rate)
    accelerometer.bias = normal(accelerationBias)
    accelerometer.noiseDensity = accelerationNoise
    accelerometer.intervalJitter = intervalJitter

    var sensor = SensorModel(rate: fieldRate)
    sensor.noiseDensity = fieldNoise
    sensor.bias = normal(fieldBias)
    sensor.scale = one + normal(fieldScale)
    sensor.misalignment = crossCoupling(0.5 * fieldScale)
    sensor.delay = fieldDelay
    sensor.intervalJitter = intervalJitter
    return SensorSuite(
      gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: MagnetometerModel(sensor: sensor),
      referenceRate: rate)
  }
}
