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

/// Writes lines of a timestamp in whole nanoseconds and numbers, in the format of the ASL data sets (EuRoC).
package final class NanosecondTableWriter {
  /// The number of rows appended so far.
  package private(set) var rowCount = 0

  private let file: AtomicFile
  private let formatter: NumberFormatter
  private let clock: NanosecondClock
  private var text: [UInt8]
  private let scratch: UnsafeMutableBufferPointer<CChar>

  /// - `columns`: the names of the numbers; the timestamp's, `#timestamp [ns]`, precedes them.
  /// - `epoch`: the UNIX time of time 0 in seconds; if unknown, timestamps count from time 0.
  package init(path: String, columns: [String], epoch: Double?, force: Bool = false) throws(OutputError) {
    file = try AtomicFile(path: path, force: force)
    formatter = NumberFormatter(columnCount: columns.count, digits: nil)
    clock = NanosecondClock(epoch: epoch)
    scratch = .allocate(capacity: columns.count * NumberFormatter.maximumFieldLength)
    text = Array((["#timestamp [ns]"] + columns).joined(separator: ",").utf8) + [0x0A]
  }

  deinit { scratch.deallocate() }

  /// Appends a row. Throws ``OutputError`` if the nanoseconds of its time do not fit 64 bits.
  package func append(time: Double, _ numbers: [Double]) throws(OutputError) {
    guard let stamp = clock.stamp(time) else { throw NanosecondClock.error(time, path: file.path) }
    text += Array("\(stamp),".utf8)
    let count = numbers.withUnsafeBufferPointer { formatter.write($0, into: scratch) }
    text.append(contentsOf: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: scratch[..<count])))
    rowCount += 1
    if text.count > 1 << 16 { try flush() }
  }

  /// Writes the appended rows.
  package func flush() throws(OutputError) {
    try text.withUnsafeBufferPointer { bytes throws(OutputError) in try file.write(UnsafeRawBufferPointer(bytes)) }
    text.removeAll(keepingCapacity: true)
  }

  package func close() throws(OutputError) {
    try flush()
    try file.commit()
  }
}
