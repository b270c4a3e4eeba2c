import Testing

@testable import InertialJobs
@testable import InertialLogs

@Suite("Log diagnostics") struct LogDiagnosticsTests {
  private func summary(
    _ samples: [SensorSample], auxiliary: [AuxiliaryChannel: AuxiliaryReport] = [:], isDetailed: Bool
  ) -> LogSummary {
    var (conditioner, inspection) = (SampleConditioner(horizon: .infinity), Inspection(isDetailed: isDetailed))
    inspection.add(raw: samples)
    var block: [SensorSample] = []
    let isWhole = conditioner.append(samples, releasingTo: &block)
    #expect(isWhole)
    conditioner.finish()
    conditioner.release(to: &block, atMost: .max)
    inspection.add(block)
    inspection.finish()
    var summary = LogSummary(
      description: LogDescription(format: "test", summary: "test", path: "test"),
      reports: conditioner.channelReports, auxiliary: auxiliary)
    (summary.quality, summary.inspection) = (inspection.quality, inspection)
    return summary
  }

  /// Returns the report of `inspect` on the samples.
  private func report(
    _ samples: [SensorSample], auxiliary: [AuxiliaryChannel: AuxiliaryReport] = [:]
  ) -> InspectionReport {
    InspectionReport(summary(samples, auxiliary: auxiliary, isDetailed: true))
  }

  /// Returns the warnings of `fuse`.
  private func faults(_ samples: [SensorSample]) throws -> [String] {
    var summary = summary(samples, isDetailed: false)
    try summary.diagnose(isStrict: false)
    return summary.faults
  }

  @Test("after five minutes, the first minute of every five is compared")
  func comparedMinutes() {
    for rate in [100.0, 7, 0.01] {
      var inspection = Inspection(isDetailed: false)
      let isFirstCompared = inspection.isCompared(1e6)
      #expect(isFirstCompared)
      for index in 0..<Int(3000 * rate) {
        let time = (Double(index) + 0.5) / rate
        let isDue = time < 300 || time.truncatingRemainder(dividingBy: 300) < 60
        let isCompared = inspection.isCompared(1e6 + time)
        #expect(isCompared == isDue, "\(time) s")
      }
    }
  }

  private static func spline(_ sensors: SensorSuite) -> Simulation {
    Simulation(trajectory: RandomSplineTrajectory(duration: 60, seed: 8), sensors: sensors, duration: 60, seed: 8)
  }

  private static let turning = spline(.phone).samples()

  private static func samples(
    _ scenario: String, _ sensors: SensorSuite = .phone, duration: Double = 60, seed: UInt64 = 2
  ) throws -> [SensorSample] {
    try Simulation(scenario: .named(scenario), sensors: sensors, duration: duration, seed: seed).samples()
  }

  private func changed(
    _ channels: Set<SensorChannel>, of samples: [SensorSample] = turning, _ change: (inout SensorSample) -> Void
  ) -> [SensorSample] {
    samples.map { channels.contains($0.channel) ? with($0, change) : $0 }
  }

  private func scaled(
    _ channels: Set<SensorChannel>, of samples: [SensorSample] = turning, by factor: Double
  ) -> [SensorSample] {
    changed(channels, of: samples) { set(&$0, factor * $0.vector) }
  }

  private func turned(_ channels: Set<SensorChannel>, by axes: SignedAxes) -> [SensorSample] {
    changed(channels) { set(&$0, axes($0.vector)) }
  }

  private func set(_ sample: inout SensorSample, _ value: Vector3) {
    (sample.x, sample.y, sample.z) = (value.x, value.y, value.z)
  }

  private static let field: Set<SensorChannel> = [.magnetometer, .calibratedMagneticField]

  @Test(
    "a good log has neither findings nor warnings of fuse, with any motion",
    arguments: ["rest", "turn", "coning", "circle", "walk", "shake", "random-spline"])
  func good(scenario: String) throws {
    // Sensors without noise repeat their values exactly, which would be reported.
    for sensors in [SensorSuite.phone, .researchIMU] {
      let samples = try Self.samples(scenario, sensors)
      #expect(try report(samples).findings.map(\.text) == [] && faults(samples) == [])
    }
  }

