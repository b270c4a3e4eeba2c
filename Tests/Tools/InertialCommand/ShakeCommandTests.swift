import Testing

@Suite("inertial shake") struct ShakeCommandTests {
  private let runner = try! CommandRunner()

  private struct Motion {
    var time: Double
    var user: Vector3
    var rate: Vector3
  }

  /// Rest, three seconds of shaking at 4 Hz and 2.5 g from 4 s, and rest again; face up.
  private func motions(rate: Double) -> [Motion] {
    (0..<Int(10 * rate)).map { index in
      let time = Double(index) / rate
      let phase = 2 * Double.pi * 4 * (time - 4)
      let isMoving = time >= 4 && time < 7
      return Motion(
        time: time, user: Vector3(isMoving ? 2.5 * sin(phase) : 0, 0, 0),
        rate: Vector3(0, 0, isMoving ? 3 * cos(phase) : 0))
    }
  }

  private func write(_ lines: [String], to name: String) throws {
    try runner.write(lines.joined(separator: "\n") + "\n", to: name)
  }

  private func writeRawLog() throws {
    let rows = motions(rate: 100).map { "\($0.time),\($0.user.x),0,-1,\($0.rate.x),\($0.rate.y),\($0.rate.z)" }
    try write([String(CanonicalLog.motionHeader.dropLast())] + rows, to: "raw.csv")
  }

  private func events(_ document: [String: Any]) throws -> [[String: Any]] {
    try #require(document["events"] as? [[String: Any]])
  }

  @Test("a raw log is fused, and its shake is one event from start to end")
  func rawLog() throws {
    try writeRawLog()
    let found = try runner.document("shake", "raw.csv")
    #expect(found["source"] as? String == "fused")
    let all = try events(found)
    let event = try #require(all.first)
    #expect(Set(["start", "end", "phase", "detector", "score", "axis", "count"]).isSubset(of: event.keys))
    #expect(abs(try #require(event["start"] as? Double) - 4) < 0.1)
    #expect(abs(try #require(event["end"] as? Double) - 7) < 0.1 && all.count == 1)
    #expect(event["phase"] as? String == "ended" && event["status"] as? String == "ShakeEnded")
    #expect(event["detector"] as? String == "reference" && event["count"] as? Int == 1)
    #expect(abs(abs(try #require((event["axis"] as? [Double])?.first)) - 1) < 0.05)
  }

  @Test("rows of device motion without a header and times need only their rate")
  func deviceMotionRows() throws {
    let rows = motions(rate: 25).map {
      "session,2,0,0,0,\($0.rate.x),\($0.rate.y),\($0.rate.z),0,0,-1,\($0.user.x),0,0"
    }
    try write(rows, to: "rows.csv")
    let columns =
      "-,-,roll,pitch,yaw,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,"
      + "userAccelerationX,userAccelerationY,userAccelerationZ"
    let found = try runner.document("shake", "rows.csv", "--columns", columns, "--sample-rate", "25")
    #expect(found["source"] as? String == "device")
    let all = try events(found)
    #expect(try all.count == 1 && abs(try #require(all.first?["start"] as? Double) - 4) < 0.1)
  }

  @Test("a fused dataset gives the same shakes as its log")
  func fusedDataset() throws {
    try writeRawLog()
    try runner.check("fuse", "raw.csv", "-o", "fused.csv")
    let found = try runner.document("shake", "fused.csv")
    #expect(try found["source"] as? String == "device" && events(found).count == 1)
  }

  @Test("all detectors report results under their names, and most detect the shake")
  func all() throws {
    try writeRawLog()
    let found = try runner.document("shake", "raw.csv", "--detector", "all", "--continuous")
    let detections = try #require(found["detections"] as? [String: Int])
    #expect(Set(detections.keys) == Set(ShakeDetectorKind.all.map(\.name)) && detections.values.count { $0 > 0 } >= 10)
    try runner.check("shake", "raw.csv", "--detector", "reference,axis", output: "ended", "█")
  }

  @Test("a log without a gyroscope uses the accelerometer, and a log at rest has no shake")
  func accelerometerOnly() throws {
    let rows = motions(rate: 100).map { "\($0.time),\($0.user.x),0,-1" }
    try write(["time,accelerationX,accelerationY,accelerationZ"] + rows, to: "acc.csv")
    let found = try runner.document("shake", "acc.csv")
    #expect(try found["source"] as? String == "accelerometer" && events(found).count == 1)
    try write(["time,accelerationX,accelerationY,accelerationZ"] + rows.prefix(390), to: "rest.csv")
    #expect(try events(runner.document("shake", "rest.csv")).isEmpty)
    #expect(try runner.run("shake", "rest.csv").output.contains("No shake."))
  }

