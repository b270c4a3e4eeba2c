import TestSupport
import Testing

@Suite("inertial activity") struct ActivityCommandTests {
  private let runner = try! CommandRunner()

  /// A canonical log at 50 Hz with the given activities, each from its start time until the next.
  private func write(_ name: String, _ parts: [(end: Double, kind: String)], seed: UInt64 = 1) throws {
    var generator = SeededGenerator(seed: seed)
    var (lines, time) = (["time,accelerationX,accelerationY,accelerationZ"], 0.0)
    for (end, kind) in parts {
      while time < end - 1e-9 {
        func wave(_ frequency: Double, _ phase: Double = 0) -> Double { sin(2 * .pi * frequency * time + phase) }
        func jolt(_ frequency: Double, _ sharpness: Double) -> Double {
          exp(sharpness * (cos(2 * .pi * frequency * time) - 1))
        }
        let (up, ahead): (Double, Double) =
          switch kind {
          case "walking": (0.22 * wave(1.9) + 0.45 * (jolt(1.9, 6) - 0.17) + 0.05 * wave(5.7, 2), 0.12 * wave(0.95))
          case "waving": (0.1 * wave(0.7, 1) + 0.1 * wave(3.1), 0.6 * wave(0.7) + 0.2 * wave(4.3))
          case "running": (0.9 * wave(2.7) + 1.2 * (jolt(2.7, 4) - 0.21), 0.25 * wave(1.35) + 0.1 * wave(2.7))
          default: (0, 0)
          }
        func noise() -> Double { 0.002 * generator.normal() }
        lines.append("\(time),\(-ahead + noise()),\(noise()),\(-1 - up + noise())")
        time += 0.02
      }
    }
    try runner.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  @Test("segments have flag names and times on the log's clock; the text has a table and a strip")
  func segments() throws {
    try write("a.csv", [(20, "rest"), (45, "walking")])
    let segments = try #require(try runner.document("activity", "a.csv")["segments"] as? [[String: Any]])
    #expect(segments.map { $0["flags"] as? [String] } == [["stationary"], ["walking"]])
    #expect(segments[0]["start"] as? Double == 0 && abs((segments[1]["start"] as? Double ?? 0) - 20) < 1.3)
    #expect(segments[1]["confidence"] as? String == "high")
    let probabilities = try #require(segments[1]["probabilities"] as? [String: Double])
    #expect(probabilities.keys.sorted() == ["automotive", "cycling", "other", "running", "stationary", "walking"])
    #expect(abs(probabilities.values.reduce(0, +) - 1) < 1e-6 && (probabilities["walking"] ?? 0) > 0.9)
    let text = try runner.run("activity", "a.csv").output
    #expect(text.contains("walking (high)") && text.contains("█") && text.contains("·"))
    let live = try #require(try runner.document("activity", "a.csv", "--online")["segments"] as? [[String: Any]])
    #expect(live.first?["flags"] as? [String] == ["unknown"])
    #expect(live.last?["flags"] as? [String] == ["walking"] && live.count > 10)
  }

  @Test("a log without acceleration, a too short log and an invalid model file are reported")
  func errors() throws {
    try write("short.csv", [(1, "walking")])
    #expect(try runner.run("activity", "short.csv").output.contains("too short"))
    #expect((try runner.document("activity", "short.csv")["segments"] as? [Any])?.isEmpty == true)
    try runner.write("time,rotationRateX,rotationRateY,rotationRateZ\n0,0,0,0\n0.01,0,0,0\n0.02,0,0,0\n", to: "g.csv")
    try runner.check("activity", "g.csv", status: 1, lines: 1)
    try runner.write("{}", to: "m.json")
    for (model, words) in [("m.json", "m.json: not a model of activities"), ("no.json", "cannot be read")] {
      try runner.check("activity", "short.csv", "--model", model, status: 1, errors: words)
    }
    try runner.check("activity", status: 2)
    #expect(try runner.run("activity", "--help").output.contains("inertial activity train"))
  }

  @Test("a model is trained on given labels, evaluated on data sets that are left out, written once and used")
  func train() throws {
    var labels = ["recording,start,end,label,person"]
    for person in 1...3 {
      let name = "p\(person).csv"
      try write(name, [(30, "rest"), (60, "walking"), (90, "running"), (120, "waving")], seed: UInt64(person))
      for (index, word) in ["standing", "Walking", "jogging", "gesture"].enumerated() {
        labels.append("p\(person),\(30 * index + 1),\(30 * index + 29),\(word),\(person)")
      }
    }
    try runner.write(labels.joined(separator: "\n") + "\n", to: "labels.csv")
    let logs = ["p1.csv", "p2.csv", "p3.csv", "--labels", "labels.csv", "--units", "20"]
    try runner.check(["activity", "train", "--cross-validate"] + logs, output: "3 participants", "macro F1")
    let document = try runner.document(["activity", "train", "-o", "m.json", "--name", "mine"] + logs)
    #expect((document["sets"] as? [Any])?.count == 3 && (document["macroF1"] as? Double ?? 0) > 0.95)
    try runner.check(["activity", "train", "-o", "m.json"] + logs, status: 2)
    let used = try runner.document("activity", "p1.csv", "--model", "m.json")
    #expect(used["model"] as? String == "mine")
    #expect(
      (used["segments"] as? [[String: Any]])?.map { $0["flags"] as? [String] }
        == [["stationary"], ["walking"], ["running"], []])
    let judged = try runner.document(
      "evaluate-events", "--task", "activity", "p1.csv", "p2.csv", "--labels", "labels.csv")
    #expect(((judged["smoothed"] as? [String: Any])?["macroF1"] as? Double ?? 0) > 0.9)
    #expect((judged["nanosecondsPerSample"] as? Double ?? 0) > 0)
    try runner.check(
      "evaluate-events", "--task", "activity", "p1.csv", "--labels", "labels.csv", "--event", "walking", output: "other"
    )
    try runner.check("evaluate-events", "--task", "activity", "p1.csv", status: 2)
    // The evaluation needs at least two data sets.
    try runner.check(
      "activity", "train", "-o", "n.json", "p1.csv", "--labels", "labels.csv", status: 1, errors: "at least 2")
    try runner.check("activity", "train", "p1.csv", "--labels", "labels.csv", status: 2)
  }

