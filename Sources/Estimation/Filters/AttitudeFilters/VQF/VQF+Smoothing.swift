internal import InertialNumerics
internal import InertialRotations
internal import InertialSystem

extension VQF {
  /// The offline form: attitudes of a whole recording, each from all of it.
  ///
  /// Laidig and Seel 2023, the offline variant: the filter runs forward and backward for bias, rest and disturbances;
  /// then the gyroscope is integrated with the combined bias, and the low-passes of force and heading run forward and
  /// backward, so that they have no delay. All sensors at one rate give the published results; other sensors are taken
  /// at their own stamps with the latest attitude.
  ///
  /// - `parameters`: those of the filter; rates that are not given are the columns' medians.
  public static func smoothed(
    _ columns: MotionColumns, parameters: Parameters = Parameters()
  ) -> SmoothedAttitudes {
    for column in [columns.gyroscope, columns.accelerometer, columns.magneticField] {
      precondition(
        column.times.count == column.values.count, "\(column.times.count) times and \(column.values.count) values")
    }
    // Who has the columns in memory has room for as much again.
    var recording = VQFRecording(memory: .max)
    for (time, value) in zip(columns.gyroscope.times, columns.gyroscope.values) {
      recording.append(gyroscope: value, at: time)
    }
    for (time, value) in zip(columns.accelerometer.times, columns.accelerometer.values) {
      recording.append(accelerometer: value, at: time)
    }
    for (time, value) in zip(columns.magneticField.times, columns.magneticField.values) {
      recording.append(magneticField: value, at: time)
    }
    do throws(SpillError) {
      return try SmoothedAttitudes(VQFSmoother(recording, parameters, memory: .max))
    } catch {
      preconditionFailure("nothing is on the disk: \(error)")
    }
  }
}

extension SmoothedAttitudes {
  fileprivate init(_ smoother: VQFSmoother) throws(SpillError) {
    self.init()
    var rows = VQFSmoother.Rows(smoother)
    while let row = try rows.next() {
      times.append(row.time)
      attitudes.append(row.attitude)
      gyroscopeBiases.append(row.known.bias)
      gyroscopeBiasSigmas.append(row.known.biasSigma)
      isResting.append(row.known.isResting)
      isFieldDisturbed.append(row.known.isFieldDisturbed)
      isFieldKnown.append(row.known.isFieldKnown)
    }
  }
}
