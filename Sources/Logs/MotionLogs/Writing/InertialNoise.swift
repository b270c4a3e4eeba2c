/// The noise of an inertial sensor in SI units for visual-inertial odometry: the values that EuRoC's `sensor.yaml` and
/// Kalibr's `imu.yaml` have in common.
package struct InertialNoise: Sendable, Equatable {
  /// The noise density of the gyroscope, in rad/s/√Hz.
  package var gyroscopeNoiseDensity: Double
  /// The random walk of the gyroscope's bias, in rad/s²/√Hz.
  package var gyroscopeRandomWalk: Double
  /// The noise density of the accelerometer, in m/s²/√Hz.
  package var accelerometerNoiseDensity: Double
  /// The random walk of the accelerometer's bias, in m/s³/√Hz.
  package var accelerometerRandomWalk: Double

  package init(
    gyroscopeNoiseDensity: Double, gyroscopeRandomWalk: Double, accelerometerNoiseDensity: Double,
    accelerometerRandomWalk: Double
  ) {
    self.gyroscopeNoiseDensity = gyroscopeNoiseDensity
    self.gyroscopeRandomWalk = gyroscopeRandomWalk
    self.accelerometerNoiseDensity = accelerometerNoiseDensity
    self.accelerometerRandomWalk = accelerometerRandomWalk
  }

  /// The lines that both files contain.
  package var lines: String {
    """
    gyroscope_noise_density: \(gyroscopeNoiseDensity)      # rad/s/sqrt(Hz)
    gyroscope_random_walk: \(gyroscopeRandomWalk)        # rad/s^2/sqrt(Hz)
    accelerometer_noise_density: \(accelerometerNoiseDensity)    # m/s^2/sqrt(Hz)
    accelerometer_random_walk: \(accelerometerRandomWalk)      # m/s^3/sqrt(Hz)

    """
  }

  /// Reads `sensor.yaml` or `imu.yaml`. Throws ``LogError`` if one of the four values is missing.
  package init(path: String) throws(LogError) {
    let text = String(decoding: try InputFile(path: path).readBytes(upTo: 1 << 16), as: UTF8.self)
    var values: [String: Double] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      let parts = line.prefix { $0 != "#" }.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let value = Double(parts[1].filter { !$0.isWhitespace }), value >= 0, value.isFinite
      else { continue }
      values[parts[0].filter { !$0.isWhitespace }] = value
    }
    func value(_ key: String) throws(LogError) -> Double {
      guard let value = values[key] else {
        throw LogError(
          path: path, problem: "there is no number \(key)",
          remedy: "give gyroscope_noise_density, gyroscope_random_walk, accelerometer_noise_density and "
            + "accelerometer_random_walk, one per line, as in Kalibr's imu.yaml")
      }
      return value
    }
    gyroscopeNoiseDensity = try value("gyroscope_noise_density")
    gyroscopeRandomWalk = try value("gyroscope_random_walk")
    accelerometerNoiseDensity = try value("accelerometer_noise_density")
    accelerometerRandomWalk = try value("accelerometer_random_walk")
  }
}