  @Test("parameters are set for all detectors that have them, or for one; an unknown name lists the alternatives")
  func settings() throws {
    try writeRawLog()
    func detections(_ arguments: String...) throws -> [String: Int] {
      try #require(try runner.document(["shake", "raw.csv"] + arguments)["detections"] as? [String: Int])
    }
    #expect(try detections("--detector", "axis", "--set", "threshold=3")["axis"] == 0)
    let close = try detections("--detector", "axis", "--set", "threshold=1", "--set", "interval=0.2")
    let far = try detections("--detector", "axis", "--set", "threshold=1", "--set", "interval=2")
    #expect(close["axis"] ?? 0 > 2 * (far["axis"] ?? 0))
    let one = try detections("--detector", "axis,user-axis", "--set", "axis.threshold=9", "--set", "interval=1")
    #expect(one["axis"] == 0 && one["user-axis"] ?? 0 > 0)
    for (words, message) in [
      (["threshold"], "--set takes name=value with a number"),
      (["gain=0.5"], "the detector axis has no parameter 'gain'; use one of updateInterval, threshold, interval"),
      (["treshold=0.5"], "the detector axis has no parameter 'treshold'; use threshold"),
      (["interval=-1"], "interval = -1.0 is out of range"), (["threshold=1", "threshold=2"], "is given twice"),
      (["legacy.gain=1"], "the detector legacy is not used"),
    ] {
      try runner.check(
        ["shake", "raw.csv", "--detector", "axis"] + words.flatMap { ["--set", $0] }, status: 2, errors: message)
    }
    try runner.check(
      "shake", "raw.csv", "--sensitivity", "0.5", "--set", "sensitivity=0.5", status: 2, errors: "give one of them")
  }

  @Test("the rules are listed with defaults and customary values, without a log")
  func rules() throws {
    let table = try runner.run("shake", "--rules").output.split(separator: "\n").map(String.init)
    func row(_ detector: String, _ parameter: String) throws -> String {
      try #require(table.first { $0.split(separator: " ").prefix(2) == [Substring(detector), Substring(parameter)] })
    }
    #expect(try row("axis", "threshold").contains("2.45 g    0.5 to 3"))
    #expect(try row("axis", "threshold").contains("0.5 to 1 sensitive, 1 to 2 ordinary, 2 to 3 hard shakes only"))
    #expect(try row("low-pass", "threshold").contains("0.38 g    0.33 to 0.88"))
    #expect(try row("legacy", "interval").contains(" 1 s "))
    for kind in ShakeDetectorKind.all { _ = try row(kind.name, "interval") }
    let one = try runner.run("shake", "--rules", "--detector", "legacy", "--json")
    let rules = try #require(JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [[String: Any]])
    #expect(rules.count == 1 && rules.first?["name"] as? String == "legacy")
    try runner.check("shake", "--rules", "raw.csv", status: 2)
    try runner.check("shake", status: 2, errors: "a log is missing")
  }

  @Test("starts, ends and cancellations are reported in order, with the collectors' and UIKit's names")
  func phases() throws {
    try writeRawLog()
    let phases = try #require(try runner.document("shake", "raw.csv")["phases"] as? [[String: Any]])
    #expect(phases.map { $0["phase"] as? String } == ["began", "ended"])
    #expect(phases.map { $0["status"] as? String } == ["ShakeBegan", "ShakeEnded"])
    #expect(phases.map { $0["method"] as? String } == ["motionBegan", "motionEnded"])
    #expect((phases[0]["time"] as? Double ?? 9) < 5 && phases[0]["count"] as? Int == 0)
    let rows = try runner.run("shake", "raw.csv", "--csv", "--maximum-duration", "1").output
      .split(separator: "\n").map { $0.split(separator: ",").map(String.init) }
    #expect(rows[0] == ["time", "detector", "phase", "status", "method", "count"])
    #expect(rows.dropFirst().map { $0[4] } == ["motionBegan", "motionCancelled"])
    #expect(try events(runner.document("shake", "raw.csv")).first?["method"] as? String == "motionEnded")
    try runner.check("shake", "raw.csv", "--csv", "--json", status: 2)
  }

  @Test("a maximum duration cancels, sensitivity and names are checked")
  func options() throws {
    try writeRawLog()
    let cancelled = try events(runner.document("shake", "raw.csv", "--maximum-duration", "1"))
    #expect(cancelled.first?["phase"] as? String == "cancelled" && cancelled.first?["count"] as? Int == 0)
    try runner.check("shake", "raw.csv", "--sensitivity", "2", status: 2)
    try runner.check(
      "shake", "raw.csv", "--detector", "none", status: 2, errors: "there is no detector 'none'; use one of reference, "
    )
    try write(["time,rotationRateX,rotationRateY,rotationRateZ", "0,0,0,0", "0.01,0,0,0"], to: "gyro.csv")
    try runner.check("shake", "gyro.csv", status: 1)
    try runner.check("shake", "nowhere.csv", status: 1)
  }
}
