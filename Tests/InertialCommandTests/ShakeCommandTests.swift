import Foundation
import Inertial
import Testing

@Suite("inertial shake")
struct ShakeCommandTests {
  private let runner = try! CommandRunner()

  private struct Motion {
    var time: Double
    var user: Vector3
    var rate: Vector3
  }

  /// Rest, three seconds of shaking at 4 Hz and 2.5 g from 4 s on, and rest again; face up.
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
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: runner.folder.appendingPathComponent(name))
  }

  private func writeRawLog() throws {
    let rows = motions(rate: 100).map {
      "\($0.time),\($0.user.x),0,-1,\($0.rate.x),\($0.rate.y),\($0.rate.z)"
    }
    try write(
      ["time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ"] + rows, to: "raw.csv"
    )
  }

  private func document(_ arguments: String...) throws -> [String: Any] {
    let result = try runner.run(["shake"] + arguments + ["--json"])
    #expect(result.status == 0, "\(result.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private func events(_ document: [String: Any]) throws -> [[String: Any]] {
    try #require(document["events"] as? [[String: Any]])
  }

  @Test("a raw log is fused, and its shake is one event from start to end")
  func rawLog() throws {
    try writeRawLog()
    let found = try document("raw.csv")
    #expect(found["source"] as? String == "fused")
    let all = try events(found)
    #expect(all.count == 1)
    let event = try #require(all.first)
    #expect(Set(["start", "end", "phase", "detector", "score", "axis", "count"]).isSubset(of: event.keys))
    #expect(abs(try #require(event["start"] as? Double) - 4) < 0.1)
    #expect(abs(try #require(event["end"] as? Double) - 7) < 0.1)
    #expect(event["phase"] as? String == "ended" && event["status"] as? String == "ShakeEnded")
    #expect(event["detector"] as? String == "reference" && event["count"] as? Int == 1)
    #expect(abs(abs(try #require((event["axis"] as? [Double])?.first)) - 1) < 0.05)
  }

  @Test("rows of device motion without header and time need only their rate")
  func deviceMotionRows() throws {
    let rows = motions(rate: 25).map {
      "session,2,0,0,0,\($0.rate.x),\($0.rate.y),\($0.rate.z),0,0,-1,\($0.user.x),0,0"
    }
    try write(rows, to: "rows.csv")
    let columns =
      "-,-,roll,pitch,yaw,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,"
      + "userAccelerationX,userAccelerationY,userAccelerationZ"
    let found = try document("rows.csv", "--columns", columns, "--sample-rate", "25")
    #expect(found["source"] as? String == "device")
    let all = try events(found)
    #expect(all.count == 1)
    #expect(abs(try #require(all.first?["start"] as? Double) - 4) < 0.1)
  }

  @Test("a fused dataset gives what its log gives")
  func fusedDataset() throws {
    try writeRawLog()
    #expect(try runner.run("fuse", "raw.csv", "-o", "fused.csv").status == 0)
    let found = try document("fused.csv")
    #expect(found["source"] as? String == "device")
    #expect(try events(found).count == 1)
  }

  @Test("all detectors answer, each under its own name, and a shake is a shake to most")
  func all() throws {
    try writeRawLog()
    let found = try document("raw.csv", "--detector", "all", "--continuous")
    let detections = try #require(found["detections"] as? [String: Int])
    #expect(Set(detections.keys) == Set(ShakeDetectorKind.all.map(\.name)))
    #expect(detections.values.count { $0 > 0 } >= 10)
    let page = try runner.run("shake", "raw.csv", "--detector", "reference,axis")
    #expect(page.status == 0)
    #expect(page.output.contains("ended") && page.output.contains("█"))
  }

  @Test("without a gyroscope it goes on with the accelerometer, and a log that rests has no shake")
  func accelerometerOnly() throws {
    let rows = motions(rate: 100).map { "\($0.time),\($0.user.x),0,-1" }
    try write(["time,accelerationX,accelerationY,accelerationZ"] + rows, to: "acc.csv")
    let found = try document("acc.csv")
    #expect(found["source"] as? String == "accelerometer")
    #expect(try events(found).count == 1)
    try write(["time,accelerationX,accelerationY,accelerationZ"] + rows.prefix(390), to: "rest.csv")
    #expect(try events(document("rest.csv")).isEmpty)
    #expect(try runner.run("shake", "rest.csv").output.contains("No shake."))
  }

  @Test("a maximum duration cancels, sensitivity and names are checked")
  func options() throws {
    try writeRawLog()
    let cancelled = try events(document("raw.csv", "--maximum-duration", "1"))
    #expect(cancelled.first?["phase"] as? String == "cancelled" && cancelled.first?["count"] as? Int == 0)
    #expect(try runner.run("shake", "raw.csv", "--sensitivity", "2").status == 2)
    let unknown = try runner.run("shake", "raw.csv", "--detector", "none")
    #expect(unknown.status == 2 && unknown.errors.contains("there is no detector 'none'; there are reference, "))
    try write(["time,rotationRateX,rotationRateY,rotationRateZ", "0,0,0,0", "0.01,0,0,0"], to: "gyro.csv")
    #expect(try runner.run("shake", "gyro.csv").status == 1)
    #expect(try runner.run("shake", "nowhere.csv").status == 1)
  }
}
