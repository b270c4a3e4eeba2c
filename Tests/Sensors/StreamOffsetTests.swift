import InertialSimulation
import Testing

@Suite("Time offsets between streams") struct StreamOffsetTests {
  /// Returns a motion through all attitudes, for a phone whose accelerometer and magnetometer have delayed timestamps.
  private func samples(
    _ delays: (accelerometer: Double, magnetometer: Double), rates: (Double, Double, Double) = (100, 100, 50),
    scenario: String = "random-spline", parameters: [String: Double] = ["positionSpread": 0.02], duration: Double = 40
  ) throws -> [SensorSample] {
    var suite = SensorSuite.phone
    (suite.gyroscope!.rate, suite.accelerometer!.rate, suite.magnetometer!.sensor.rate) = rates
    (suite.gyroscope!.clockJitter, suite.accelerometer!.delay) = (0.001, delays.accelerometer)
    (suite.magnetometer!.sensor.delay, suite.referenceRate) = (delays.magnetometer, nil)
    return try Simulation(
      scenario: .named(scenario), parameters: parameters, sensors: suite, duration: duration, seed: 5
    ).samples()
  }

  /// Returns the findings for samples sorted by time, for every channel among them.
  private func findings(in samples: [SensorSample]) -> [SensorChannel: StreamOffsetResult] {
    var estimator = StreamOffsetEstimator()
    for sample in samples { estimator.add(sample) }
    return estimator.findings(for: samples.map(\.channel))
  }

  @Test(
    "a known delay is found to within a few milliseconds, at any rate and of either sign",
    arguments: [(0.2, -0.2, 25.0, 25.0, 25.0), (-0.2, 0.05, 100, 50, 10), (0.013, 0, 50, 200, 50)])
  func known(accelerometer: Double, magnetometer: Double, a: Double, b: Double, c: Double) throws {
    let findings = self.findings(in: try samples((accelerometer, magnetometer), rates: (a, b, c)))
    let gravity = try #require(findings[.accelerometer]?.offset, "\(findings)")
    let field = try #require(findings[.magnetometer]?.offset, "\(findings)")
    #expect(abs(gravity.seconds - accelerometer) < 0.005, "\(gravity)")
    #expect(abs(field.seconds - magnetometer) < 0.003, "\(field)")
    // The true delay is consistent with the uncertainty.
    #expect(abs(gravity.seconds - accelerometer) < 4 * gravity.uncertainty, "\(gravity)")
    #expect(abs(field.seconds - magnetometer) < 4 * field.uncertainty, "\(field)")
    #expect(field.residualRatio < 0.2 && field.stretchCount >= 5 && findings[.calibratedMagneticField] == nil)
  }

  @Test("without rotation, or with little of it, no offset is reported")
  func rest() throws {
    let findings = self.findings(in: try samples((0, 0), scenario: "rest", parameters: [:]))
    #expect(findings[.magnetometer] == .failure(.tooLittleMotion(found: 0, needed: 5)))
    #expect(findings[.accelerometer] == .failure(.tooLittleMotion(found: 0, needed: 5)))
    let short = self.findings(in: try samples((0, 0), duration: 20))
    guard case .failure(.tooLittleMotion(let found, 5)) = short[.magnetometer] else {
      Issue.record("\(short)")
      return
    }
    #expect((1..<5).contains(found))
  }

  @Test("a periodic rotation yields no offset, and neither does an accelerometer that is mostly shaken")
  func ambiguous() throws {
    let coning = self.findings(in: try samples((0, 0), scenario: "coning", parameters: [:]))
    #expect(coning[.magnetometer] == .failure(.noClearPeak) && coning[.accelerometer]?.offset == nil)
    let shake = self.findings(in: try samples((0.05, 0.05), scenario: "shake", parameters: [:]))
    #expect(shake[.accelerometer]?.offset == nil)
    #expect(abs((shake[.magnetometer]?.offset?.seconds ?? 0) - 0.05) < 0.002, "\(shake)")
  }

  @Test("sensors whose axes disagree have no clear peak")
  func mirrored() throws {
    let mirrored = try samples((0, 0)).map { with($0) { if $0.channel == .magnetometer { $0.x = -$0.x } } }
    #expect(self.findings(in: mirrored)[.magnetometer]?.offset == nil)
  }

  @Test("gaps of the gyroscope only exclude the segments that contain them")
  func gaps() throws {
    // Every segment and its margins take six seconds: with a gap every five seconds, no segment is complete.
    let all = try samples((0, 0.1))
    let torn = all.filter { $0.channel != .gyroscope || $0.time.truncatingRemainder(dividingBy: 5) > 0.3 }
    #expect(
      self.findings(in: torn)[.magnetometer] == .failure(.tooLittleMotion(found: 0, needed: 5)))
    let once = all.filter { $0.channel != .gyroscope || !(12...12.3).contains($0.time) }
    let offset = try #require(self.findings(in: once)[.magnetometer]?.offset)
    #expect(abs(offset.seconds - 0.1) < 0.003)
  }

  @Test("an offset is significant above two of its deviations")
  func significance() {
    func offset(_ seconds: Double) -> StreamOffset {
      StreamOffset(seconds: seconds, uncertainty: 0.002, residualRatio: 0.1, stretchCount: 9)
    }
    #expect(offset(0.005).isSignificant && offset(-0.005).isSignificant && !offset(0.003).isSignificant)
  }
}
