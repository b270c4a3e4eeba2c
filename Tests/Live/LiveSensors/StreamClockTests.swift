import Foundation
import InertialSensors
import Testing

@testable import InertialLive

@Suite("The clock of a stream")
struct StreamClockTests {
  /// What becomes of lines of these times: a time, "!" before one that is left out, "from>to" for a jump.
  private func told(_ times: [Double], horizon: Double = 0) -> [String] {
    var clock = StreamClock(horizon: horizon)
    func word(_ step: StreamClock.Step) -> String {
      switch step {
      case .line(let line): "\(line.time ?? .nan)"
      case .outlier(let line): "!\(line.time ?? .nan)"
      case .jump(let from, let to): "\(from)>\(to)"
      }
    }
    let lines = times.map {
      StreamClock.Line(motion: [SensorSample(time: $0, channel: .gyroscope, x: 0)], auxiliary: [])
    }
    var words = lines.flatMap { clock.take($0) }.map(word)
    words += clock.finish().map { "\($0.time ?? .nan)" }
    return words
  }

  @Test("times that go on, that are a little late, or that pause for minutes are as they are")
  func regular() {
    for times in [
      [0, 0.01, 0.02, 0.03], [0, 0.02, 0.01, 0.03], [0, 1, 0.5, 2], [0, 1, 400, 401, 402], [0, 60, 120, 180],
    ] {
      #expect(told(times) == times.map { "\($0)" }, "\(times)")
    }
  }

  @Test("one wild time is left out, whether it is far ahead or no more than a minute")
  func outliers() {
    #expect(told([0, 1, 1e15, 1.01, 1.02]) == ["0.0", "1.0", "!1000000000000000.0", "1.01", "1.02"])
    #expect(told([0, 1, 61, 1.01, 1.02]) == ["0.0", "1.0", "!61.0", "1.01", "1.02"])
    // One far behind is late, and counted as such by whoever puts samples in order.
    #expect(told([100, 101, 3, 101.01]) == ["100.0", "101.0", "3.0", "101.01"])
  }

  @Test("a sender that starts anew, or whose clock is set forward by days, is a jump, and no line is lost")
  func jumps() {
    #expect(told([100, 101, 0, 0.01, 0.02, 0.03]) == ["100.0", "101.0", "101.0>0.0", "0.0", "0.01", "0.02", "0.03"])
    #expect(told([0, 1, 1e9, 1e9 + 1]) == ["0.0", "1.0", "1.0>1000000000.0", "1000000000.0", "1000000001.0"])
    // A wild first time: the clock is put right by what follows.
    #expect(told([1e15, 0, 0.01, 0.02, 0.03]).suffix(4) == ["0.0", "0.01", "0.02", "0.03"])
  }

  @Test("what waits at the end is not lost")
  func end() {
    #expect(told([0, 1, 50]) == ["0.0", "1.0", "50.0"])
    #expect(told([100, 101, 0, 0.01]) == ["100.0", "101.0", "0.0", "0.01"])
  }

  @Test("lines without a time, and of a time that is no number, wait for nothing")
  func noTime() {
    #expect(told([0, .nan, 0.01]) == ["0.0", "nan", "0.01"])
  }
}
