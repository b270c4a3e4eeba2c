import InertialSensors
import Testing

@testable import InertialFigures
@testable import InertialJobs

@Suite("How far each second of a fusion is trusted") struct TrustCollectorTests {
  private static let degree = Double.pi / 180

  /// Ten rows per second, with the properties that a closure returns.
  private func collector(
    seconds: Double, _ properties: (Double) -> (flags: AttitudeFlags, tilt: Double, heading: Double, isOutlier: Bool)?
  ) -> TrustCollector {
    var trust = TrustCollector()
    for row in 0..<Int(seconds * 10) {
      let time = 5 + Double(row) / 10
      guard let (flags, tilt, heading, isOutlier) = properties(time - 5) else { continue }
      let sigmas = (x: tilt * Self.degree, y: tilt * Self.degree, z: heading * Self.degree)
      trust.add(time, AttitudeTrust(flags, sigmas: sigmas, isOutlier: isOutlier))
    }
    return trust
  }

  @Test("without a reason every second is trusted; a log without rows has no seconds")
  func good() {
    let spans = collector(seconds: 10) { _ in ([], 1, 5, false) }.spans([])
    #expect(spans.count == 1 && spans[0].trust.level == .trusted && spans[0].trust.causes.isEmpty)
    #expect(spans[0].start == 5 && abs(spans[0].end - 14.9) < 1e-9)
    #expect(TrustCollector().spans([(.held, 0, 1)]).isEmpty)
    // A filter without standard deviations is not doubted for it.
    #expect(collector(seconds: 3) { _ in ([], .nan, .nan, false) }.spans([]).map(\.trust.level) == [.trusted])
  }

  @Test("each reason makes its seconds doubtful or bad, and the other seconds stay trusted")
  func reasons() {
    let reasons: [(TrustCollector.Cause, AttitudeFlags, Double, Double, Bool)] = [
      (.startUp, .converging, 1, 5, false), (.disturbance, .magneticDisturbance, 1, 5, false),
      (.rejected, .accelerometerRejected, 1, 5, false), (.jumped, .jumped, 1, 5, false),
      (.innovations, [], 1, 5, true), (.tiltDoubtful, [], 3, 5, false), (.tiltUnknown, [], 6, 5, false),
      (.headingDoubtful, [], 1, 20, false), (.headingUnknown, [], 1, 95, false),
    ]
    for (cause, flags, tilt, heading, isOutlier) in reasons {
      let spans = collector(seconds: 9) { $0 >= 3 && $0 < 6 ? (flags, tilt, heading, isOutlier) : ([], 1, 5, false) }
        .spans([])
      #expect(spans.map(\.trust.causes) == [[], [cause], []], "\(cause)")
      #expect(
        spans.map(\.trust.level) == [.trusted, cause.level, .trusted] && abs(spans[1].start - 8) < 1e-9, "\(cause)")
      #expect(!cause.text.isEmpty)
    }
    #expect(TrustCollector.Cause.startUp.level == .doubtful && TrustCollector.Cause.gap.level == .untrusted)
  }

  @Test("a reason of less than a fifth of a second is no reason, except a jump; seconds without rows are a gap")
  func fractions() {
    let short = collector(seconds: 3) { $0 == 1 ? (.magneticDisturbance, 1, 5, false) : ([], 1, 5, false) }
    #expect(short.spans([]).map(\.trust.level) == [.trusted])
    let jump = collector(seconds: 3) { $0 == 1 ? (.jumped, 1, 5, false) : ([], 1, 5, false) }
    #expect(jump.spans([]).map(\.trust.causes) == [[], [.jumped], []])
    let gap = collector(seconds: 9) { $0 >= 3 && $0 < 6 ? nil : ([], 1, 5, false) }
    #expect(gap.spans([]).map(\.trust.causes) == [[], [.gap], []])
    let held = collector(seconds: 9) { _ in ([], 1, 5, false) }.spans([(.held, 7.2, 8.1), (.clipped, -3, 5)])
    #expect(held.map(\.trust.causes) == [[.clipped], [], [.held], []] && held[2].start == 7 && held[2].end == 9)
  }

  @Test("a gap of years takes no memory and no time")
  func years() {
    var trust = TrustCollector()
    for time in [0, 0.5, 1e9, 1e9 + 0.5, 1e12, 1e300] {
      trust.add(time, [])
    }
    let spans = trust.spans([(.held, -1e300, 0.2), (.clipped, 1e9, 1e9)])
    #expect(spans.map(\.trust.causes) == [[.held], [.gap], [.clipped], [.gap], [], [.gap], []])
    #expect(spans[1].start == 1 && spans[1].end == 1e9 && spans.last?.end == 1e15 + 1)
  }

  @Test("a long log has at most four thousand spans, and no reason is lost")
  func long() {
    let trust = collector(seconds: 9001) { (Int($0) % 2 == 0 ? .converging : [], 1, 5, false) }
    let spans = trust.spans([])
    #expect(spans.count <= 4000 && spans.allSatisfy { $0.trust.causes == [.startUp] })
  }
}