  @Test("the rates of a good log fit gravity and the field, with the right strength, dip and hard iron")
  func facts() throws {
    let consistency = report(Self.turning).consistency
    #expect(consistency.gravity.verdict == "agrees" && consistency.field?.verdict == "agrees")
    #expect(abs((consistency.gravity.scale ?? 0) - 1) < 0.2 && abs((consistency.field?.scale ?? 0) - 1) < 0.05)
    let earth = SensorSuite.phone.earthField.vector
    #expect(abs((consistency.fieldStrength ?? 0) - earth.norm) < 3)
    #expect(abs((consistency.dip ?? 0) - asin(-earth.z / earth.norm) * 180 / .pi) < 4)
    #expect((try #require(consistency.hardIron) - SensorSuite.phone.magnetometer!.hardIron).norm < 5)
  }

  @Test("a wrong unit is detected, and the finding names the option that corrects it")
  func units() {
    let all = Set(SensorChannel.allCases)
    for (samples, words) in [
      (scaled([.accelerometer], by: 9.80665), "--acceleration-unit m/s2"),
      (scaled([.accelerometer], by: 1000), "thousandths of g"),
      (scaled([.accelerometer], by: 1 / 9.80665), "--acceleration-unit g"),
      (scaled([.gyroscope], by: 180 / .pi), "--rotation-unit deg/s"),
      (scaled([.gyroscope], by: .pi / 180), "--rotation-unit rad/s"),
      (changed(all) { $0.time *= 1000 }, "--time-unit ms"), (changed(all) { $0.time /= 1000 }, "--time-unit s"),
    ] {
      let findings = report(samples).findings.map(\.text)
      #expect(findings.first?.contains(words) == true, "\(words): \(findings)")
    }
    // The strength that identifies a unit has no hard-iron bias here.
    let clean = Self.spline(.researchIMU).samples()
    for (factor, unit) in [(1000, "nT"), (0.01, "gauss"), (0.001, "mT")] {
      let findings = report(scaled(Self.field, of: clean, by: factor)).findings.map(\.text)
      #expect(findings.contains { $0.contains("--field-unit \(unit)") }, "\(unit): \(findings)")
    }
  }