  @Test("segments are evaluated by the kind of error: a walk detected in a labelled rest is an insertion")
  func categories() throws {
    try write("log.csv", [(60, "rest"), (120, "walking"), (180, "rest")])
    try runner.write("start,end,label\n0,50,standing\n50,110,walking\n110,180,standing\n", to: "right.csv")
    try runner.write("start,end,label\n0,30,standing\n30,50,walking\n50,180,standing\n", to: "wrong.csv")
    func categories(_ labels: String) throws -> [String: [String: [String: Double]]] {
      let found = try runner.document("evaluate-events", "--task", "activity", "log.csv", "--labels", labels)
      let all = found["categories"] as? [String: [String: [String: [String: Double]]]]
      return try #require(all?["smoothed"])
    }
    let right = try categories("right.csv")
    #expect(right["walking"]?["events"]?["correct"] == 1 && right["walking"]?["returns"]?["correct"] == 1)
    #expect(right["stationary"]?["events"]?["correct"] == 2 && right["running"]?["events"]?["correct"] == 0)
    // The label starts and ends ten seconds before the walk.
    let walk = try #require(right["walking"]?["times"])
    #expect(abs((walk["startUnderfill"] ?? 0) - 10) < 3 && abs((walk["endOverfill"] ?? 0) - 10) < 3)
    #expect(abs((walk["truePositive"] ?? 0) - 50) < 3 && walk["merge"] == 0)
    #expect(abs((right["walking"]?["shares"]?["truePositive"] ?? 0) - (walk["truePositive"] ?? 0) / 60) < 1e-9)
    let wrong = try categories("wrong.csv")
    #expect(wrong["walking"]?["events"]?["deleted"] == 1 && wrong["walking"]?["returns"]?["inserted"] == 1)
    // The first detected rest extends into the second labelled rest, which the walk interrupts.
    let (events, returns) = (wrong["stationary"]?["events"], wrong["stationary"]?["returns"])
    #expect(events?["merged"] == 1 && events?["fragmentedAndMerged"] == 1 && events?["correct"] == 0)
    #expect(returns?["fragmentingAndMerging"] == 1 && returns?["fragmenting"] == 1)
    let text = try runner.run("evaluate-events", "--task", "activity", "log.csv", "--labels", "right.csv").output
    #expect(text.contains("smoothed: segments") && text.contains("live: percentages"))
    try runner.check(
      "evaluate-events", "--task", "activity", "log.csv", "--labels", "right.csv", "--tolerance", "1", status: 2)
  }

  @Test("fuse --with activity adds its columns, known from the first row on, or with --online after some seconds")
  func fuse() throws {
    try runner.write(CanonicalLog.text(1000), to: "still.csv")
    try runner.check("fuse", "still.csv", "-o", "whole.csv", "--with", "activity")
    let whole = try runner.columns("whole.csv")
    #expect(whole["motionActivity"].allSatisfy { $0 == 2 } && whole["stationaryProbability"].allSatisfy { $0 > 0.9 })
    let result = try runner.run("fuse", "still.csv", "-o", "out.csv", "--with", "activity", "--online")
    #expect(result.status == 0 && !result.errors.contains("needs"), "\(result.errors)")
    let lines = try runner.table("out.csv")
    let index = try #require(lines[0].firstIndex(of: "motionActivity"))
    #expect(lines[1][index] == "0" && lines[1][index + 2].isEmpty)
    #expect(lines.last?[index] == "2" && (Double(lines.last?[index + 2] ?? "") ?? 0) > 0.9)
    #expect(lines[0].suffix(2) == ["automotiveProbability", "otherProbability"])
  }
}
