internal import InertialNumerics

/// The sensors of a device, and the field around it.
public struct SensorSuite: Sendable, Hashable, Codable {
  /// The gyroscope, or `nil` if the device has no gyroscope.
  public var gyroscope: SensorModel?
  /// The accelerometer, or `nil` if the device has no accelerometer.
  public var accelerometer: SensorModel?
  /// The magnetometer, or `nil` if the device has no magnetometer.
  public var magnetometer: MagnetometerModel?
  /// The rate in Hz of the true attitude and the movement flags, or `nil` if they are not recorded.
  public var referenceRate: Double?
  /// The earth's field at the device's location.
  public var earthField = EarthField()
  /// The temporary fields in addition to the earth's.
  public var disturbances: [MagneticDisturbance] = []

  /// Creates a suite; `nil` for missing sensors, or for no true attitude in the log. Rates in Hz.
  public init(
    gyroscope: SensorModel? = SensorModel(), accelerometer: SensorModel? = SensorModel(),
    magnetometer: MagnetometerModel? = MagnetometerModel(), referenceRate: Double? = 100
  ) {
    self.gyroscope = gyroscope
    self.accelerometer = accelerometer
    self.magnetometer = magnetometer
    self.referenceRate = referenceRate
  }

  /// Perfect, synchronous sensors at 100 Hz.
  public static let ideal = SensorSuite()

  /// A mid-range phone at 100 Hz: noise and biases of consumer MEMS sensors, and a hard iron several times the earth's
  /// field. It is not a measured device; its errors are typical of phones' data sheets and Allan variances.
  public static let phone: SensorSuite = {
    var gyroscope = SensorModel()
    gyroscope.bias = Vector3(0.008, -0.005, 0.003)
    gyroscope.biasWalk = 2e-5
    gyroscope.scale = Vector3(1.003, 0.998, 1.002)
    gyroscope.misalignment = crossCoupling(0.002, -0.001, 0.0015)
    gyroscope.noiseDensity = 1e-4
    gyroscope.quantum = 0.001
    gyroscope.range = 34.9
    gyroscope.intervalJitter = 1e-4

    var accelerometer = SensorModel()
    accelerometer.bias = Vector3(0.004, -0.006, 0.008)
    accelerometer.biasWalk = 5e-6
    accelerometer.scale = Vector3(1.002, 0.999, 0.997)
    accelerometer.misalignment = crossCoupling(-0.001, 0.002, 0.001)
    accelerometer.noiseDensity = 1.2e-4
    accelerometer.quantum = 0.0005
    accelerometer.range = 8
    accelerometer.intervalJitter = 1e-4
    accelerometer.startOffset = 0.002

    var sensor = SensorModel(rate: 50)
    sensor.noiseDensity = 0.05
    sensor.quantum = 0.1
    sensor.range = 4912
    sensor.intervalJitter = 2e-4
    sensor.startOffset = 0.004
    var magnetometer = MagnetometerModel(sensor: sensor)
    magnetometer.hardIron = Vector3(35, -70, -110)
    magnetometer.softIron = Matrix3(
      rows: Vector3(1.03, 0.01, -0.005), Vector3(0.01, 0.97, 0.015), Vector3(-0.005, 0.015, 1.01))

    return SensorSuite(gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: magnetometer)
  }()

  /// A calibrated research IMU at 200 Hz: low noise, small biases, no iron, and a wide range.
  public static let researchIMU: SensorSuite = {
    var gyroscope = SensorModel(rate: 200)
    gyroscope.bias = Vector3(0.001, 0.0007, -0.0012)
    gyroscope.biasWalk = 3e-6
    gyroscope.scale = Vector3(1.0005, 0.9997, 1.0002)
    gyroscope.misalignment = crossCoupling(0.0003, 0.0002, -0.0004)
    gyroscope.noiseDensity = 5e-5
    gyroscope.range = 34.9

    var accelerometer = SensorModel(rate: 200)
    accelerometer.bias = Vector3(0.001, -0.0008, 0.0015)
    accelerometer.biasWalk = 1e-6
    accelerometer.noiseDensity = 6e-5
    accelerometer.range = 16

    var sensor = SensorModel(rate: 100)
    sensor.noiseDensity = 0.02
    return SensorSuite(
      gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: MagnetometerModel(sensor: sensor),
      referenceRate: 200)
  }()

  /// The presets with their names on the command line.
  public static let presets: [(name: String, suite: SensorSuite)] = [
    ("ideal", ideal), ("phone", phone), ("research-imu", researchIMU), ("mpu-9250", mpu9250),
    ("adis16405", adis16405),
  ]

  /// Returns the preset with a name, or `nil`.
  public static func preset(named name: String) -> SensorSuite? { presets.first { $0.name == name }?.suite }

  private static func crossCoupling(_ xy: Double, _ xz: Double, _ yz: Double) -> Matrix3 {
    Matrix3(rows: Vector3(1, xy, xz), Vector3(-xy, 1, yz), Vector3(-xz, -yz, 1))
  }
}