  @Test("all 48 orientations of one sensor are detected, with the correcting option", arguments: [0, 1, 2])
  func axes(sensor: Int) {
    let names = ["gyroscope", "accelerometer", "magnetometer"]
    let channels: [Set<SensorChannel>] = [[.gyroscope], [.accelerometer], Self.field]
    for (place, axes) in SignedAxes.all.enumerated() where place > 0 && place % 3 == sensor {
      let findings = report(turned(channels[sensor], by: axes)).findings.map(\.text)
      // A rotation does not determine the sign of a direction.
      guard sensor == 0 || axes != SignedAxes.identity.negated else {
        #expect(findings == [])
        continue
      }
      #expect(
        findings.count == 1 && findings[0].contains("--axes \(names[sensor])=\(axes.inverse.text)"),
        "\(axes.text): \(findings)")
    }
  }

  @Test("the dip reveals an inverted acceleration: a remark, or a finding if the latitude is known")
  func hemisphere() {
    let inverted = scaled([.accelerometer], by: -1)
    let unknown = report(inverted)
    #expect(unknown.findings.map(\.text) == [])
    #expect(unknown.remarks.contains { $0.contains("southern hemisphere") && $0.contains("--acceleration-sign") })
    var (conditioner, place) = (AuxiliaryConditioner(), AuxiliarySample(time: 0, channel: .location))
    (place["latitude"], place["longitude"]) = (48, 11)
    let isGood = conditioner.judge(&place)
    #expect(isGood)
    #expect(
      report(inverted, auxiliary: conditioner.reports).findings.map(\.text).contains { $0.contains("48.0° latitude") })
    #expect(report(Self.turning, auxiliary: conditioner.reports).findings.map(\.text) == [])
  }

  @Test("a report on a device that only lies or circles lists the untested properties")
  func silent() throws {
    for name in ["rest", "circle"] {
      let found = report(try Self.samples(name))
      #expect(found.consistency.gravity.verdict == "silent", "\(name)")
      #expect(found.untested.contains { $0.hasPrefix("axes, signs and units of gyroscope and accelerometer") })
    }
  }

  @Test("missing gravity, a clipped axis, a stuck sensor, a gap and equal timestamps are reported")
  func marks() {
    func finds(_ words: String, _ samples: [SensorSample]) {
      let findings = report(samples).findings.map(\.text)
      #expect(findings.contains { $0.contains(words) }, "\(words): \(findings)")
    }
    finds("gravity appears to be removed", scaled([.accelerometer], by: 0.02))
    // Two seconds of fast motion beyond the range in a quiet minute.
    let wild = changed([.gyroscope]) { sample in
      let factor = (30..<32).contains(sample.time) ? 10 : 0.2
      (sample.x, sample.y, sample.z) = (factor * sample.x, min(max(factor * sample.y, -5), 5), factor * sample.z)
    }
    finds("gyroscope's y is exactly", wild)
    finds(
      "in a row, for 2.0 s from 20.0 s on",
      changed([.gyroscope]) { if (20..<22).contains($0.time) { set(&$0, Vector3(0.1, 0.2, 0.3)) } })
    finds("samples are exactly zero", changed([.accelerometer]) { if $0.time > 50 { set(&$0, .zero) } })
    finds("1 gap, the longest of 2.0", Self.turning.filter { !(30..<32).contains($0.time) })
    finds("share a timestamp", changed([.gyroscope]) { $0.time = ($0.time * 5).rounded(.down) / 5 })
    finds("There is no gyroscope", Self.turning.filter { $0.channel != .gyroscope })
  }

  @Test("repeated swings with the same peak are not clipped, unless the sensor's range is smaller")
  func clipping() throws {
    // Without jitter, every swing is sampled at the same phases, and the peaks are rounded to the same values.
    var phone = SensorSuite.phone
    phone.gyroscope!.intervalJitter = 0
    phone.accelerometer!.intervalJitter = 0
    func findings() throws -> [String] {
      report(try Self.samples("shake", phone, duration: 24, seed: 1)).findings.map(\.text)
    }
    #expect(try findings() == [])
    phone.gyroscope!.range = 4
    phone.accelerometer!.range = 2.25
    let clipped = try findings()
    for words in [
      "gyroscope's y is exactly 4.0 rad/s", "gyroscope's y is exactly -4.0", "accelerometer's x is exactly 2.25",
    ] {
      #expect(clipped.contains { $0.contains(words) }, "\(words): \(clipped)")
    }
  }

  // MARK: Warnings of fuse

  @Test(
    "fuse reports rates that are too large or too small, and the factor",
    arguments: [0.06, 0.1, 0.5, 2, 3, 5, 10, 17])
  func factors(factor: Double) throws {
    let found = try faults(scaled([.gyroscope], by: factor))
    let shown = try #require(
      found.compactMap { $0.firstMatch(of: /about ([\d.]+) times too (large|small)/) }.first, "\(found)")
    let reported = try #require(Double(shown.1))
    #expect(shown.2 == (factor > 1 ? "large" : "small"))
    #expect(abs(log(reported / max(factor, 1 / factor))) < 0.2, "\(found)")
  }

  @Test("fuse reports an acceleration whose magnitude is not 1 g", arguments: [1.0 / 3, 0.5, 2, 3])
  func accelerationScale(factor: Double) throws {
    let found = try faults(scaled([.accelerometer], by: factor))
    #expect(found.contains { $0.contains("instead of 1") }, "\(found)")
    // The same applies at rest, in a log that is mostly right.
    let (rest, end) = (try Self.samples("rest", duration: 30, seed: 3), try #require(Self.turning.last?.time))
    let later = changed(Set(SensorChannel.allCases), of: scaled([.accelerometer], of: rest, by: 3)) {
      $0.time += end + 0.02
    }
    let atRest = try faults(Self.turning + later)
    #expect(atRest.contains { $0.contains("g at rest instead of 1") }, "\(atRest)")
  }

  @Test("fuse reports exchanged or flipped axes of each sensor")
  func axesInFuse() throws {
    let order = SignedAxes("y,x,z")!
    for (channels, name) in [
      ([.gyroscope], "gyroscope"), ([.accelerometer], "accelerometer"), (Self.field, "magnetometer"),
    ] as [(Set<SensorChannel>, String)] {
      for axes in [order, SignedAxes("x,-y,z")!, SignedAxes("x,-y,-z")!] {
        let found = try faults(turned(channels, by: axes))
        #expect(found.contains { $0.contains("--axes \(name)=\(axes.inverse.text)") }, "\(axes.text): \(found)")
      }
    }
    #expect(try faults(scaled([.gyroscope], by: -1)).contains { $0.contains("its sign is inverted") })
  }

  @Test("fuse reports missing or stuck axes, placeholder values, repeated values and exchanged columns")
  func values() throws {
    func finds(_ words: String, _ samples: [SensorSample]) throws {
      let found = try faults(samples)
      #expect(found.contains { $0.contains(words) }, "\(words): \(found)")
    }
    try finds("gyroscope's y stays the same", changed([.gyroscope]) { $0.y = 0 })
    try finds("gyroscope's x stays the same", changed([.gyroscope]) { if $0.time > 40 { $0.x = 0.25 } })
    try finds("magnetometer's z stays the same", changed(Self.field) { $0.z = 0 })
    var dice = SeededGenerator(seed: 5)
    try finds(
      "exactly -99.0 rad/s",
      changed([.gyroscope]) { if dice.uniform() < 0.02 { set(&$0, Vector3(repeating: -99)) } })
    try finds(
      "exactly 10.0 g",
      changed([.accelerometer]) { if dice.uniform() < 0.05 { set(&$0, Vector3(repeating: 10)) } })
    try finds("repeats the same values", changed([.gyroscope]) { if $0.time > 45 { set(&$0, Vector3(0.1, 0.2, 0.3)) } })
    try finds(
      "appear to be swapped",
      changed([.gyroscope, .accelerometer]) { $0.channel = $0.channel == .gyroscope ? .accelerometer : .gyroscope })
  }

  @Test("the log's own attitude and gravity identify the sensor with a wrong axis, sign or scale")
  func device() throws {
    let trajectory = Self.spline(.phone).trajectory
    // The attitude and gravity of a phone's own fusion, without error.
    let own = stride(from: 0.01, to: 60, by: 0.02).flatMap { time in
      let attitude = trajectory.state(at: time).attitude
      return [
        SensorSample(time: time, channel: .deviceAttitude, attitude),
        SensorSample(time: time, channel: .deviceGravity, attitude.rotateInverse(Vector3(0, 0, -1))),
      ]
    }
    func faultsWithOwn(_ samples: [SensorSample]) throws -> [String] {
      try faults((samples + own).sorted { ($0.time, $0.channel) < ($1.time, $1.channel) })
    }
    #expect(try faultsWithOwn(Self.turning) == [])
    var rates = Self.turning.filter { $0.channel == .gyroscope }.map(\.vector)
    for (samples, words) in [
      (scaled([.accelerometer], by: -1), "--acceleration-sign"), (scaled([.gyroscope], by: 2), "times too large"),
      (changed([.gyroscope]) { $0.x = -$0.x }, "--axes gyroscope=-x,y,z"),
      (changed([.gyroscope]) { set(&$0, rates.removeLast()) }, "another recording"),
    ] {
      let found = try faultsWithOwn(samples)
      #expect(found.contains { $0.contains(words) }, "\(words): \(found)")
    }
  }

  @Test("a fault is an error in strict mode")
  func strict() {
    var wrong = summary(scaled([.gyroscope], by: 2), isDetailed: false)
    var right = summary(Self.turning, isDetailed: false)
    #expect(throws: LogError.self) { try wrong.diagnose(isStrict: true) }
    #expect(throws: Never.self) { try right.diagnose(isStrict: true) }
  }
}
