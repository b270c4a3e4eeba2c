import Testing

@Suite("inertial activity: falls and posture") struct FallCommandTests {
  private let runner = try! CommandRunner()

  /// A canonical log at 50 Hz: 12 s of walking upright, a descent of 0.5 s, an impact, then 8 s level at rest.
  private func writeFall(_ name: String, peak: Double = 6) throws {
    var generator = SeededGenerator(seed: 5)
    var lines = ["time,accelerationX,accelerationY,accelerationZ"]
    for index in 0..<1050 {
      let time = 0.02 * Double(index)
      let (norm, level): (Double, Double) =
        switch time {
        case ..<12: (1 + 0.3 * sin(12 * time), 0)
        case ..<12.5: (0.5, time - 12)
        case ..<12.61: (peak, 0.6)
        case ..<13: (1.1, 1)
        default: (1, 1)
        }
      let length = (level * level + (1 - level) * (1 - level)).squareRoot()
      let noise = 0.005 * generator.normal()
      lines.append("\(time),\(noise),\(-norm * (1 - level) / length),\(-norm * level / length)")
    }
    try runner.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  @Test("a fall appears in the document and in the text, and a log without a fall has neither")
  func falls() throws {
    try writeFall("fall.csv")
    let found = try runner.document("activity", "fall.csv")
    let falls = try #require(found["falls"] as? [[String: Any]])
    #expect(falls.count == 1 && abs((falls.first?["impact"] as? Double ?? 0) - 12.55) < 0.1)
    #expect((falls.first?["reason"] as? [String: Any])?["descent"] is Double)
    #expect(found["posture"] == nil)
    #expect(try runner.run("activity", "fall.csv").output.contains("fall at 12."))
    try writeFall("soft.csv", peak: 1.4)
    #expect((try runner.document("activity", "soft.csv")["falls"] as? [Any])?.isEmpty == true)
    #expect(try !runner.run("activity", "soft.csv").output.contains("fall at"))
  }

  @Test("with a placement the posture is reported in segments; an unknown placement is rejected")
  func posture() throws {
    try writeFall("fall.csv")
    for (placement, words) in [("thigh", ["standing", "sittingOrLying"]), ("trunk", ["upright", "lying"])] {
      let segments = try #require(
        try runner.document("activity", "fall.csv", "--placement", placement)["posture"] as? [[String: Any]])
      let reported = segments.compactMap { $0["posture"] as? String }
      #expect(reported.first == "unknown" && reported.filter { $0 != "unknown" } == words, "\(reported)")
      #expect(abs((segments.last?["end"] as? Double ?? 0) - 20.98) < 0.1)
    }
    #expect(try runner.run("activity", "fall.csv", "--placement", "trunk").output.contains("  lying"))
    try runner.check("activity", "fall.csv", "--placement", "hand", status: 2, errors: "trunk")
  }

  @Test("evaluate-events matches falls with labels, and reports false alarms per hour")
  func evaluation() throws {
    try writeFall("fall.csv")
    try writeFall("soft.csv", peak: 1.2)
    try runner.write("recording,start,end,label\nfall,12,13,Fall\nsoft,12,13,fall\n", to: "labels.csv")
    func detectors(_ arguments: String...) throws -> [[String: Any]] {
      let document = try runner.document(["evaluate-events", "--task", "falls"] + arguments)
      return try #require(document["detectors"] as? [[String: Any]])
    }
    let found = try detectors("fall.csv", "soft.csv", "--labels", "labels.csv")[0]
    #expect(found["detector"] as? String == "falls" && found["stretches"] as? Int == 2 && found["found"] as? Int == 1)
    let matches = try #require(found["matches"] as? [String: Any])
    #expect(matches["labelled"] as? Int == 2 && matches["matched"] as? Int == 1 && matches["detected"] as? Int == 1)
    #expect(matches["precision"] as? Double == 1 && matches["recall"] as? Double == 0.5)
    #expect(abs(matches["meanError"] as? Double ?? 9) < 0.2)
    // Reported when the rest begins.
    #expect((found["medianDelay"] as? Double ?? 0) > 0.8)
    let alarms = try detectors("fall.csv", "--sensitivities", "0,1")
    #expect(alarms.map { $0["falseAlarms"] as? Int } == [1, 1] && alarms[0]["matches"] == nil)
    let windows = try detectors("fall.csv", "--labels", "labels.csv", "--windows-alone", "--window", "1")[0]
    #expect((windows["windows"] as? [String: [String: Int]])?["fall"] == ["count": 1, "touched": 0])
    let text = try runner.run("evaluate-events", "--task", "falls", "fall.csv", "--labels", "labels.csv").output
    #expect(text.contains("events matched one to one with labels, within 1.0 s") && text.contains("h without fall"))
    try runner.check("evaluate-events", "--task", "falls", "fall.csv", "--detectors", "axis", status: 2)
  }
}
