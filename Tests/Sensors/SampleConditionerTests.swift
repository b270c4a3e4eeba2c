import Testing

@Suite("Sample conditioner") struct SampleConditionerTests {
  private func rate(_ time: Double, _ x: Double = 1, line: UInt32 = 0) -> SensorSample {
    var sample = SensorSample(time: time, channel: .gyroscope, x: x)
    sample.line = line
    return sample
  }

  /// Returns the output for all samples, including the end of the log.
  private func condition(_ samples: [SensorSample], horizon: Double = 1) -> (
    samples: [SensorSample], reports: [SensorChannel: ChannelReport]
  ) {
    var conditioner = SampleConditioner(horizon: horizon)
    var result: [SensorSample] = []
    for sample in samples {
      conditioner.append(sample)
      while let next = conditioner.next() { result.append(next) }
    }
    conditioner.finish()
    while let next = conditioner.next() { result.append(next) }
    return (result, conditioner.channelReports)
  }

  @Test("valid samples in order are returned unchanged, each once")
  func unchanged() throws {
    let samples = (0..<500).flatMap { index in
      let time = Double(index) * 0.01
      return [rate(time, Double(index) / 10), SensorSample(time: time, channel: .accelerometer, x: 0, y: 0, z: -1)]
    }
    let (result, reports) = condition(samples)
    #expect(result == samples)
    let report = try #require(reports[.gyroscope])
    #expect(report.count == 500 && report.used == 500)
    #expect(report.missing + report.invalid + report.outOfOrder + report.late == 0)
    #expect(report.collapsed + report.retimedCount + report.gaps == 0)
    #expect(report.firstTime == 0 && isNear(report.lastTime, 4.99, within: 1e-12))
    #expect(isNear(report.meanRate, 100, within: 1e-9) && isNear(report.maximumInterval, 0.01, within: 1e-12))
    #expect(isNear(report.minimumInterval, 0.01, within: 1e-12) && report.jitter < 1e-12)
    #expect(reports[.magnetometer] == nil)
  }

  @Test("a sample is returned only after one that is a horizon later, or at the end of the log")
  func waits() {
    var conditioner = SampleConditioner(horizon: 1)
    conditioner.append(rate(0))
    conditioner.append(rate(0.999))
    #expect(conditioner.next() == nil)
    conditioner.append(rate(1))
    #expect(conditioner.next()?.time == 0 && conditioner.next() == nil)
    conditioner.finish()
    #expect(conditioner.next()?.time == 0.999 && conditioner.next()?.time == 1 && conditioner.next() == nil)
  }

  @Test("samples out of order within the horizon are sorted and counted once each")
  func sorts() throws {
    let shuffled = [0, 0.3, 0.1, 0.2, 0.4, 1.5, 0.9, 2.5, 3.5].map { rate($0, $0) }
    let (result, reports) = condition(shuffled)
    #expect(result.map(\.time) == [0, 0.1, 0.2, 0.3, 0.4, 0.9, 1.5, 2.5, 3.5] && result.allSatisfy { $0.x == $0.time })
    let report = try #require(reports[.gyroscope])
    #expect(report.outOfOrder == 2 && report.late == 0)
  }

  @Test("a sample earlier than the returned ones is late, counted and lost")
  func late() throws {
    var conditioner = SampleConditioner(horizon: 1)
    conditioner.append(rate(0))
    conditioner.append(rate(5))
    #expect(conditioner.next()?.time == 0)
    conditioner.append(rate(6))
    #expect(conditioner.next()?.time == 5 && conditioner.append(rate(4.999)) == .late)
    #expect(conditioner.append(rate(5, 2)) == .kept)
    let report = try #require(conditioner.channelReports[.gyroscope])
    #expect(report.late == 1 && report.outOfOrder == 1 && report.invalid == 0)
    #expect(report.count == 5 && report.used == 4)
  }

  @Test("alternating blocks of two channels are sorted, and not counted as out of order")
  func channelsAreSorted() {
    let samples = (0..<8).flatMap { block in
      let times = (0..<25).map { Double(block) * 0.25 + Double($0) * 0.01 }
      return times.map { rate($0) } + times.map { SensorSample(time: $0, channel: .accelerometer, x: 0, y: 0, z: -1) }
    }
    let (result, reports) = condition(samples)
    #expect(result.count == 400 && zip(result, result.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(reports.values.allSatisfy { $0.outOfOrder == 0 && $0.late == 0 })
  }

