import Testing

/// Tests the promised accuracy on real recordings, with the default parameters.
@Suite(.needs(.data)) struct AccuracyRecordingsTests {
  #if HDF5
    @Test("the filters reach the accuracy of docs/results/accuracy.md on BROAD")
    func broad() throws {
      let job = EvaluationJob(options: with(EvaluationJob.Options()) { $0.measuresCost = false })
      let trials = try TestData.paths(in: "broad") { $0.hasSuffix(".hdf5") }
      let scores = try trials.flatMap { try job.run(on: TestData.url($0).path).scores }
      func mean(_ filter: String, _ value: (ErrorSummary) -> Double) -> Double {
        Statistics.mean(scores.filter { $0.filter == filter }.map { value($0.errors) })!
      }
      for filter in ["complementary", "mekf"] {
        print(
          "BROAD, mean of \(scores.count { $0.filter == filter }) trials, \(filter): total \(mean(filter) { $0.total.rmse })°, heading \(mean(filter) { $0.heading.rmse })°, inclination \(mean(filter) { $0.inclination.rmse })°"
        )
      }
      #expect(mean("mekf") { $0.total.rmse } <= 3 && mean("mekf") { $0.inclination.rmse } <= 1.2)
      #expect(mean("kalman") { $0.total.rmse } <= 1.40 && mean("kalman") { $0.inclination.rmse } <= 0.58)
      #expect(mean("vqf") { $0.total.rmse } <= 2.42 && mean("complementary") { $0.total.rmse } <= 4.4)
      #expect(mean("complementary") { $0.inclination.rmse } <= 2)
    }
  #endif

  @Test(
    "the gravity from raw accelerometer and gyroscope agrees with Apple's to 2° on average",
    arguments: ["rec_2019-06-10_200312a", "rec_2019-06-11_master", "rec_2019-06-21_arkit", "rec_early_9e811d6"])
  func gravityAgainstApple(_ recording: String) throws {
    let samples = try load("iphone-xs/" + recording)
    let log = Recording(samples)
    let reference: [(time: Double, gravity: Vector3)]
    if let column = log[.deviceGravity] {
      reference = zip(column.times, column.values).map { ($0, $1) }
    } else {
      // The early format has no gravity, so it is derived from the attitude.
      let column = try #require(log[.deviceAttitude])
      reference = zip(column.times, column.quaternions).map { ($0, Attitude(quaternion: $1).gravity) }
    }
    for kind in FilterKind.all {
      var (angles, next) = ([Double](), 0)
      for motion in try estimate(samples, kind) {
        while next < reference.count - 1, reference[next].time < motion.time { next += 1 }
        guard abs(reference[next].time - motion.time) < 0.02 else { continue }
        angles.append(motion.gravity.angle(to: reference[next].gravity) * 180 / .pi)
      }
      let (mean, worst) = (try #require(Statistics.mean(angles)), try #require(angles.max()))
      print(
        "\(recording), \(kind.name): our gravity against Apple's: mean \(mean)°, 95 % \(Statistics.percentile(95, of: angles)!)°, worst \(worst)°, \(angles.count) samples"
      )
      #expect(angles.count > 1000)
      // Filters without an accelerometer drift. Without a learned bias, the inclination error is the bias times the
      // time constant: 3.7° for Fourati's filter at 1 °/s, the bias of a raw phone, on the recording without rest.
      guard kind.traits.contains(.accelerometer) else { continue }
      #expect(mean <= (kind.traits.contains(.gyroscopeBias) ? 2 : 4), "\(kind.name)")
    }
  }

  @Test("every kind of recording is fused without options, with a row for each gyroscope sample")
  func everyKind() throws {
    var logs = [
      "iphone-xs/rec_2019-06-11_master", "iphone-xs/rec_early_9e811d6", "sensor-logger/iphone12promax-ski",
      "sensor-logger/galaxys25-ski", "sensor-logger/iphone-rotation", "tyrex/personA_iPhone5_NoDist_Swinging",
    ]
    #if HDF5
      logs.append("broad/36_disturbed_attached_magnet_5cm.hdf5")
    #endif
    for log in logs {
      let folder = TemporaryFolder()
      let report = try FusionJob(input: TestData.url(log).path, output: folder.path("out.csv")).run()
      let gyroscope = try #require(report.log.reports[.gyroscope])
      print("\(log): \(report.log.description.format), \(report.rowCount) rows, \(gyroscope.meanRate) Hz")
      #expect(report.rowCount == gyroscope.used, "\(log)")
      #expect(try #require(report.lastRow).attitude.quaternion.isFinite, "\(log)")
    }
  }

  @Test("a single bad sample has the same effect after a second as its removal")
  func singleBadSamples() throws {
    let samples = try load("tyrex/personB_iPhone5_NoDist_Texting")
    var (generator, worst) = (SeededGenerator(seed: 5), (removed: 0.0, good: 0.0))
    for kind in FilterKind.all {
      let clean = try estimate(samples, kind)
      for (channel, value) in badSamples {
        let candidates = samples.indices.filter {
          samples[$0].channel == channel && samples[$0].time > samples[0].time + 20
        }
        let index = candidates[Int(generator.next() % UInt64(candidates.count - 400))]
        let time = samples[index].time
        let damaged = with(samples) { $0[index] = SensorSample(time: time, channel: channel, value) }
        let without = try estimate(with(samples) { $0.remove(at: index) }, kind)
        let motions = try estimate(damaged, kind)
        worst.removed = max(worst.removed, try difference(motions, without, at: time + 1))
        worst.good = max(worst.good, try difference(motions, clean, at: time + 1))
      }
    }
    print(
      "one bad sample while walking: a second later off by at most \(worst.removed)° from the run without it, \(worst.good)° from the run with a good one"
    )
    #expect(worst.removed <= 1e-9)
    // Half a step's acceleration is missing.
    #expect(worst.good <= 0.5)
  }

  #if HDF5
    @Test("a single bad sample at rest changes the attitude a second later by at most 0.1°")
    func singleBadSamplesAtRest() throws {
      let log = "broad/04_undisturbed_slow_rotation_with_breaks_A.hdf5"
      let samples = try load(log)
      // The trial's longest rest that is neither first nor last, from an inspection of the log.
      let phases = try InspectionReport(path: TestData.url(log).path).rest.phases
      let phase = try #require(phases.dropFirst().max { $0.end - $0.start < $1.end - $1.start })
      let time = (phase.start + phase.end) / 2
      var worst = 0.0
      for kind in FilterKind.all {
        let clean = try estimate(samples, kind, frame: .xMagneticNorthZVertical)
        for (channel, value) in badSamples {
          let index = try #require(samples.firstIndex { $0.channel == channel && $0.time >= time })
          var damaged = samples
          damaged[index] = SensorSample(time: samples[index].time, channel: channel, value, w: .nan)
          let motions = try estimate(damaged, kind, frame: .xMagneticNorthZVertical)
          worst = max(worst, try difference(motions, clean, at: samples[index].time + 1))
        }
      }
      print("one bad sample at rest: a second later off by at most \(worst)°")
      #expect(worst <= 0.1)
    }
  #endif

  // MARK: Helpers

  /// Impossible values of each sensor. A rate of zero is possible.
  private var badSamples: [(channel: SensorChannel, value: Vector3)] {
    let values = [
      Vector3(.nan, 0, 0), Vector3(0, .infinity, 0), .zero, Vector3(1e9, 1e9, -1e9), Vector3(-.infinity, .nan, 3),
    ]
    return [SensorChannel.gyroscope, .accelerometer, .calibratedMagneticField].flatMap { channel in
      values.filter { channel != .gyroscope || $0 != .zero }.map { (channel, $0) }
    }
  }

  private func load(_ path: String) throws -> [SensorSample] {
    try LogFeed(path: TestData.url(path).path).load().samples
  }

  /// The angle in degrees between the attitudes at the first motions at or after a time.
  private func difference(_ a: [DeviceMotion], _ b: [DeviceMotion], at time: Double) throws -> Double {
    let p = try #require(a.first { $0.time >= time })
    let q = try #require(b.first { $0.time >= time })
    return p.attitude.quaternion.angle(to: q.attitude.quaternion) * 180 / .pi
  }

  private func estimate(
    _ samples: [SensorSample], _ kind: FilterKind, frame: AttitudeReferenceFrame = .xArbitraryZVertical
  ) throws -> [DeviceMotion] {
    let configuration = with(DeviceMotionEstimator.Configuration()) { $0.frame = frame }
    var estimator = try DeviceMotionEstimator(filter: kind, configuration: configuration)
    return estimator.motions(of: samples)
  }
}
