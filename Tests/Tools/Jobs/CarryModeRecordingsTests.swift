import Testing

@testable import InertialJobs

/// Tests how `--on auto` classifies recordings of feet, hands, pockets and bicycles.
@Suite("Carry modes of real recordings", .serialized, .needs(.data)) struct CarryModeRecordingsTests {
  private func decision(_ input: String, isMetric: Bool) throws -> (CarryModeDecision, TrackRecording) {
    var options = FusionOptions()
    if isMetric { options.log.accelerationUnit = .metersPerSecondSquared }
    let job = FusionJob(input: TestData.url(input).path, output: "", options: options)
    let recording = try #require(try job.survey().track)
    return (recording.decision(), recording)
  }

  private func names(_ folder: String, where isWanted: (String) -> Bool = { _ in true }) throws -> [String] {
    try TestData.paths(in: folder, where: isWanted)
  }

  @Test("every recording of a foot is classified as foot-mounted")
  func feet() throws {
    let logs =
      try names("position-foot/corridor") { !$0.contains("landmarks") && $0.hasSuffix(".csv") }
      + names("position-foot/openshoe") { Int($0.dropLast(4)) != nil } + ["position-foot/xio/short_walk.csv"]
    #expect(logs.count == 16)
    for log in logs {
      let found = try decision(log, isMetric: true).0
      #expect(found.carrying == .foot, "\(log): \(found.reason)")
    }
  }

  @Test("no recording of a hand, pocket, arm, bicycle or skis is foot-mounted, and without a walk there is no path")
  func others() throws {
    let metric = try names("position-phone") + names("rides") { $0.contains("_") }
    let others =
      try names("tyrex") { $0.hasPrefix("person") } + names("sensor-logger") { $0.contains("-") }
      + names("evaluation-only/cycling")
      + names("activity/phyphox") { $0.contains("subj") } + ["iphone-xs/rec_2019-06-10_200312a"]
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
