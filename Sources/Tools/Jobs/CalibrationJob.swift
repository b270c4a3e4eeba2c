package import InertialCalibration
internal import InertialFusion
package import InertialLogs
package import InertialNumerics
internal import InertialSensors

/// A device's calibration from logs of it: what they can tell, and what they cannot.
package struct CalibrationJob: Sendable {
  /// Files or folders, of one device.
  package var inputs: [String]
  package var log = LogOptions()
  /// In its owner's words, for the document.
  package var device = ""
  /// Gravity at the place in m/s²; the accelerometer's scale is relative to it.
  package var gravity = 9.80665
  /// What is told of where and when the logs were recorded, to compare the field.
  package var given = PlaceAndDate()

  package init(inputs: [String]) { self.inputs = inputs }

  /// The earth's field by the World Magnetic Model.
  package struct ModelField: Sendable {
    /// µT.
    package var strength: Double
    /// rad, downwards.
    package var dip: Double
  }

  /// What was found.
  package struct Report: Sendable {
    package var logs: [LogSummary]
    package var calibration: DeviceCalibration
    package var poses: [StillPose]
    /// What the poses' accelerations were multiplied by: standard gravity over that of the place.
    package var gravityScale: Double
    /// Of the magnetometer, some thousand samples, µT.
    package var rawField: VectorSeries
    package var accelerometer: AccelerometerFit?
    package var gyroscope: GyroscopeFit?
    package var magnetometer: MagnetometerFit?
    /// Of the gyroscope's bias; nil where the logs have no temperature that changes.
    package var temperatureSlope: TemperatureSlope?
    /// nil where place or date are not known.
    package var modelField: ModelField?
    /// What the logs could not tell, and what to mind, a line each.
    package var notes: [String]
  }

  /// Between two logs on one axis of time: more than a turn may take.
  package static let pause = 100.0
  /// Zero-rate output of common gyroscopes, rad/s: 5 °/s (InvenSense MPU-9250).
  private static let usualBias = 5 * Double.pi / 180
  /// More points make no difference in a figure.
  private static let mostPlotted = 4000

  /// - Parameter progress: called now and then with the share that was read, 0 to 1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var logs: [LogSummary] = []
    var (accelerometer, gyroscope, magnetometer) = (VectorSeries(), VectorSeries(), VectorSeries())
    var temperature: (times: [Double], values: [Double]) = ([], [])
    var end = 0.0
    for (index, input) in inputs.enumerated() {
      let loaded = try load(input) { progress((Double(index) + $0) / Double(inputs.count)) }
      logs.append(loaded.summary)
      guard let first = loaded.samples.first?.time, let last = loaded.samples.last?.time else { continue }
      // A gap is no longer than that between two logs: its motion is unknown.
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
        // In a gap nothing else was measured.
        let next = shifts.firstIndex { $0.from > sample.time } ?? shifts.count
        guard next > 0 else { continue }
        let shift = shifts[next - 1].shift
        if next < shifts.count, sample.time + shift >= shifts[next].from + shifts[next].shift { continue }
        temperature.times.append(sample.time + shift)
        temperature.values.append(value)
      }
      end = last + shifts.last!.shift + Self.pause
    }
    var report = try report(logs, accelerometer, gyroscope, magnetometer)
    if let slope = TemperatureSlope(report.poses, times: temperature.times, temperatures: temperature.values) {
      report.temperatureSlope = slope
      if slope.isSure { report.calibration.follow(slope) }
    }
    return report
  }

  private func load(_ input: String, progress: (Double) -> Void) throws(FusionError) -> LoadedLog {
    var feed = LogFeed(path: input, options: log)
    feed.neededChannels = []
    // A raw sensor may be far from what a calibrated one says.
    feed.isTolerant = true
    feed.options.auxiliary = [.temperature]
    do throws(LogError) {
      return try feed.load()
    } catch {
      throw FusionError(error)
    }
  }

  private func report(
    _ logs: [LogSummary], _ accelerometer: VectorSeries, _ gyroscope: VectorSeries, _ magnetometer: VectorSeries
  ) throws(FusionError) -> Report {
    var notes: [String] = []
    var calibration = DeviceCalibration()
    (calibration.device, calibration.sources) = (device, inputs)
    // Gravity at the place is 1 there.
    let scale = standardGravityOver(gravity)
    let forces = VectorSeries(times: accelerometer.times, values: accelerometer.values.map { scale * $0 })
    if let unit = Self.otherUnit(accelerometer) {
      throw .badData("\(inputs.joined(separator: ", ")): \(unit)")
    }
    let poses = StillPose.find(accelerometer: forces, gyroscope: gyroscope, magnetometer: magnetometer)
    let acceleration = AccelerometerFit(poses)
    var model = LinearModel()
    if let acceleration {
      model = acceleration.result.model
      var result = acceleration.result
      // Back in units of standard gravity: the bias is the raw value's.
      result.model.bias = result.model.bias / scale
      result.biasSigma = result.biasSigma / scale
      calibration.sensors.append(.init(.accelerometer, result))
      if acceleration.heldOutResidual == nil { notes.append("fewer than 10 poses: none was held out to judge the fit") }
    } else if accelerometer.isEmpty {
      notes.append("no accelerometer in the log")
    } else {
      notes.append(
        "accelerometer not calibrated: 3 still poses needed, \(poses.count) found; 12 or more in all directions advised"
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
          "gyroscope: its only rest has a rate of \(degrees) °/s, and a steady turn looks the same; data sheets have a "
            + "zero-rate output of ±3 °/s (BMI160) to ±10 °/s (LSM6DS3): lay the device down a second time, another side up"
        )
      }
    } else {
      notes.append(
        gyroscope.isEmpty ? "no gyroscope in the log" : "gyroscope not calibrated: the device never lay still")
    }
    let rateModel = rate?.result.model ?? LinearModel()
    let field = MagnetometerFit(
      magnetometer,
      accelerometer: VectorSeries(times: forces.times, values: forces.values.map(model.calibrated)),
      gyroscope: VectorSeries(times: gyroscope.times, values: gyroscope.values.map(rateModel.calibrated)), by: model,
      leaving: errors, rate?.result ?? .uncalibratedGyroscope)
    if let field {
      calibration.sensors.append(.init(.magnetometer, field.result))
      (calibration.fieldStrength, calibration.dip) = (field.fieldStrength, field.dip)
      (calibration.coverage, calibration.verdict) = (field.coverage.share, field.verdict)
      (calibration.headingSigma, calibration.ironVerdict) = (field.headingSigma, field.ironVerdict)
      calibration.ironSigma = field.ironSigma.isFinite ? field.ironSigma : nil
      switch calibration.magnetometerUse {
      case .whole: break
      case .iron:
        notes.append(
          "magnetometer: how it is turned against the accelerometer is not known well enough; --calibration takes hard and "
            + "soft iron off and leaves the field's axes as they are; let the device rest now and then while it is turned"
        )
      case .none:
        notes.append(
          "magnetometer poor, so that --calibration leaves the raw field as it is; turn the device slowly in all directions"
        )
      }
    } else {
      notes.append(
        magnetometer.isEmpty
          ? "no raw magnetic field in the log"
          : "magnetometer not calibrated: its samples are on no sphere of the earth's strength; turn the device in all directions, away from iron"
      )
    }
    for sensor in calibration.sensors { notes += sensor.result.unobservable.map { "\(sensor.channel.name): \($0)" } }
    guard !calibration.sensors.isEmpty else {
      throw .badData("\(inputs.joined(separator: ", ")): nothing can be calibrated: \(notes.joined(separator: "; "))")
    }
    return Report(
      logs: logs, calibration: calibration, poses: poses, gravityScale: scale, rawField: Self.thinned(magnetometer),
      accelerometer: acceleration, gyroscope: rate, magnetometer: field,
      modelField: field == nil ? nil : modelField(), notes: notes)
  }

  /// What a log in m/s² is told that says g: a length that no accelerometer is off by.
  private static func otherUnit(_ accelerometer: VectorSeries) -> String? {
    guard let length = Statistics.median(accelerometer.values.map(\.norm)), !(0.5...2).contains(length) else {
      return nil
    }
    let shown = (100 * length).rounded() / 100
    return "the acceleration is \(shown) g long in the middle, and at rest it is 1 g; "
      + ((4.9...19.6).contains(length)
        ? "it looks like m/s²: add --acceleration-unit m/s2"
        : (0.05...0.2).contains(length)
          ? "it looks like g taken for m/s²: add --acceleration-unit g" : "give its unit with --acceleration-unit")
  }

  private static func thinned(_ series: VectorSeries) -> VectorSeries {
    let places = stride(from: 0, to: series.times.count, by: max(1, series.times.count / mostPlotted))
    return VectorSeries(times: places.map { series.times[$0] }, values: places.map { series.values[$0] })
  }

  private func standardGravityOver(_ gravity: Double) -> Double { 9.80665 / gravity }

  private func modelField() -> ModelField? {
    var known = given
    if known.place == nil || known.year == nil, let input = inputs.first,
      let log = try? PlaceAndDate(ofLog: input, options: log)
    {
      known.place = known.place ?? log.place
      known.year = known.year ?? log.year
    }
    guard let place = known.place, let year = known.year,
      let field = try? MagneticModel.elements(
        latitude: place.latitude, longitude: place.longitude, height: place.altitude, decimalYear: year)
    else { return nil }
    return ModelField(strength: field.totalIntensity / 1000, dip: field.inclination * .pi / 180)
  }
}
