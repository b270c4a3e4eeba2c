import TestSupport
import Testing

@Suite("inertial steps") struct StepsCommandTests {
  private let runner = try! CommandRunner()

  /// A walk of 20 s at 1.8 steps per second, 10 s of standing, a walk of 20 s and 6 s of standing, at 50 Hz.
  private func write(_ name: String, walks: Bool = true) throws {
    let rows = (0..<2800).map { index -> String in
      let time = Double(index) / 50
      let isWalking = walks && (time < 20 || (30..<50).contains(time))
      let phase = 2 * Double.pi * 1.8 * time
      let vertical = isWalking ? 0.25 * (cos(phase) + 0.3 * cos(2 * phase)) : 0.002 * sin(9 * time)
      return "\(time + 100),\(isWalking ? 0.05 * sin(phase / 2) : 0),0.01,\(-1 - vertical)"
    }
    let header = "time,accelerationX,accelerationY,accelerationZ"
    try runner.write(([header] + rows).joined(separator: "\n") + "\n", to: name)
  }

  @Test("an accelerometer log gives steps, distance, events and updates on the log's clock")
  func json() throws {
    try write("walk.csv")
    let found = try runner.document("steps", "walk.csv")
    let steps = try #require(found["steps"] as? Int)
    #expect(abs(steps - 72) <= 2)
    let distance = try #require(found["distance"] as? Double)
    #expect((0.4...1.1).contains(distance / Double(steps)))
    // A tenth of the distance, and a step more or less; never 0.
    let sigma = try #require(found["distanceSigma"] as? Double)
    #expect(isNear(sigma, (0.01 * distance * distance + 0.49).squareRoot(), within: 1e-9))
    let events = try #require(found["events"] as? [[String: Any]])
    #expect(events.map { $0["type"] as? String } == ["resume", "pause", "resume", "pause"])
    for (event, time) in zip(events, [100.0, 120, 130, 150]) {
      #expect(abs((event["time"] as? Double ?? 0) - time) < 0.8)
    }
    let updates = try #require(found["updates"] as? [[String: Any]])
    #expect(updates.count >= 14 && updates.last?["numberOfSteps"] as? Int == steps)
    #expect((found["stepTimes"] as? [Double])?.count == steps)
    #expect(found["source"] as? String == "accelerometer" && found["floorsAscended"] == nil)
    let tall = try runner.document("steps", "walk.csv", "--height", "2.04")
    #expect(abs((tall["distance"] as? Double ?? 0) / distance - 1.2) < 1e-6)
  }

  @Test("a simulated walk has the exact step count, and is classified as walking", arguments: ["1.5", "1.9", "2.2"])
  func simulated(cadence: String) throws {
    try runner.check("simulate", "walk", "--set", "cadence=\(cadence)", "--duration", "30", "-o", "walk")
    let steps = try #require(try runner.document("steps", "walk/log.csv")["steps"] as? Int)
    #expect(abs(Double(steps) - 30 * Double(cadence)!) <= 1)
    let segments = try #require(try runner.document("activity", "walk/log.csv")["segments"] as? [[String: Any]])
    #expect(segments.count == 1 && segments[0]["flags"] as? [String] == ["walking"], "\(segments)")
  }

  @Test("in the text output each walk has a line, and a mark on the time strip")
  func page() throws {
    try write("walk.csv")
    let text = try runner.run("steps", "walk.csv").output
    #expect(text.contains("steps/s") && text.contains("1.80") && text.contains("█") && text.contains("·"))
    try write("still.csv", walks: false)
    let still = try runner.run("steps", "still.csv").output
    #expect(still.contains("No steps.") && !still.contains("█"))
    #expect(try runner.document("steps", "still.csv")["steps"] as? Int == 0)
  }

  @Test("a log without acceleration and an impossible height are reported in one line")
  func errors() throws {
    try runner.write("time,rotationRateX,rotationRateY,rotationRateZ\n0,0,0,0\n0.01,0,0,0\n", to: "gyro.csv")
    try runner.check("steps", "gyro.csv", status: 1, errors: "gyro.csv: the log has no acceleration")
    try write("walk.csv")
    try runner.check("steps", "walk.csv", "--height", "17", status: 2)
    try runner.check("steps", "nowhere.csv", status: 1)
  }

  @Test("evaluate-events reports counts, errors and false steps")
  func evaluation() throws {
    try write("walk.csv")
    try write("still.csv", walks: false)
    try runner.write("recording,start,end,steps\nwalk,,120,36\nwalk.csv,125,,30\n", to: "counts.csv")
    // The line with the full name takes precedence.
    let found = try runner.document(
      "evaluate-events", "--task", "steps", "walk.csv", "still.csv", "--labels", "counts.csv")
    let rows = try #require(found["recordings"] as? [[String: Any]])
    #expect(rows.count == 2 && rows[0]["steps"] as? Int == 30 && rows[1]["steps"] == nil)
    let counted = try #require(rows[0]["counted"] as? Int)
    #expect(abs(counted - 36) <= 1)
    let error = try #require(found["meanAbsoluteErrorPercent"] as? Double)
    #expect(abs(error - 100 * Double(counted - 30) / 30) < 1e-9)
    #expect(found["falseSteps"] as? Int == 0 && found["falseStepsPerMinute"] as? Double == 0)
    #expect((found["nanosecondsPerSample"] as? Double ?? 0) > 0)
    // One line per step, for a single recording.
    try runner.write("time\n" + (0..<70).map { "\(100 + $0)\n" }.joined(), to: "times.csv")
    let times = try runner.document("evaluate-events", "--task", "steps", "walk.csv", "--labels", "times.csv")
    #expect(times["steps"] as? Int == 70 && found["matches"] == nil && times["matches"] != nil)
    // Without labels every step is a false step.
    let all = try runner.document("evaluate-events", "--task", "steps", "walk.csv", "still.csv")
    #expect(abs((all["falseSteps"] as? Int ?? 0) - 72) <= 2 && all["meanAbsoluteErrorPercent"] == nil)
    let text = try runner.run("evaluate-events", "--task", "steps", "walk.csv", "--labels", "times.csv").output
    #expect(text.contains("mean absolute error") && text.contains("walk.csv"))
  }

