package import InertialCalibration
internal import InertialFusion
package import InertialLogs
package import InertialNumerics
internal import InertialSensors

/// The calibration of a device from its logs.
package struct CalibrationJob: Sendable {
  /// The paths of the device's logs, which are files or folders.
  package var inputs: [String]
  package var log = LogOptions()
  /// The owner's description of the device, for the document.
  package var device = ""
  /// The local gravity in m/s². The accelerometer's scale is relative to it.
  package var gravity = standardGravity
  /// The place and date of the logs, to compare the field with the model.
  package var given = PlaceAndDate()
  /// The calibration of another session to compare with, or `nil` for no comparison.
  package var other: DeviceCalibration?

  package init(inputs: [String]) { self.inputs = inputs }

  /// The time between two logs on the common time axis, in seconds. It exceeds the maximum duration of a rotation.
  package static let pause = 100.0
  /// The zero-rate output of common gyroscopes in rad/s: 5 °/s (InvenSense MPU-9250).
  private static let usualBias = 5 * Double.pi / 180
  /// The maximum number of points in a figure.
  private static let maximumPlottedCount = 4000

  /// - Parameter progress: Called periodically with the fraction of the logs that was read, 0...1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var logs: [LogSummary] = []
    var (accelerometer, gyroscope, magnetometer) = (SensorColumn(), SensorColumn(), SensorColumn())
    var temperature: (times: [Double], values: [Double]) = ([], [])
    var end = 0.0
    for (index, input) in inputs.enumerated() {
      let loaded = try load(input) { progress((Double(index) + $0) / Double(inputs.count)) }
      logs.append(loaded.summary)
      guard let first = loaded.samples.first?.time, let last = loaded.samples.last?.time else { continue }
      // Gaps are shortened to the time between two logs, as their motion is unknown.
      var shifts = [(from: first, shift: end - first)]
      var before = first
      for sample in loaded.samples {
        if sample.time - before > Self.pause {
          shifts.append((sample.time, shifts.last!.shift - (sample.time - before) + Self.pause))
        }
        before = sample.time
        let shift = shifts.last!.shift
        switch sample.channel {
        case .accelerometer: accelerometer.append(sample.vector, at: sample.time + shift)
        case .gyroscope: gyroscope.append(sample.vector, at: sample.time + shift)
        case .magnetometer: magnetometer.append(sample.vector, at: sample.time + shift)
        default: break
        }
      }
      for sample in loaded[.temperature] {
        let value = sample["temperature"]
        guard value.isFinite else { continue }
        // Temperatures in a gap are skipped, as no other sensor was measured there.
        let next = shifts.firstIndex { $0.from > sample.time } ?? shifts.count
        guard next > 0 else { continue }
        let shift = shifts[next - 1].shift
        if next < shifts.count, sample.time + shift >= shifts[next].from + shifts[next].shift { continue }
        temperature.times.append(sample.time + shift)
        temperature.values.append(value)
      }
      end = last + shifts.last!.shift + Self.pause
    }
    // A magnetometer with a coarse resolution repeats its values at rest.
    for (name, column) in [("accelerometer", accelerometer), ("gyroscope", gyroscope)] {
      guard column.count > 1, column.values.allSatisfy({ $0 == column.values[0] }) else { continue }
      throw .badData(
        "\(inputs.joined(separator: ", ")): the \(name)'s values never change: it slept or froze; leave its columns out "
          + "with --columns, or use another log")
    }
    var report = try report(logs, accelerometer, gyroscope, magnetometer)
    if let slope = TemperatureSlope(report.stillPoses, times: temperature.times, temperatures: temperature.values) {
      report.temperatureSlope = slope
      if slope.isSure { report.calibration.follow(slope) }
    }
    report.differences = other?.differences(from: report.calibration)
    return report
  }

  private func load(_ input: String, progress: (Double) -> Void) throws(FusionError) -> LoadedLog {
    var feed = LogFeed(path: input, options: log)
    feed.neededChannels = []
    // An uncalibrated sensor may have implausible values.
    feed.isTolerant = true
    feed.options.auxiliary = [.temperature]
    do throws(LogError) { return try feed.load() } catch { throw FusionError(error) }
  }

  private func report(
    _ logs: [LogSummary], _ accelerometer: SensorColumn, _ gyroscope: SensorColumn, _ magnetometer: SensorColumn
  ) throws(FusionError) -> Report {
    var notes: [String] = []
    var calibration = DeviceCalibration()
    (calibration.device, calibration.sources) = (device, inputs)
    // The scale makes local gravity equal to 1.
    let scale = standardGravity / gravity
    let forces = SensorColumn(times: accelerometer.times, values: accelerometer.values.map { scale * $0 })
    if let unit = Self.otherUnit(accelerometer) { throw .badData("\(inputs.joined(separator: ", ")): \(unit)") }
    let poses = StillPose.find(accelerometer: forces, gyroscope: gyroscope, magnetometer: magnetometer)
    let acceleration = AccelerometerFit(poses)
    var model = LinearModel()
    if let acceleration {
      model = acceleration.result.model
      var result = acceleration.result
      // The bias is converted back to units of standard gravity, as it applies to raw values.
      result.model.bias = result.model.bias / scale
      result.biasSigma = result.biasSigma / scale
      calibration.sensors.append(.init(.accelerometer, result))
      if acceleration.heldOutResidual == nil {
        notes.append("fewer than 10 poses: none was held out to validate the fit")
      }
    } else if accelerometer.isEmpty {
      notes.append("no accelerometer in the log")
    } else {
      notes.append(
        "accelerometer not calibrated: \(poses.count) still poses found, at least 3 needed, 12 in all directions recommended"
      )
    }
    let errors = acceleration?.gravityErrors ?? .uncalibrated
    let rate = GyroscopeFit(poses, gyroscope: gyroscope, accelerometer: model, errors: errors)
    if let rate {
      calibration.sensors.append(.init(.gyroscope, rate.result))
      calibration.accelerationSensitivity = rate.accelerationSensitivity
      if poses.count == 1, rate.result.bias.norm > Self.usualBias {
        let degrees = (rate.result.bias.norm * 1800 / .pi).rounded() / 10
        notes.append(
          "gyroscope: the only rest has a rate of \(degrees) °/s, and a constant rotation looks the same; data sheets state "
            + "a zero-rate output of ±3 °/s (BMI160) to ±10 °/s (LSM6DS3): lay the device down again, with another side up"
        )
      }
    } else {
      notes.append(
        gyroscope.isEmpty ? "no gyroscope in the log" : "gyroscope not calibrated: the device was never at rest")
    }
    let rateModel = rate?.result.model ?? LinearModel()
    let field = MagnetometerFit(
      magnetometer,
      accelerometer: SensorColumn(times: forces.times, values: forces.values.map(model.calibrated)),
      gyroscope: SensorColumn(times: gyroscope.times, values: gyroscope.values.map(rateModel.calibrated)), by: model,
      leaving: errors, rate?.result ?? .uncalibratedGyroscope)
    if let field {
      calibration.sensors.append(.init(.magnetometer, field.result))
      (calibration.fieldStrength, calibration.dip) = (field.fieldStrength, field.dip)
      (calibration.coverage, calibration.verdict) = (field.coverage.fraction, field.verdict)
      (calibration.headingSigma, calibration.ironVerdict) = (field.headingSigma, field.ironVerdict)
      calibration.ironSigma = field.ironSigma.isFinite ? field.ironSigma : nil
      switch calibration.magnetometerUse {
      case .whole: break
      case .iron:
        notes.append(
          "magnetometer: its rotation relative to the accelerometer is too uncertain; --calibration compensates hard and soft "
            + "iron and leaves the field's axes unchanged; let the device rest several times while turning it"
        )
      case .none:
        notes.append(
          "magnetometer poor: --calibration leaves the raw field unchanged; turn the device slowly in all directions"
        )
      }
    } else {
      notes.append(
        magnetometer.isEmpty
          ? "no raw magnetic field in the log"
          : "magnetometer not calibrated: its samples do not fit a sphere of the earth's field strength; turn the device in all directions, away from iron"
      )
    }
    for sensor in calibration.sensors { notes += sensor.result.unobservable.map { "\(sensor.channel.name): \($0)" } }
    guard !calibration.sensors.isEmpty else {
      throw .badData("\(inputs.joined(separator: ", ")): nothing can be calibrated: \(notes.joined(separator: "; "))")
    }
    let whereabouts = inputs.first.map { given.completed(byLog: $0, options: log) } ?? given
    return Report(
      inputs: inputs, calibration: calibration, accelerometer: acceleration, gyroscope: rate, magnetometer: field,
      modelField: field == nil ? nil : whereabouts.earthField, notes: notes, logs: logs, stillPoses: poses,
      gravityScale: scale,
      rawField: Self.thinned(magnetometer))
  }

  /// Returns the message about an acceleration in another unit than specified, or `nil` if the magnitude is plausible.
  private static func otherUnit(_ accelerometer: SensorColumn) -> String? {
    guard let length = Statistics.median(accelerometer.values.map(\.norm)), !(0.5...2).contains(length) else {
      return nil
    }
    let shown = (100 * length).rounded() / 100
    return "the median acceleration is \(shown) g, but 1 g is expected at rest; "
      + ((4.9...19.6).contains(length)
        ? "the unit appears to be m/s²: add --acceleration-unit m/s2"
        : (0.05...0.2).contains(length)
          ? "the unit appears to be g, not m/s²: add --acceleration-unit g"
          : "specify its unit with --acceleration-unit")
  }

  private static func thinned(_ series: SensorColumn) -> SensorColumn {
    let places = stride(from: 0, to: series.times.count, by: max(1, series.times.count / maximumPlottedCount))
    return SensorColumn(times: places.map { series.times[$0] }, values: places.map { series.values[$0] })
  }
}
