import Testing

@testable import InertialJobs

/// A device that warms up by 20 K, with logs that contain its temperature.
private struct WarmingDevice {
  static let slope = Vector3(0.0008, -0.0005, 0.0006)
  static let bias = Vector3(0.02, -0.03, 0.01)
  var suite: SensorSuite

  init() {
    var gyroscope = SensorModel(rate: 50)
    (gyroscope.bias, gyroscope.noiseDensity) = (Self.bias, 1e-4)
    (gyroscope.temperatureSlope, gyroscope.warming, gyroscope.warmingTime) = (Self.slope, 20, 60)
    var accelerometer = SensorModel(rate: 50)
    accelerometer.noiseDensity = 1e-4
    suite = SensorSuite(gyroscope: gyroscope, accelerometer: accelerometer, magnetometer: nil, referenceRate: nil)
  }

  static func temperature(at time: Double) -> AuxiliarySample {
    with(AuxiliarySample(time: time, channel: .temperature)) { $0["temperature"] = 20 + 20 * (1 - exp(-time / 60)) }
  }

  /// - Parameter hasTemperature: Whether the log has temperatures, at 2 Hz.
  func write(
    _ trajectory: any Trajectory, duration: Double, seed: UInt64, to path: String, hasTemperature: Bool = true
  ) throws -> [SensorSample] {
    let samples = Array(Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: seed))
    let temperatures = stride(from: 0.0, to: hasTemperature ? duration : 0, by: 0.5).map { Self.temperature(at: $0) }
    try RawLogWriter.write(samples, auxiliary: temperatures, to: path)
    return samples
  }
}

@Suite("Logs that a calibration corrects") struct CalibratedLogTests {
  private let folder = TemporaryFolder()

  private func calibration() throws -> DeviceCalibration {
    let motion = PosesTrajectory(count: 24, restDuration: 2, turnDuration: 1.2, seed: 3)
    let log = folder.path("poses.csv")
    _ = try WarmingDevice().write(motion, duration: motion.duration, seed: 3, to: log)
    return try CalibrationJob(inputs: [log]).run().calibration
  }

  private static func meanRate(_ samples: [SensorSample], from start: Double) -> Vector3 {
    let rates = samples.filter { $0.channel == .gyroscope && $0.time >= start }.map(\.vector)
    return rates.reduce(.zero, +) / Double(rates.count)
  }

  @Test("a temperature-dependent bias is estimated, and compensated with the log's temperature")
  func temperature() throws {
    let calibration = try calibration()
    let slope = try #require(calibration.temperatureSlope)
    for axis in 0..<3 {
      #expect(abs(slope.slope[axis] - WarmingDevice.slope[axis]) < 4 * slope.sigma[axis] + 1e-5)
    }
    // The calibration document contains the slope.
    let read = try savedAndRestored(calibration)
    #expect(read.applied == calibration.applied && read.applied.gyroscopeTemperature != nil)

    let rest = folder.path("rest.csv")
    let raw = try WarmingDevice().write(RestTrajectory(), duration: 120, seed: 9, to: rest)
    var options = LogOptions()
    options.calibrate(by: read)
    let loaded = try LogFeed(path: rest, options: options).load()
    for start in [0.0, 100] { #expect(Self.meanRate(loaded.samples, from: start).norm < 2e-4) }
    #expect(Self.meanRate(raw, from: 100).norm > 0.03)
    // The temperature was read for the calibration only, so it is not part of the output.
    #expect(loaded.auxiliary.isEmpty && loaded.summary.auxiliary.isEmpty)
    #expect(loaded.summary.description.auxiliaryChannels.isEmpty)
    let asking = with(options) { $0.auxiliary = [.temperature] }
    let asked = try LogFeed(path: rest, options: asking).load()
    #expect(asked[.temperature].count == 240 && asked.samples == loaded.samples)

    // Without a temperature in the log, the bias at the calibration's temperature is used.
    let silent = folder.path("silent.csv")
    _ = try WarmingDevice().write(RestTrajectory(), duration: 120, seed: 9, to: silent, hasTemperature: false)
    let plain = try LogFeed(path: silent, options: options).load()
    #expect(Self.meanRate(plain.samples, from: 100).norm > 1e-3)
    #expect(!plain.summary.warnings.contains { $0.contains("°C") })

    // An extrapolation far beyond the calibrated temperatures is reported.
    var far = with(LogOptions()) { $0.calibration = read.applied }
    far.calibration?.gyroscopeTemperature?.range = 60...70
    #expect(
      try LogFeed(path: rest, options: far).load().summary.warnings.contains { $0.contains("line is extrapolated") })
  }

  @Test("a stream is corrected in the same way as a log")
  func stream() throws {
    let rest = folder.path("rest.csv")
    let raw = try WarmingDevice().write(RestTrajectory(), duration: 30, seed: 9, to: rest)
    var options = LogOptions()
    options.calibrate(by: try calibration())
    let loaded = try LogFeed(path: rest, options: options).load().samples
    var processor = StreamProcessor(name: "stream", options: options)
    var (reported, others): ([SensorSample], Int) = ([], 0)
    for sample in raw {
      let hasTemperature = sample.channel == .gyroscope && (2 * sample.time).rounded() == 2 * sample.time
      try processor.append([sample], auxiliary: hasTemperature ? [WarmingDevice.temperature(at: sample.time)] : []) {
        event in
        switch event {
        case .samples(let samples): reported += samples
        case .auxiliary(let samples): others += samples.count
        default: break
        }
      }
    }
    processor.finish { event in if case .samples(let samples) = event { reported += samples } }
    let rates = reported.filter { $0.channel == .gyroscope }
    #expect(others == 0 && rates.count > 1000)
    for (one, other) in zip(rates, loaded.filter { $0.channel == .gyroscope }) {
      #expect(one.time == other.time && isNear(one.vector, other.vector, within: 1e-12))
    }
  }

  @Test("filters start with the expected bias after a calibration, unless the settings contain it")
  func expectation() throws {
    let calibration = with(SensorCalibration()) { ($0.gyroscope, $0.gyroscopeBiasSigma) = (LinearModel(), 0.009) }
    var options = with(FusionOptions()) { $0.filter = "kalman" }
    #expect(options.parameters["initialBiasSigma"] == 0.05)
    options.log.calibration = calibration
    #expect(options.parameters["initialBiasSigma"] == 0.009)
    options.settings = ["initialBiasSigma": 0.02]
    #expect(options.parameters["initialBiasSigma"] == 0.02)
    (options.filter, options.settings) = ("mahony", [:])
    #expect(options.filterSettings.isEmpty)

    var evaluation = EvaluationJob.Options()
    evaluation.filters = ["kalman", "mahony"]
    evaluation.log.calibration = calibration
    #expect(try EvaluationJob(options: evaluation).filters().map { $0.settings["initialBiasSigma"] } == [0.009, nil])
    evaluation.settings = ["initialBiasSigma": 0.02]
    #expect(try EvaluationJob(options: evaluation).filters()[0].settings["initialBiasSigma"] == 0.02)
  }
}