  @Test("steps whose times are labelled are matched one to one, within the tolerance")
  func stepByStep() throws {
    try write("walk.csv")
    // The heel strikes, 18 ms late, with twice the number in the second walk.
    let first: [Double] = (0..<36).map { 100.018 + Double($0) / 1.8 }
    let strikes = first + (0..<72).map { 130.018 + Double($0) / 3.6 }
    try runner.write("time\n" + strikes.map { "\($0)\n" }.joined(), to: "times.csv")
    func matches(_ arguments: String...) throws -> [String: Any] {
      let words = ["evaluate-events", "--task", "steps", "walk.csv", "--labels", "times.csv"] + arguments
      return try #require(try runner.document(words)["matches"] as? [String: Any])
    }
    let found = try matches()
    #expect(found["labelled"] as? Int == 108 && found["tolerance"] as? Double == 0.2)
    let (detected, matched) = (try #require(found["detected"] as? Int), try #require(found["matched"] as? Int))
    #expect(abs(detected - 72) <= 2 && (detected - 2...detected).contains(matched))
    #expect(abs((found["precision"] as? Double ?? 9) - Double(matched) / Double(detected)) < 1e-9)
    #expect(abs((found["recall"] as? Double ?? 9) - Double(matched) / 108) < 1e-9)
    let interval = try #require(found["recallInterval"] as? [Double])
    #expect(interval[0] < Double(matched) / 108 && interval[1] > Double(matched) / 108)
    #expect((found["meanAbsoluteError"] as? Double ?? 9) < 0.06)
    // No detector is that accurate.
    #expect(try matches("--tolerance", "0")["matched"] as? Int == 0)
    let text = try runner.run("evaluate-events", "--task", "steps", "walk.csv", "--labels", "times.csv").output
    #expect(text.contains("steps matched one to one, within 0.2 s") && text.contains("precision"))
    try runner.check(
      "evaluate-events", "--task", "steps", "walk.csv", "--tolerance=-1", status: 2, errors: "--tolerance")
  }

  @Test("invalid counts are reported with file, line and column")
  func wrongLabels() throws {
    try write("walk.csv")
    let cases = [
      ("a.csv", "begin,end\n1,2\n", "a.csv:1: no column steps"),
      ("b.csv", "start,end,steps\n1,2,30\n1,2,x\n", "b.csv:3:3: \"x\" is not a number"),
      ("c.csv", "start,end,steps\n3,2,30\n", "c.csv:2: the segment ends before it starts"),
      ("d.csv", "start,end,steps\n3,2\n", "d.csv:2: 2 fields instead of 3"),
      ("e.csv", "time\n1\nnan\n", "e.csv:3:1: \"nan\" is not a number"), ("f.csv", nil, "cannot be read"),
    ]
    for (name, text, words) in cases {
      if let text { try runner.write(text, to: name) }
      try runner.check("evaluate-events", "--task", "steps", "walk.csv", "--labels", name, status: 1, errors: words)
    }
    try runner.write("steps\n3\n", to: "one.csv")
    try write("other.csv")
    try runner.check(
      "evaluate-events", "--task", "steps", "walk.csv", "other.csv", "--labels", "one.csv", status: 2,
      errors: "column recording")
    try runner.check(
      "evaluate-events", "--task", "steps", "walk.csv", "--detectors", "axis", status: 2, errors: "--task shake")
  }

  @Test("fuse --with steps --online writes the causal estimate in each row")
  func columns() throws {
    let rows = (0..<1500).map { index -> String in
      let (time, phase) = (Double(index) / 50, 2 * Double.pi * 1.8 * Double(index) / 50)
      return "\(time),\(0.05 * sin(phase / 2)),0,\(-1 - 0.25 * (cos(phase) + 0.3 * cos(2 * phase))),0,0,0.001"
    }
    try runner.write(CanonicalLog.motionHeader + rows.joined(separator: "\n") + "\n", to: "log.csv")
    try runner.check(
      "fuse", "log.csv", "-o", "out.csv", "--with", "steps", "--online", "--columns-out",
      "time,stepCount,stepDistance,stepCadence,stepPace")
    let lines = try runner.read("out.csv").split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    }
    let counts = lines.dropFirst().map { $0[1] ?? -1 }
    #expect(counts.first == 0 && zip(counts, counts.dropFirst()).allSatisfy { $0 <= $1 })
    let last = try #require(lines.last)
    #expect((48...54).contains(last[1] ?? 0) && abs((last[3] ?? 0) - 1.8) < 0.1 && (last[2] ?? 0) > 20)
    #expect((last[4] ?? 0) > 0.3 && (lines[2][3] == nil))
  }
}
