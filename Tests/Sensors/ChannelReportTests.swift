import Testing

@Suite("Channel report") struct ChannelReportTests {
  /// Returns the report of a channel that has values in the marked rows only, at 100 rows per second.
  private func report(rows: [Bool]) -> ChannelReport {
    var conditioner = SampleConditioner()
    for (index, isThere) in rows.enumerated() {
      let value = isThere ? 20 : Double.nan
      conditioner.append(SensorSample(time: Double(index) * 0.01, channel: .magnetometer, x: value, y: value, z: value))
      while conditioner.next() != nil {}
    }
    conditioner.finish()
    while conditioner.next() != nil {}
    return conditioner.channelReports[.magnetometer]!
  }

  /// Whether a channel is mostly missing that has values in some of a number of rows.
  private func isMissing(_ count: Int, where isThere: (Int) -> Bool) -> Bool {
    report(rows: (0..<count).map(isThere)).isMostlyMissing
  }

  @Test("a channel that has values half of the time is not mostly missing")
  func mostlyThere() {
    #expect(!isMissing(300) { $0 % 2 == 0 } && !isMissing(300) { $0 >= 150 } && !isMissing(1) { _ in true })
  }

  @Test(
    "a slower sensor in a faster one's rows is not missing, at any rate and phase", arguments: [3, 4, 5, 7, 10, 25, 50])
  func slowerSensor(step: Int) {
    for phase in [0, step / 2, step - 1] { #expect(!isMissing(1000) { $0 % step == phase }) }
  }

  @Test("a slower sensor that is out of step, starts late or drops out for a while is not missing")
  func unevenSlowerSensor() {
    // 37 Hz in 100 Hz rows: steps of 2 and 3.
    #expect(!isMissing(1000) { ($0 + 1) * 37 / 100 > $0 * 37 / 100 })
    #expect(!isMissing(1000) { $0 >= 400 && $0 % 4 == 0 })
    #expect(!isMissing(1000) { $0 % 4 == 0 && !(300..<500).contains($0) })
  }

  @Test("a channel with sporadic values is mostly missing", arguments: [0.02, 0.1, 0.3, 0.45])
  func hereAndThere(fraction: Double) {
    // x² + y² of a random rotation is uniform in 0 to 1.
    let rows = Quaternion.random(4000, seed: 5).map { $0.x * $0.x + $0.y * $0.y < fraction }
    #expect(isNear(Double(rows.count { $0 }) / 4000, fraction, within: 0.02) && report(rows: rows).isMostlyMissing)
  }

  @Test("a channel with values only at the start or the end is mostly missing")
  func onlyAtOneEnd() {
    #expect(isMissing(1000) { $0 < 10 } && isMissing(1000) { $0 >= 990 } && isMissing(1000) { $0 < 499 })
    #expect(isMissing(1000) { $0 < 450 && $0 % 4 == 0 })
  }

  @Test("a channel with at most one value is mostly missing")
  func nothing() {
    let none = report(rows: [Bool](repeating: false, count: 10))
    #expect(none.isMostlyMissing)
    #expect(none.firstTime.isNaN && none.lastTime.isNaN && none.meanRate == 0 && none.used == 0)
    #expect(isMissing(10) { $0 == 5 })
  }

  @Test("gaps are intervals of more than half a second, excluded from the jitter and the rate")
  func gaps() {
    var conditioner = SampleConditioner(horizon: 0)
    for time in [0, 0.1, 0.2, 0.7, 1.21, 1.31, 9, 9.1] {
      conditioner.append(SensorSample(time: time, channel: .gyroscope, x: 0))
      while conditioner.next() != nil {}
    }
    let report = conditioner.channelReports[.gyroscope]!
    #expect(report.gaps == 2 && isNear(report.maximumInterval, 7.69, within: 1e-12))
    #expect(isNear(report.minimumInterval, 0.1, within: 1e-12))
    // Pauses do not reduce the rate: five intervals in 0.9 s.
    #expect(isNear(report.meanRate, 5 / 0.9, within: 1e-12))
    // 0.1 four times and 0.5 once: mean 0.18, squares 4 · 0.0064 + 0.1024 = 0.128, over 4.
    #expect(isNear(report.jitter, 0.032.squareRoot(), within: 1e-12))
  }
}
