import Testing

@Suite("inertial evaluate-events") struct EvaluateEventsCommandTests {
  private let runner = try! CommandRunner()

  /// Ten seconds at 50 Hz, with an optional shake of 4 Hz and 2.5 g from 4 s to 7 s.
  private func write(_ name: String, shakes: Bool) throws {
    let rows = (0..<500).map { index -> String in
      let time = Double(index) / 50
      let phase = 2 * Double.pi * 4 * (time - 4)
      let isMoving = shakes && time >= 4 && time < 7
      return "\(time),\(isMoving ? 2.5 * sin(phase) : 0.001 * sin(7 * time)),0,-1,0,0,\(isMoving ? 3 * cos(phase) : 0)"
    }
    try runner.write(CanonicalLog.motionHeader + rows.joined(separator: "\n") + "\n", to: name)
  }

  private func rows(_ arguments: String...) throws -> [[String: Any]] { try rows(arguments) }

  private func rows(_ arguments: [String]) throws -> [[String: Any]] {
    let document = try runner.document(["evaluate-events", "--task", "shake"] + arguments)
    return try #require(document["detectors"] as? [[String: Any]])
  }

  @Test("a labelled shake is found with its delay, and a still log has no false alarm")
  func labelled() throws {
    try write("shake.csv", shakes: true)
    try write("still.csv", shakes: false)
    try runner.write(
      "recording,start_s,end_s,label\nshake,4.0,7.0,Shake\nshake.csv,0,3,rest\nstill,0,10,rest\n", to: "labels.csv")
    let found = try rows("shake.csv", "still.csv", "--labels", "labels.csv", "--sensitivities", "0,0.5")
    #expect(found.prefix(2).map { $0["detector"] as? String } == ["reference", "reference"])
    #expect(found.prefix(2).map { $0["sensitivity"] as? Double } == [0, 0.5] && found.count > 10)
    let reference = found[1]
    #expect(reference["stretches"] as? Int == 1 && reference["found"] as? Int == 1)
    #expect((reference["medianDelay"] as? Double ?? 9) < 1 && reference["falseAlarms"] as? Int == 0)
    let matches = try #require(reference["matches"] as? [String: Any])
    #expect(matches["labelled"] as? Int == 1 && matches["matched"] as? Int == 1 && matches["f1"] as? Double == 1)
    #expect((matches["precisionInterval"] as? [Double])?.first ?? 1 < 0.3)
    #expect(abs((reference["hours"] as? Double ?? 0) * 3600 - 16.96) < 0.1)
    #expect(try #require(reference["windows"] as? [String: [String: Int]])["shake"] == ["count": 1, "touched": 1])
    let text = try runner.run("evaluate-events", "--task", "shake", "shake.csv", "--detectors", "reference,axis").output
    #expect(text.contains("reference") && text.contains("1 log, "))
  }

  @Test("windows evaluated separately ignore earlier samples")
  func windowsAlone() throws {
    try write("shake.csv", shakes: true)
    // The first label starts during the shake; its second window contains only the following rest.
    try runner.write("start,end,label\n5,11,late\n6.9,9.9,rest\n", to: "labels.csv")
    func windows(_ arguments: String...) throws -> [String: [String: Int]] {
      let found = try rows(["shake.csv", "--labels", "labels.csv", "--detectors", "reference"] + arguments)
      let row = try #require(found.first)
      #expect((row["samples"] as? Int ?? 0) == 500 && (row["nanosecondsPerSample"] as? Double ?? 0) > 0)
      return try #require(row["windows"] as? [String: [String: Int]])
    }
    #expect(try windows()["rest"] == ["count": 1, "touched": 1])
    #expect(try windows("--windows-alone")["rest"] == ["count": 1, "touched": 0])
    #expect(try windows("--windows-alone")["late"] == ["count": 2, "touched": 1])
  }

  @Test("without labels every detection is a false alarm")
  func unlabelled() throws {
    try write("shake.csv", shakes: true)
    let found = try rows("shake.csv", "--detectors", "reference")
    #expect(found.count == 1 && found[0]["falseAlarms"] as? Int == 1 && found[0]["stretches"] as? Int == 0)
    #expect((found[0]["falseAlarmsPerHourBound"] as? Double ?? 0) > (found[0]["falseAlarmsPerHour"] as? Double ?? 1e9))
  }

  @Test("invalid labels, detectors and tasks are reported in one line")
  func errors() throws {
    try write("a.csv", shakes: false)
    try write("b.csv", shakes: false)
    let labels = [
      ("none.csv", nil, 1, "cannot be read"),
      ("x.csv", "begin,end,label\n", 1, "x.csv:1: no columns start, end and label"),
      ("y.csv", "start,end,label\n1,2,shake\n1,x,shake\n", 1, "y.csv:3:2: \"x\" is not a number"),
      ("z.csv", "start,end,label\n3,2,shake\n", 1, "z.csv:2: the segment ends before it starts"),
      ("w.csv", "start,end,label\n3,2\n", 1, "w.csv:2: 2 fields instead of 3"),
    ]
    for (name, text, status, words) in labels {
      if let text { try runner.write(text, to: name) }
      try runner.check(
        "evaluate-events", "--task", "shake", "a.csv", "--labels", name, status: Int32(status), errors: words)
    }
    try runner.write("start,end,label\n1,2,shake\n", to: "one.csv")
    let cases = [
      ["a.csv", "b.csv", "--labels", "one.csv"], ["a.csv", "--detectors", "nothing"],
      ["a.csv", "--sensitivities", "2"], ["a.csv", "--window", "0"],
    ]
    for arguments in cases { try runner.check(["evaluate-events", "--task", "shake"] + arguments, status: 2) }
    try runner.check("evaluate-events", "--task", "sleep", "a.csv", status: 2)
  }
}
