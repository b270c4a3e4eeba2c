internal import InertialNumerics

/// The devices of one make: their common properties, and the spread of their sensors' errors.
///
/// A gyroscope sample of such a device is the mean rate over the previous interval; acceleration and field are
/// instantaneous. Its magnetometer is calibrated except for a residual, and uses the channel `magnetometer`.
public struct DevicePopulation: Sendable, Hashable, Codable {
  /// The sample rate of gyroscope and accelerometer, in Hz.
  public var rate = 100.0
  /// The sample rate of the magnetometer, in Hz.
  public var fieldRate = 25.0
  /// The gyroscope's noise density, in rad/√s, as in `SensorModel.noiseDensity`.
  public var gyroscopeNoise = 1e-4
  /// The largest bias of an axis, in rad/s; the distribution is uniform.
  public var gyroscopeBias = 0.009
  /// The random walk of the gyroscope's bias, in rad/s/√s.
  public var gyroscopeBiasWalk = 2e-5
  /// The standard deviation of an axis' scale error.
  public var gyroscopeScale = 0.003
  /// The standard deviation of each misalignment, in rad.
  public var misalignment = 0.0012
  /// The gyroscope's range, in rad/s, or `nil` for no limit.
  public var gyroscopeRange: Double?
  /// The accelerometer's noise density, in g√s.
  public var accelerationNoise = 2e-4
  /// The standard deviation of an axis' bias, in g.
  public var accelerationBias = 0.002
  /// The magnetometer's noise density, in µT√s.
  public var fieldNoise = 0.08
  /// The standard deviation of the residual hard iron after calibration, in µT per axis.
  public var fieldBias = 0.2
  /// The standard deviation of the residual soft iron after calibration: of the scale, and half as much off the
  /// diagonal.
  public var fieldScale = 0.002
  /// The delay of the field relative to its timestamp, in seconds.
  public var fieldDelay = 0.0
  /// The standard deviation of the intervals between the samples' timestamps, in seconds.
  public var intervalJitter = 1e-4

  /// Creates a population with the defaults.
  public init() {}

  /// Good phones: factory-calibrated consumer sensors at 100 Hz.
  public static let phone = DevicePopulation()

  /// Cheap phones: slower, noisier sensors with larger biases and scale errors, and a delayed field.
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

  /// Returns one of the devices, with a reference as in a log.
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
