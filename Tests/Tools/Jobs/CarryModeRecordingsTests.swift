import Testing

@testable import InertialJobs

/// Tests how `--on auto` classifies recordings of feet, hands, pockets and bicycles.
@Suite("Carry modes of real recordings", .serialized, .needs(.data)) struct CarryModeRecordingsTests {
  private func decision(
    _ input: String, isMetric: Bool
  ) throws -> ((carrying: CarryMode, reason: String), TrackRecording) {
    let options = with(FusionOptions()) { if isMetric { $0.log.accelerationUnit = .metersPerSecondSquared } }
    let recording = try FusionJob(input: TestData.url(input).path, output: "", options: options).survey()
    return (recording.decision(), recording)
  }

  @Test("every recording of a foot is classified as foot-mounted")
  func feet() throws {
    let logs =
      try TestData.paths(in: "position-foot/corridor") { !$0.contains("landmarks") && $0.hasSuffix(".csv") }
      + TestData.paths(in: "position-foot/openshoe") { Int($0.dropLast(4)) != nil }
      + ["position-foot/xio/short_walk.csv"]
    #expect(logs.count == 16)
    for log in logs {
      let found = try decision(log, isMetric: true).0
      #expect(found.carrying == .foot, "\(log): \(found.reason)")
    }
  }

  @Test("no recording of a hand, pocket, arm, bicycle or skis is foot-mounted, and without a walk there is no path")
  func others() throws {
    let metric = try TestData.paths(in: "position-phone") + TestData.paths(in: "rides") { $0.contains("_") }
    let others =
      try TestData.paths(in: "tyrex") { $0.hasPrefix("person") }
      + TestData.paths(in: "sensor-logger") { $0.contains("-") } + TestData.paths(in: "evaluation-only/cycling")
      + TestData.paths(in: "activity/phyphox") { $0.contains("subj") } + ["iphone-xs/rec_2019-06-10_200312a"]
    for (logs, isMetric) in [(metric, true), (others, false)] {
      for log in logs {
        let (found, recording) = try decision(log, isMetric: isMetric)
        #expect(found.carrying != .foot, "\(log): \(found.reason)")
        for still in ["metro", "train", "sitting", "standing", "-ski"] where log.contains(still) {
          #expect(recording.missingInputReason(found.carrying) != nil, "\(log): \(recording.steps.count)")
        }
        if log.contains("walking") || log.contains("Texting") {
          #expect(recording.missingInputReason(found.carrying) == nil, "\(log): \(recording.steps.count)")
        }
      }
    }
  }
}
