extension LogFormat {
  /// The MotionSense dataset (Malekzadeh et al., IoTDI 2019): an iPhone 6s in a pocket, Core Motion's values without
  /// times.
  ///
  /// `A_DeviceMotion_data` has attitude, gravity, rotation rate and user acceleration under Core Motion's property paths.
  /// The raw files of `B_Accelerometer_data` and `C_Gyroscope_data` have the same header, `,x,y,z`, so the user must
  /// specify the sensor.
  static var motionSense: LogFormat {
    LogFormat(
      id: "motionsense", title: "MotionSense CSV",
      recognition: "a header with attitude.roll, gravity.x, rotationRate.x and userAcceleration.x and no time, or "
        + "with a nameless counter and x, y, z",
      units: "rad, g with Core Motion's sign, rad/s; no clock: --sample-rate 50; raw acceleration = gravity + "
        + "userAcceleration; raw files need --columns",
      recognizes: { isMotionSense($0) || isRawMotionSense($0) },
      dialect: { candidate, _ throws(LogError) in try motionSenseDialect(candidate) })
  }

  private static let deviceMotion = ["attitude.roll", "gravity.x", "rotationRate.x", "userAcceleration.x"]

  private static func isMotionSense(_ candidate: LogCandidate) -> Bool {
    HeadTable(candidate) { names in
      deviceMotion.allSatisfy(names.contains) && names.allSatisfy { ColumnName($0).meaning?.quantity != .time }
    } != nil
  }

  /// Whether a file is a raw file: an unnamed column that counts the rows, and x, y and z.
  private static func isRawMotionSense(_ candidate: LogCandidate) -> Bool {
    guard let table = HeadTable(candidate, isHeader: { $0 == ["", "x", "y", "z"] }), table.preamble.isEmpty else {
      return false
    }
    return table.numbers(0).enumerated().allSatisfy { Double($0.offset) == $0.element }
  }

  private static func motionSenseDialect(_ candidate: LogCandidate) throws(LogError) -> CSVDialect {
    guard !isRawMotionSense(candidate) else {
      throw LogError(
        path: candidate.path, line: 1, column: 2,
        problem: "the columns x, y and z may be an accelerometer's or a gyroscope's",
        remedy: "give --sample-rate 50 and --columns=-,accelerationX,accelerationY,accelerationZ for MotionSense's "
          + "accelerometer, or --columns=-,rotationRateX,rotationRateY,rotationRateZ for its gyroscope")
    }
    var dialect = CSVDialect(id: "motionsense", summary: "MotionSense device motion (no times)")
    dialect.isDeviceMotion = true
    dialect.clockRemedy = "give --sample-rate 50, the rate of MotionSense"
    return dialect
  }
}
