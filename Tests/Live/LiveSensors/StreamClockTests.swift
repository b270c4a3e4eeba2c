import Testing

@testable import InertialLive

@Suite("The clock of a stream") struct StreamClockTests {
  /// Returns the result for lines with the given times: a time, "!" before a dropped line, "from>to" for a jump.
  private func reported(_ times: [Double], horizon: Double = 0) -> [String] {
    var clock = StreamClock(horizon: horizon)
    func words(_ lines: [StreamClock.Batch], _ mark: String = "") -> [String] {
      lines.map { mark + "\($0.motion[0].time)" }
    }
    let lines: [StreamClock.Batch] = times.map {
      StreamClock.Batch(motion: [SensorSample(time: $0, channel: .gyroscope, x: 0)], auxiliary: [])
    }
    var report: [String] = []
    for line in lines {
      let (jump, released, outliers) = clock.add(line)
      report += words(outliers, "!") + [jump.map { "\($0.from)>\($0.to)" }].compactMap(\.self) + words(released)
    }
    return report + words(clock.finish())
  }

  @Test("times that increase, that are slightly late, or that pause for minutes are accepted")
  func regular() {
    for times in [
      [0, 0.01, 0.02, 0.03], [0, 0.02, 0.01, 0.03], [0, 1, 0.5, 2], [0, 1, 400, 401, 402], [0, 60, 120, 180],
    ] { #expect(reported(times) == times.map { "\($0)" }, "\(times)") }
  }

  @Test("a single outlier is dropped, even if it is only a minute ahead")
  func outliers() {
    #expect(reported([0, 1, 1e15, 1.01, 1.02]) == ["0.0", "1.0", "!1000000000000000.0", "1.01", "1.02"])
    #expect(reported([0, 1, 61, 1.01, 1.02]) == ["0.0", "1.0", "!61.0", "1.01", "1.02"])
    // A time far in the past is late, and is counted by the component that sorts the samples.
    #expect(reported([100, 101, 3, 101.01]) == ["100.0", "101.0", "3.0", "101.01"])
  }

  @Test("a sender that restarts, or whose clock is set forward by days, is a jump, and no line is lost")
  func jumps() {
    #expect(
      reported([100, 101, 0, 0.01, 0.02, 0.03]) == ["100.0", "101.0", "101.0>0.0", "0.0", "0.01", "0.02", "0.03"])
    #expect(reported([0, 1, 1e9, 1e9 + 1]) == ["0.0", "1.0", "1.0>1000000000.0", "1000000000.0", "1000000001.0"])
    // An outlier at the start: the following times correct the clock.
    #expect(reported([1e15, 0, 0.01, 0.02, 0.03]).suffix(4) == ["0.0", "0.01", "0.02", "0.03"])
  }

  @Test("lines that are pending at the end are not lost")
  func end() {
    #expect(reported([0, 1, 50]) == ["0.0", "1.0", "50.0"])
    #expect(reported([100, 101, 0, 0.01]) == ["100.0", "101.0", "0.0", "0.01"])
  }

  @Test("lines without a time, or with a time that is not a number, are not delayed")
  func noTime() {
    #expect(reported([0, .nan, 0.01]) == ["0.0", "nan", "0.01"])
  }
}
