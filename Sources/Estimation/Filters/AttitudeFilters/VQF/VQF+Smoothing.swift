internal import InertialNumerics
internal import InertialRotations
public import InertialSensors
internal import InertialSystem

extension VQF {
  /// Returns the smoothed attitudes of a recording: the offline form, in which each attitude uses the whole recording.
  ///
  /// Laidig and Seel 2023, the offline variant: the filter runs forward and backward for bias, rest and disturbances;
  /// then the gyroscope is integrated with the combined bias, and the low-passes of force and heading run forward and
  /// backward, so that they have no delay. With one rate for all sensors, the results equal the published ones;
  /// otherwise, samples are used at their own timestamps with the latest attitude.
  ///
  /// - Parameters:
  ///   - recording: The samples of the recording; each column has one value per time.
  ///   - field: The channel of the field, or `nil` for no field.
  ///   - parameters: The filter's parameters. Rates that are not given are the columns' medians.
  public static func smoothed(
    _ recording: Recording, field: SensorChannel? = .calibratedMagneticField, parameters: Parameters = Parameters()
  ) -> SmoothedAttitudes {
    func samples(_ channel: SensorChannel?) -> Zip2Sequence<[Double], [Vector3]> {
      let column = channel.flatMap { recording[$0] } ?? SensorColumn()
      precondition(column.count == column.values.count, "\(column.count) times and \(column.values.count) values")
      return zip(column.times, column.values)
    }
    // A caller with columns in memory has enough memory for another copy.
    var copy = VQFRecording(memory: .max)
    for (time, value) in samples(.gyroscope) { copy.append(gyroscope: value, at: time) }
    for (time, value) in samples(.accelerometer) { copy.append(accelerometer: value, at: time) }
    for (time, value) in samples(field) { copy.append(magneticField: value, at: time) }
    do throws(SpillError) {
      return try SmoothedAttitudes(VQFSmoother(copy, parameters, memory: .max))
    } catch {
      preconditionFailure("the temporary storage cannot be read: \(error)")
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
