public import LinearAlgebra

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
    let (rates, accelerations, fields) = (motion.gyroscope, motion.accelerometer, motion.magneticField)
    var result = AttitudeColumns()
    result.reserveCapacity(rates.count)
    var (acceleration, field) = (0, 0)
    /// Takes the vectors up to a time, or those before it.
    func takeVectors(_ isDue: (Double) -> Bool) {
      while true {
        let nextAcceleration = acceleration < accelerations.count ? accelerations.times[acceleration] : .infinity
        let nextField = field < fields.count ? fields.times[field] : .infinity
        if nextAcceleration <= nextField, acceleration < accelerations.count, isDue(nextAcceleration) {
          update(accelerometer: accelerations.values[acceleration], at: nextAcceleration)
          acceleration += 1
        } else if field < fields.count, isDue(nextField) {
          update(magneticField: fields.values[field], at: nextField)
          field += 1
        } else {
          return
        }
      }
    }
    for row in 0..<rates.count {
      let time = rates.times[row]
      takeVectors { $0 < time }
      update(gyroscope: rates.values[row], at: time)
      // Rates of one time are all taken before its vectors.
      if row + 1 == rates.count || rates.times[row + 1] > time { takeVectors { $0 <= time } }
      result.append(estimate, at: time)
    }
    takeVectors { _ in true }
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
  /// - Parameter sampleRate: Hz, of all sensors.
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
