public import InertialNumerics

/// Whole recordings at once: the results are those of the updates sample by sample, bit for bit.
extension AttitudeFilter {
  /// Runs the filter over columns, from its state on, and leaves it in the state after the last sample.
  ///
  /// The sensors are merged by time; of samples at one time the rate comes first, then the acceleration, then the
  /// field. A row is what is known when all samples up to its time are in. A value that is not finite or impossible is
  /// skipped and flagged, as ever.
  /// - Throws: `MotionColumnsError` where a column has not one value per time, or times that fall.
  public mutating func estimates(of motion: MotionColumns) throws(MotionColumnsError) -> AttitudeColumns {
    try motion.check()
    let times = motion.gyroscope.times
    var result = AttitudeColumns()
    result.reserveCapacity(times.count)
    var cursor = ColumnCursor()
    while !cursor.isAtEnd(of: motion) {
      cursor.advance(&self, through: motion)
      result.append(estimate)
    }
    cursor.takeRest(of: motion, by: &self)
    result.setTimes(times)
    return result
  }

  /// Runs the filter over columns that share one column of times, as many logs have them.
  ///
  /// - Parameters:
  ///   - times: seconds, in rising order.
  ///   - gyroscope: rad/s, device axes, bias included.
  ///   - accelerometer: g, device axes, Core Motion's sign: (0, 0, −1) at rest face up.
  ///   - magneticField: µT, device axes, hard iron removed; NaN in rows without a sample.
  /// - Throws: `MotionColumnsError` where the columns are not of one length, or times fall.
  public mutating func estimates(
    times: [Double], gyroscope: [Vector3], accelerometer: [Vector3], magneticField: [Vector3]? = nil
  ) throws(MotionColumnsError) -> AttitudeColumns {
    try estimates(
      of: MotionColumns(
        times: times, rates: gyroscope, accelerations: accelerometer, fields: magneticField))
  }

  /// Runs the filter over columns without a clock: row i is at the time i / `sampleRate`.
  ///
  /// - `sampleRate`: Hz, of all sensors.
  /// - Throws: `MotionColumnsError` where the columns are not of one length, or the rate is none.
  public mutating func estimates(
    sampleRate: Double, gyroscope: [Vector3], accelerometer: [Vector3], magneticField: [Vector3]? = nil
  ) throws(MotionColumnsError) -> AttitudeColumns {
    guard sampleRate > 0, sampleRate.isFinite else { throw .sampleRate(sampleRate) }
    return try estimates(
      times: gyroscope.indices.map { Double($0) / sampleRate }, gyroscope: gyroscope,
      accelerometer: accelerometer, magneticField: magneticField)
  }
}
