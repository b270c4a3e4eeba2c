internal import LinearAlgebra
internal import SystemLibrary

// Devices with the typical errors of their makers' data sheets: offsets, scales and couplings at the stated tolerance, in
// directions chosen once. A stated noise density counts both signs of the frequency, so N is that over √2.

extension SensorSuite {
  /// InvenSense MPU-9250, product specification PS-MPU-9250A-01 (2016), uncalibrated at 100 Hz: 0.01 °/s/√Hz and 300 µg/√Hz,
  /// offsets of 5 °/s and 60 to 80 mg, scales within 3 %, couplings of 2 %; magnetometer AK8963, 0.15 µT a step, with the
  /// iron of a small board.
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

  /// Bosch BMI160, data sheet BST-BMI160-DS000 (2015), uncalibrated at 100 Hz: 0.007 °/s/√Hz and 180 µg/√Hz, offsets of 3 °/s
  /// and 40 mg, scales within 1 %, 0.05 °/s/K, 1 mg/K, 0.1 °/s/g. It has no magnetometer.
  public static let bmi160: SensorSuite = {
    var gyroscope = SensorModel()
    gyroscope.bias = degrees(-1.9, 2.7, 0.8)
    gyroscope.scale = Vector3(1.008, 0.993, 1.006)
    gyroscope.misalignment = coupling(0.006, -0.01, 0.008, -0.004, 0.007, 0.009)
    gyroscope.noiseDensity = degrees(0.007) / 2.0.squareRoot()
    gyroscope.biasWalk = degrees(0.0003)
    gyroscope.temperatureSlope = degrees(0.05, 0.05, -0.05)
    gyroscope.accelerationSensitivity = coupling(0.4, -0.3, 0.2, 0.3, -0.4, 0.1, diagonal: 1) * degrees(0.1)
    gyroscope.quantum = degrees(1 / 65.6)
    gyroscope.range = degrees(500)

    var accelerometer = SensorModel()
    accelerometer.bias = Vector3(-0.028, 0.019, 0.036)
    accelerometer.scale = Vector3(1.004, 0.995, 1.007)
    accelerometer.misalignment = coupling(-0.004, 0.006, 0.005, -0.004, 0.006, 0.005)
    accelerometer.noiseDensity = 180e-6 / 2.0.squareRoot()
    accelerometer.temperatureSlope = Vector3(0.001, 0.001, -0.001)
    accelerometer.quantum = 1 / 8192.0
    accelerometer.range = 4
    return SensorSuite(gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: nil)
  }()

  /// Analog Devices ADIS16405, data sheet revision B (2009), as it leaves the factory, calibrated, at 100 Hz: angle random
  /// walk 2.0 °/√h, velocity random walk 0.2 m/s/√h, offsets of up to 3 °/s and 50 mg, 0.05 °/s/g, axes to 0.05°.
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
    accelerometer.noiseDensity = 0.2 / 60 / 9.80665
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

  /// What each axis feels of the others, above and below the diagonal.
  private static func coupling(
    _ xy: Double, _ xz: Double, _ yz: Double, _ yx: Double, _ zx: Double, _ zy: Double, diagonal: Double = 1
  ) -> Matrix3 {
    Matrix3(rows: Vector3(diagonal, xy, xz), Vector3(yx, diagonal, yz), Vector3(zx, zy, diagonal))
  }
}