  @Test("samples with equal timestamps are returned in the order of their channels")
  func channelOrder() {
    let channels: [SensorChannel] = [.movement, .magnetometer, .gyroscope, .accelerometer, .deviceHeading]
    let samples = channels.map { SensorSample(time: 1, channel: $0, x: 1, y: 1, z: 1) }
    let (result, _) = condition(samples)
    #expect(result.map(\.channel) == [.gyroscope, .accelerometer, .magnetometer, .deviceHeading, .movement])
  }

  @Test("equal samples with one timestamp are merged; different ones are retimed in their order")
  func duplicates() throws {
    let (result, reports) = condition([
      rate(0, 1), rate(0.01, 2), rate(0.01, 2), rate(0.01, 3), rate(0.01, 4), rate(0.02, 4), rate(0.02, 4),
    ])
    #expect(result.map(\.x) == [1, 2, 3, 4, 4])
    let spacing = SampleConditioner.minimumSpacing
    let times = [0, 0.01, 0.01 + spacing, 0.01 + spacing + spacing, 0.02]
    for (sample, time) in zip(result, times) { #expect(isNear(sample.time, time, within: 1e-12)) }
    let report = try #require(reports[.gyroscope])
    #expect(report.collapsed == 2 && report.retimedCount == 2 && report.used == 5 && report.lastTime == 0.02)
  }

  @Test("repeated values with different timestamps are ordinary samples")
  func heldValues() {
    let (result, reports) = condition([rate(0, 1), rate(0.01, 1), rate(0.02, 1)])
    #expect(result.count == 3 && reports[.gyroscope]?.collapsed == 0)
  }

  @Test("timestamps repeated so often that the samples overtake the next timestamp still yield increasing times")
  func coarseClock() {
    let (result, reports) = condition((0..<60).map { rate(Double($0 / 20) * 0.001, Double($0)) })
    #expect(result.map(\.x) == (0..<60).map(Double.init))
    #expect(zip(result, result.dropFirst()).allSatisfy { $0.time < $1.time } && reports[.gyroscope]?.retimedCount == 59)
  }

  @Test("NaN samples are missing, infinite and impossible ones are skipped, each counted with its first line")
  func checks() throws {
    let (result, reports) = condition([
      rate(0, 0, line: 2), rate(0.01, .nan, line: 3), rate(0.02, .infinity, line: 4),
      rate(0.03, 101, line: 5), rate(.nan, 0, line: 6), rate(0.05, 0, line: 7), rate(0.06, .nan, line: 8),
    ])
    #expect(result.map(\.time) == [0, 0.05])
    let report = try #require(reports[.gyroscope])
    #expect(report.count == 7 && report.used == 2 && report.missing == 2 && report.firstMissingLine == 3)
    #expect(report.invalid == 3 && report.firstInvalidLine == 4 && report.firstLine == 2)
    #expect(isNear(report.invalidFraction, 3.0 / 7, within: 1e-15))
  }

  @Test(
    "possible values of each channel are accepted, and impossible ones are rejected", arguments: SensorChannel.allCases)
  func limits(channel: SensorChannel) {
    func outcome(_ x: Double, _ y: Double, _ z: Double, _ w: Double = 0) -> SampleConditioner.Outcome {
      var conditioner = SampleConditioner()
      return conditioner.append(SensorSample(time: 0, channel: channel, x: x, y: y, z: z, w: w))
    }
    switch channel {
    case .gyroscope, .deviceRotationRate:
      #expect(outcome(100, -100, 0) == .kept && outcome(0, 0, 0) == .kept && outcome(0, 0, 100.1) == .invalid)
    case .accelerometer:
      #expect(outcome(40, -40, 40) == .kept && outcome(0, 0, 0) == .invalid && outcome(0, 40.1, 0) == .invalid)
    case .deviceGravity, .deviceUserAcceleration: #expect(outcome(0, 0, 0) == .kept && outcome(0, 40.1, 0) == .invalid)
    case .magnetometer, .calibratedMagneticField:
      #expect(outcome(9999, 0, -9999) == .kept && outcome(1, 2, 3, .nan) == .kept)
      #expect(outcome(0, 0, 0) == .invalid && outcome(10_001, 0, 0) == .invalid)
    case .deviceAttitude, .referenceAttitude:
      #expect(outcome(0.5, -0.5, 0.5, 0.5) == .kept && outcome(0.501, -0.502, 0.5, 0.499) == .kept)
      #expect(outcome(0, 0, 0, 0) == .invalid && outcome(1, 1, 1, 1) == .invalid)
      #expect(outcome(0, 0, 0, .nan) == .missing && outcome(0, 0, 0, .infinity) == .invalid)
    case .deviceHeading, .movement: #expect(outcome(359, .nan, .nan) == .kept)
    }
    #expect(outcome(.nan, 0, 0) == .missing && outcome(.infinity, 0, 0) == .invalid)
    if channel.componentCount >= 3 { #expect(outcome(0, 0, .nan) == .missing) }
  }

  @Test("for any order of timestamps at most the horizon is buffered, and no sample is lost uncounted")
  func bounded() {
    // Timestamps that deviate by up to 0.6 s from a clock of 200 Hz.
    var conditioner = SampleConditioner(horizon: 1)
    var (appended, received, maximumPending) = (0, 0, 0)
    var lastTime = -Double.infinity
    for (index, q) in Quaternion.random(4000, seed: 12).enumerated() {
      let time = Double(index) * 0.005 + 0.6 * q.x
      conditioner.append(rate(time, q.y))
      appended += 1
      while let next = conditioner.next() {
        #expect(next.time >= lastTime)
        lastTime = next.time
        received += 1
      }
      let lost = conditioner.channelReports[.gyroscope]!.late
      maximumPending = max(maximumPending, appended - received - lost)
    }
    // One second, and the 0.6 s by which the newest timestamp may be late, at 200 Hz.
    #expect(maximumPending <= 320)
    conditioner.finish()
    while conditioner.next() != nil { received += 1 }
    let report = conditioner.channelReports[.gyroscope]!
    #expect(report.late > 0 && report.outOfOrder > report.late)
    #expect(received == report.used && report.count == appended)
  }

  @Test("blocks of any length give the same samples and reports as single samples", arguments: [0, 0.1, 1, .infinity])
  func blocks(horizon: Double) {
    // One in twenty samples is out of order, missing, invalid, repeated, or has the time of another one.
    var samples: [SensorSample] = []
    for (index, q) in Quaternion.random(6000, seed: 31).enumerated() {
      let channel = [SensorChannel.gyroscope, .accelerometer, .magnetometer][index % 3]
      var sample = SensorSample(time: Double(index / 3) * 0.01, channel: channel, x: q.x, y: q.y, z: q.z)
      switch index % 100 {
      case 20: sample.time -= 2 * abs(q.w)
      case 40: sample.x = q.x < 0 ? .nan : .infinity
      case 60: sample = samples[index - 3]
      case 80: sample.time = samples[index - 3].time
      case 90: sample.time = .nan
      default: break
      }
      sample.line = UInt32(index + 2)
      samples.append(sample)
    }
    let (expected, reports) = condition(samples, horizon: horizon)
    for length in [1, 2, 7, 300, samples.count] {
      var conditioner = SampleConditioner(horizon: horizon)
      var result: [SensorSample] = []
      for start in stride(from: 0, to: samples.count, by: length) {
        let block = Array(samples[start..<min(start + length, samples.count)])
        #expect(conditioner.append(block, releasingTo: &result, dropsLate: true))
      }
      conditioner.finish()
      conditioner.release(to: &result, atMost: .max)
      #expect(result == expected && result.map(\.line) == expected.map(\.line))
      #expect(conditioner.channelReports == reports)
    }
  }

  @Test("with an infinite horizon a log in any order is sorted completely")
  func batch() {
    let times = Quaternion.random(2000, seed: 3).map { 1000 * $0.x }
    let (result, reports) = condition(times.map { rate($0, 0) }, horizon: .infinity)
    #expect(result.map(\.time) == times.sorted() && reports[.gyroscope]?.late == 0)
  }
}

extension SampleConditioner {
  /// Returns the next sample sorted by time, or `nil` if more input is needed.
  mutating func next() -> SensorSample? {
    var ready: [SensorSample] = []
    release(to: &ready, atMost: 1)
    return ready.first
  }
}
