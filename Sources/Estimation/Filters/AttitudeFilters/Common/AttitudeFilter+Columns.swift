public import InertialNumerics
public import InertialSensors

/// Whole recordings in one call. The results equal those of the updates sample by sample, bit for bit.
extension AttitudeFilter {
  /// Runs the filter over a recording from its current state, and leaves it in the state after the last sample.
  ///
  /// The gyroscope, the accelerometer and the field are merged by time. Of samples with equal timestamps, the rate comes
  /// first, then the acceleration, then the field. A row is the estimate after all samples up to its time. Values that
  /// are not finite or physically impossible are skipped and flagged, as in the updates.
  ///
  /// - Parameters:
  ///   - recording: The samples. Columns of missing sensors, and of sensors that the filter does not use, can be missing.
  ///   - field: The channel of the field, or `nil` for no field. The raw `magnetometer` is suitable only without hard
  ///     iron.
  /// - Throws: `MotionColumnsError` if a column does not have one value per time, or if times decrease.
  public mutating func estimates(
    of recording: Recording, field: SensorChannel? = .calibratedMagneticField
  ) throws(MotionColumnsError) -> AttitudeColumns {
    var cursor = try ColumnCursor(recording, field: field)
    var result = AttitudeColumns()
    result.reserveCapacity(cursor.gyroscope.count)
    while !cursor.isAtEnd {
      cursor.advance(&self)
      result.append(estimate)
    }
    cursor.takeRest(&self)
    result.setTimes(cursor.gyroscope.times)
    return result
  }

  /// Runs the filter over columns that share one column of times, as in many logs.
  ///
  /// - Parameters:
  ///   - times: The timestamps, in seconds, in rising order.
  ///   - gyroscope: The rates, in rad/s, in device axes, bias included.
  ///   - accelerometer: The accelerations, in g, in device axes, with Core Motion's sign: (0, 0, −1) at rest face up.
  ///   - magneticField: The fields, in µT, in device axes, hard iron removed; NaN in rows without a sample.
  /// - Throws: `MotionColumnsError` if the columns differ in length, or if times decrease.
  public mutating func estimates(
    times: [Double], gyroscope: [Vector3], accelerometer: [Vector3], magneticField: [Vector3]? = nil
  ) throws(MotionColumnsError) -> AttitudeColumns {
    var recording = Recording(columns: [
      .gyroscope: SensorColumn(times: times, values: gyroscope),
      .accelerometer: SensorColumn(times: times, values: accelerometer),
    ])
    recording.columns[.calibratedMagneticField] = magneticField.map { SensorColumn(times: times, values: $0) }
    return try estimates(of: recording)
  }

  /// Runs the filter over columns without a clock: row i is at the time i / `sampleRate`.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate of all sensors, in Hz.
  ///   - gyroscope: The rates, in rad/s, in device axes, bias included.
  ///   - accelerometer: The accelerations, in g, in device axes, with Core Motion's sign: (0, 0, −1) at rest face up.
  ///   - magneticField: The fields, in µT, in device axes, hard iron removed; NaN in rows without a sample.
  /// - Throws: `MotionColumnsError` if the columns differ in length, or if the rate is not positive and finite.
  public mutating func estimates(
    sampleRate: Double, gyroscope: [Vector3], accelerometer: [Vector3], magneticField: [Vector3]? = nil
  ) throws(MotionColumnsError) -> AttitudeColumns {
    guard sampleRate > 0, sampleRate.isFinite else { throw .sampleRate(sampleRate) }
    return try estimates(
      times: gyroscope.indices.map { Double($0) / sampleRate }, gyroscope: gyroscope,
      accelerometer: accelerometer, magneticField: magneticField)
  }
}
