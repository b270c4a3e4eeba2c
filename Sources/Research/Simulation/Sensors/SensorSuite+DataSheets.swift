internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

// Devices with errors as large as in their makers' data sheets: offsets, scales and couplings within the tolerance, in
// fixed arbitrary directions. A stated noise density is one-sided, with all noise at frequencies above 0, so N is the
// density over √2.

extension SensorSuite {
  /// InvenSense MPU-9250, product specification PS-MPU-9250A-01, revision 1.0 (2014), uncalibrated at 100 Hz.
  ///
  /// From tables 1 and 2: 0.01 °/s/√Hz and 300 µg/√Hz; offsets of up to 5 °/s, 60 mg (x, y) and 80 mg (z), scales
  /// within 3 %, couplings of up to 2 %, 1.5 mg/K, ±500 °/s at 65.5 steps per °/s, ±4 g at 8192 steps per g. The
  /// specification does not contain the gyroscope's random walk, temperature slope and g-sensitivity, the clock, or the
  /// magnetometer's noise and iron, which are typical of a small board.
  public static let mpu9250: SensorSuite = {
    var gyroscope = SensorModel()
    gyroscope.bias = degrees(3.1, -4.2, 1.8)
    gyroscope.scale = Vector3(1.021, 0.984, 1.012)
    gyroscope.misalignment = coupling(0.012, -0.008, 0.015, 0.006, -0.011, 0.009)
    gyroscope.noiseDensity = degrees(0.01) / 2.0.squareRoot()
    gyroscope.biasWalk = degrees(0.0004)
    gyroscope.temperatureSlope = degrees(0.03, -0.02, 0.025)
    gyroscope.accelerationSensitivity = coupling(0, 0, 0, 0, 0, 0, diagonal: degrees(0.1)) * 0.5
    gyroscope.quantum = degrees(1 / 65.5)
    gyroscope.range = degrees(500)
    gyroscope.clockDrift = 1e-3

    var accelerometer = SensorModel()
    accelerometer.bias = Vector3(0.045, -0.038, 0.062)
    accelerometer.scale = Vector3(0.988, 1.017, 1.009)
    accelerometer.misalignment = coupling(0.009, -0.012, 0.007, 0.009, -0.012, 0.007)
    accelerometer.noiseDensity = 300e-6 / 2.0.squareRoot()
    accelerometer.temperatureSlope = Vector3(0.0015, -0.0015, 0.0015)
    accelerometer.quantum = 1 / 8192.0
    accelerometer.range = 4
    accelerometer.clockDrift = 1e-3

    var sensor = SensorModel(rate: 100)
    sensor.noiseDensity = 0.06
    sensor.quantum = 0.15
    sensor.range = 4912
    sensor.clockDrift = 1e-3
    var magnetometer = MagnetometerModel(sensor: sensor)
    magnetometer.hardIron = Vector3(18, -27, 41)
    magnetometer.softIron = Matrix3(
      rows: Vector3(1.05, 0.03, -0.01), Vector3(0.02, 0.94, 0.02), Vector3(-0.02, 0.01, 1.02))
    return SensorSuite(gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: magnetometer)
  }()

  /// Analog Devices ADIS16405, factory-calibrated, at 100 Hz.
  ///
  /// From its data sheet, as quoted in the simulations of NaveGo: angle random walk 2.0 °/√h, velocity random walk 0.2
  /// m/s/√h, offsets of up to 3 °/s and 50 mg, magnetic noise 0.066 mgauss/√Hz. Steps of 0.05 °/s, 3.33 mg and 0.5
  /// mgauss as in Linux's driver adis16400. Chosen: couplings of less than 0.05°, the rate's random walk, 0.05 °/s/g,
  /// and little iron.
  public static let adis16405: SensorSuite = {
    var gyroscope = SensorModel()
    gyroscope.bias = degrees(0.9, -1.2, 0.4)
    gyroscope.misalignment = coupling(8e-4, -5e-4, 6e-4, -4e-4, 7e-4, -6e-4)
    gyroscope.noiseDensity = degrees(2.0 / 60)
    gyroscope.biasWalk = degrees(2e-4)
    gyroscope.accelerationSensitivity = coupling(0.3, -0.2, 0.2, 0.1, -0.3, 0.2, diagonal: 1) * degrees(0.05)
    gyroscope.quantum = degrees(0.05)
    gyroscope.range = degrees(300)

    var accelerometer = SensorModel()
    accelerometer.bias = Vector3(0.012, -0.018, 0.009)
    accelerometer.misalignment = coupling(5e-4, -7e-4, 4e-4, 5e-4, -7e-4, 4e-4)
    accelerometer.noiseDensity = 0.2 / 60 / standardGravity
    accelerometer.quantum = 0.00333
    accelerometer.range = 18

    var sensor = SensorModel(rate: 100)
    sensor.noiseDensity = 0.0066
    sensor.quantum = 0.05
    sensor.range = 350
    var magnetometer = MagnetometerModel(sensor: sensor)
    magnetometer.hardIron = Vector3(0.4, -0.3, 0.4)
    return SensorSuite(gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: magnetometer)
  }()

  private static func degrees(_ value: Double) -> Double { value * .pi / 180 }

  private static func degrees(_ x: Double, _ y: Double, _ z: Double) -> Vector3 { degrees(1) * Vector3(x, y, z) }

  /// Returns the cross-axis sensitivities, above and below the diagonal.
  private static func coupling(
    _ xy: Double, _ xz: Double, _ yz: Double, _ yx: Double, _ zx: Double, _ zy: Double, diagonal: Double = 1
  ) -> Matrix3 {
    Matrix3(rows: Vector3(diagonal, xy, xz), Vector3(yx, diagonal, yz), Vector3(zx, zy, diagonal))
  }
}
