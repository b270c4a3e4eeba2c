import Foundation
import Inertial
import Testing

@Suite("Time offsets on the command line") struct AlignCommandTests {
  /// A log through all attitudes, whose magnetometer timestamps are 80 ms late.
  private func write(_ runner: CommandRunner, _ name: String = "log.csv") throws {
    var suite = SensorSuite.phone
    suite.magnetometer!.sensor.delay = 0.08
    suite.referenceRate = nil
    let simulation = try Simulation(
      scenario: .named("random-spline"), parameters: ["positionSpread": 0.02], sensors: suite, duration: 40, seed: 5)
    var text =
      "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ,magneticFieldX,"
      + "magneticFieldY,magneticFieldZ\n"
    for sample in simulation {
      let values = "\(sample.x),\(sample.y),\(sample.z)"
      let row =
        switch sample.channel {
        case .accelerometer: "\(values),,,,,,"
        case .gyroscope: ",,,\(values),,,"
        default: ",,,,,,\(values)"
        }
      text += "\(sample.time),\(row)\n"
    }
    try runner.write(text, to: name)
  }

  @Test("inspect reports the offset, and fuse --align removes it and reports this in its summary and JSON")
  func align() throws {
    let runner = try CommandRunner()
    try write(runner)
    let inspected = try runner.run("inspect", "log.csv")
    #expect(inspected.output.contains("time offsets relative to the gyroscope:"))
    #expect(inspected.output.contains("magnetometer: 8") || inspected.output.contains("magnetometer: 79."))
    #expect(inspected.output.contains("ms late against the gyroscope; residual"), "\(inspected.output)")
    #expect(inspected.output.contains("clock: time in seconds"), "\(inspected.output)")

    let frame = ["--frame", "xMagneticNorthZVertical"]
    #expect(try runner.run(["fuse", "log.csv", "-o", "plain.csv"] + frame).output.contains("align") == false)
    let aligned = try runner.run(["fuse", "log.csv", "-o", "aligned.csv", "--align"] + frame)
    #expect(aligned.status == 0 && aligned.output.contains("; removed; residual"), "\(aligned.output)\(aligned.errors)")
    #expect(try runner.read("plain.csv") != runner.read("aligned.csv"))

    let document = try runner.run(["fuse", "log.csv", "-o", "again.csv", "--align", "--json"] + frame)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(document.output.utf8)) as? [String: Any])
    let entries = try #require(json["alignment"] as? [[String: Any]])
    let field = try #require(entries.first { $0["channel"] as? String == "magnetometer" })
    let offset = try #require(field["offset"] as? [String: Any])
    #expect(abs((offset["seconds"] as? Double ?? 0) - 0.08) < 0.003)
    #expect(field["isApplied"] as? Bool == true)
    #expect(try runner.read("again.csv") == runner.read("aligned.csv"))
  }

  @Test("standard input cannot be aligned, and the error suggests a file")
  func standardInput() throws {
    let runner = try CommandRunner()
    let result = try runner.run("fuse", "-", "-o", "out.csv", "--align", input: "")
    #expect(result.status == 2)
    #expect(result.errors.contains("--align reads the log twice"), "\(result.errors)")
    #expect(try runner.files() == [])
  }

  @Test("the manifest distinguishes datasets made with and without alignment")
  func manifest() throws {
    let runner = try CommandRunner()
    try write(runner, "a.csv")
    try write(runner, "b.csv")
    #expect(try runner.run("fuse", "a.csv", "b.csv", "-o", "out", "--align").status == 0)
    let manifest = try runner.read("out/inertial-manifest.json")
    #expect(manifest.contains("\"aligns\" : true") && manifest.contains("\"isApplied\" : true"))
    let resumed = try runner.run("fuse", "a.csv", "b.csv", "-o", "out", "--resume", "--align")
    #expect(resumed.output.contains("kept    2 datasets"), "\(resumed.output)\(resumed.errors)")
    let other = try runner.run("fuse", "a.csv", "b.csv", "-o", "out", "--resume")
    #expect(!other.output.contains("kept"), "\(other.output)")
  }
}
