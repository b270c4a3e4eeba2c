import Foundation
import Inertial
import InertialCalibration
import InertialNumerics
import TestSupport
import Testing

@Suite("inertial allan and inertial calibrate")
struct CalibrateCommandTests {
  private let runner = try! CommandRunner()

  private func json(_ arguments: String...) throws -> [String: Any] {
    let result = try runner.run(arguments + ["--json"])
    #expect(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private func simulate(_ scenario: String, _ folder: String, _ more: String...) throws {
    let result = try runner.run(["simulate", scenario, "-o", folder] + more)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("the noise of a simulated sensor is recovered in text, JSON, CSV and Kalibr's file, and fuse accepts it")
  func allan() throws {
    try simulate("rest", "rest", "--duration", "300", "--sensors", "research-imu", "--seed", "3")
    let document = try json("allan", "rest/log.csv", "-o", "noise.json", "-o", "imu.yaml", "-o", "curves.csv")
    let sensors = try #require(document["sensors"] as? [[String: Any]])
    let gyroscope = try #require(sensors.first { $0["sensor"] as? String == "gyroscope" })
    let axes = try #require(gyroscope["axes"] as? [[String: Any]])
    #expect(axes.count == 3)
    let truth = 5e-5
    for axis in axes {
      let terms = try #require(axis["terms"] as? [[String: Any]])
      let white = try #require(terms.first { $0["name"] as? String == "angle random walk" })
      let value = try #require(white["value"] as? Double)
      let customary = try #require(white["customaryValue"] as? Double)
      #expect(abs(value - truth) < 0.05 * truth)
      #expect(white["unit"] as? String == "rad/s/sqrt(Hz)")
      #expect(abs(customary - value * 3437.7467707849) < 1e-6)
    }
    #expect(try runner.read("imu.yaml").contains("gyroscope_noise_density: "))
    #expect(try runner.read("curves.csv").hasPrefix("sensor,axis,deviation,unit,time,value,lower,upper"))
    let table = try runner.run("allan", "rest/log.csv", "--deviations", "allan")
    #expect(table.status == 0 && table.output.contains("0.664"))
    #expect(table.output.contains("deg/sqrt(h)") && table.output.contains("m/s/sqrt(h)"))

    // The dataset has the parameters of the file, unless --set overrides them.
    try simulate("walk", "walk", "--duration", "5")
    func noise(_ more: String...) throws -> Double? {
      let fused = try json("fuse", "walk/log.csv", "--force", "--noise", "noise.json", more.first ?? "--force")
      let parameters = fused["parameters"] as? [String: Double]
      return parameters?["gyroscopeNoise"]
    }
    let reported = try #require(try noise())
    #expect(abs(reported - truth) < 0.05 * truth)
    #expect(try noise("--set=gyroscopeNoise=0.001") == 0.001)
    // A filter without such a parameter runs unchanged.
    #expect(
      try runner.run("fuse", "walk/log.csv", "--force", "--noise", "noise.json", "--filter", "mahony").status == 0)
    #expect(try runner.run("allan", "rest/log.csv", "-o", "noise.json").status == 2)
  }

  /// A log of 150 s at 100 Hz of a resting device: white noise with an optional addition.
  private func writeRest(
    to name: String, rotation: (Int) -> Double = { _ in 0 }, isTurned: (Int) -> Bool = { _ in false }
  ) throws {
    var generator = SeededGenerator(seed: 31)
    var text = "time,rotationRateX,rotationRateY,rotationRateZ,accelerationX,accelerationY,accelerationZ\n"
    for index in 0..<15_000 {
      let rates = (0..<3).map { _ in 0.001 * generator.normal() + rotation(index) }
      var forces = (0..<3).map { _ in 0.002 * generator.normal() }
      forces[isTurned(index) ? 0 : 2] -= 1
      text += "\(Double(index) / 100)," + (rates + forces).map { "\($0)" }.joined(separator: ",") + "\n"
    }
    try runner.write(text, to: name)
  }

  @Test("motion of the device is reported, and the noise is computed from the longest rest")
  func moved() throws {
    try writeRest(to: "still.csv")
    let still = try runner.run("allan", "still.csv", "-o", "still.json")
    #expect(still.status == 0 && !still.errors.contains("moves"), "\(still.errors)")

    // Handled for the first 10 s, and turned over at 100 s.
    try writeRest(
      to: "moved.csv", rotation: { $0 < 1000 ? sin(0.03 * Double($0)) : 0 }, isTurned: { $0 >= 10_000 })
    let moved = try runner.run("allan", "moved.csv", "-o", "moved.json", "-o", "imu.yaml", "--json")
    #expect(moved.status == 0)
    #expect(moved.errors.contains("moves from 0 to 11 s and from 99 to 101 s"), "\(moved.errors)")
    #expect(moved.errors.contains("longest rest, from 11 to 99 s") && moved.errors.contains("--start and --end"))
    let document = try #require(try JSONSerialization.jsonObject(with: Data(moved.output.utf8)) as? [String: Any])
    #expect(document["isAtRest"] as? Bool == true)
    let sensors = try #require(document["sensors"] as? [[String: Any]])
    let duration = try #require(sensors[0]["duration"] as? Double)
    #expect(abs(duration - 88) < 0.1)
    let terms = try #require((sensors[0]["axes"] as? [[String: Any]])?[0]["terms"] as? [[String: Any]])
    #expect(abs(try #require(terms[1]["value"] as? Double) - 1e-4) < 5e-6)
    // A part that the user selects is evaluated separately, regardless of its length.
    let cut = try runner.run("allan", "moved.csv", "--start", "110", "--end", "140", "-o", "cut.json")
    #expect(cut.status == 0 && !cut.errors.contains("moves"), "\(cut.errors)")
  }

  @Test("a log without rest is plotted as motion, and gives no noise file")
  func movesAlways() throws {
    try writeRest(to: "moves.csv", rotation: { 0.5 * sin(0.12 * Double($0)) })
    for path in ["noise.json", "imu.yaml"] {
      let refused = try runner.run("allan", "moves.csv", "-o", path)
      #expect(refused.status == 1 && refused.errorLines.count == 1, "\(refused.errors)")
      #expect(refused.errors.contains("the device is moving") && refused.errors.contains(path))
      #expect(throws: (any Error).self) { try runner.read(path) }
    }
    let shown = try runner.run("allan", "moves.csv", "-o", "curves.csv")
    #expect(shown.status == 0 && shown.errors.contains("figures describe motion, not noise"), "\(shown.errors)")
  }

  @Test("an outlier is reported and excluded")
  func outlying() throws {
    try writeRest(to: "spike.csv", rotation: { $0 == 12_345 ? 0.2 : 0 })
    let document = try json("allan", "spike.csv")
    let warnings = try #require(document["warnings"] as? [String])
    #expect(
      warnings.contains { $0.hasPrefix("gyroscope: 1 sample far beyond its noise excluded, the first at 123.45 s") })
    let sensors = try #require(document["sensors"] as? [[String: Any]])
    #expect(sensors[0]["outlyingSamples"] as? Int == 1 && sensors[0]["missingSamples"] as? Int == 1)
    #expect(sensors[1]["outlyingSamples"] as? Int == 0)
    let terms = try #require((sensors[0]["axes"] as? [[String: Any]])?[0]["terms"] as? [[String: Any]])
    #expect(abs(try #require(terms[1]["value"] as? Double) - 1e-4) < 5e-6)
  }

  @Test("results are plotted, and a figure name without a known format is rejected")
  func plots() throws {
    try simulate("rest", "rest", "--duration", "60", "--sensors", "research-imu")
    try simulate("poses", "poses", "--seed", "4")
    for (arguments, words) in [
      (["allan", "rest/log.csv", "--plot", "allan.svg"], ["Averaging time (s)", "Gyroscope (rad/s)"]),
      (["calibrate", "poses/log.csv", "--plot", "poses.svg", "--width", "120"], ["Still pose", "Gravity (g)"]),
    ] {
      let result = try runner.run(arguments)
      #expect(result.status == 0 && result.output.contains("\(arguments[3]) is written"), "\(result.errors)")
      let drawing = try runner.read(arguments[3])
      for word in words { #expect(drawing.contains(word)) }
      // Existing files are kept, unless --force is given.
      #expect(try runner.run(arguments).status == 2)
      #expect(try runner.run(arguments + ["--force"]).status == 0)
    }
    let wrong = try runner.run(["allan", "rest/log.csv", "--plot", "allan.gif"])
    #expect(wrong.status == 2 && wrong.errors.contains("--plot takes a name that ends in"))
  }

  @Test("a simulated device is calibrated, and its calibration corrects its logs")
  func calibrate() throws {
    try simulate("poses", "poses", "--duration", "118", "--sensors", "mpu-9250", "--seed", "4")
    let document = try json(
      "calibrate", "poses/log.csv", "-o", "calibration.json", "-o", "imu.yaml", "--device", "left")
    let poses = try #require(document["poses"] as? Int)
    #expect(poses >= 20)
    let quality = try #require(document["quality"] as? [String: Double])
    let (residual, raw) = (try #require(quality["residual"]), try #require(quality["rawResidual"]))
    #expect(residual < 0.001)
    #expect(raw > 0.02)
    #expect(try runner.read("imu.yaml").contains("model: scale-misalignment"))
    let table = try runner.run("calibrate", "poses/log.csv", "--compare", "calibration.json")
    #expect(table.status == 0, "\(table.errors)")
    #expect(table.output.contains("The calibrations agree"))

    // Another log of the same device, with and without the calibration.
    try simulate("tumbling", "tumble", "--duration", "40", "--sensors", "mpu-9250", "--seed", "5")
    func tilt(_ more: String...) throws -> Double {
      let arguments = [
        "evaluate", "tumble/log.csv", "--reference", "tumble/truth.csv", "--reference-frame", "nwu", "--filters", "vqf",
        "--frame", "xArbitraryZVertical", "--no-cost", "--json",
      ]
      let result = try runner.run(arguments + more)
      #expect(result.status == 0, "\(result.errors)")
      let evaluation = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      let rows = try #require(evaluation["rows"] as? [[String: Any]])
      return try #require(rows.first?["inclination"] as? Double)
    }
    let (before, after) = (try tilt(), try tilt("--calibration", "calibration.json"))
    #expect(after < 0.5 * before, "\(before) \(after)")
    let fused = try runner.run(
      "fuse", "tumble/log.csv", "-o", "out.csv", "--metadata", "--calibration", "calibration.json", "--frame",
      "xArbitraryZVertical")
    #expect(fused.status == 0, "\(fused.errors)")
    #expect(!fused.errors.contains("another device"))

    // The calibration file of a script is accepted.
    let written = Data(try runner.read("calibration.json").utf8)
    var options = LogOptions()
    options.calibrate(by: try JSONDecoder().decode(DeviceCalibration.self, from: written))
    var fusion = FusionOptions()
    (fusion.log, fusion.motion.frame) = (options, .xArbitraryZVertical)
    let log = runner.folder.appendingPathComponent("tumble/log.csv").path
    let own = runner.folder.appendingPathComponent("own.csv").path
    _ = try FusionJob(input: log, output: own, options: fusion).run()
    #expect(try runner.read("own.csv") == runner.read("out.csv"))
  }

  @Test("a log without rest has no bias estimate, and a log in another unit is rejected")
  func unfitLogs() throws {
    for scenario in ["circle", "walk", "car"] {
      try simulate(scenario, scenario, "--duration", "60", "--sensors", "phone", "--seed", "3")
      let result = try runner.run("calibrate", "\(scenario)/log.csv")
      #expect((result.output + result.errors).contains("the device was never at rest"), "\(scenario): \(result.output)")
    }
    // g read as m/s², and m/s² read as g.
    try simulate("poses", "poses", "--duration", "38", "--seed", "4", "--set", "count=8")
    let small = try runner.run("calibrate", "poses/log.csv", "--acceleration-unit", "m/s2")
    #expect(small.status == 1 && small.errors.contains("add --acceleration-unit g"), "\(small.errors)")
    let rows = try runner.read("poses/log.csv").split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let columns = rows[0].indices.filter { rows[0][$0].hasPrefix("acceleration") }
    #expect(columns.count == 3)
    let metric = rows.enumerated().map { index, row in
      row.enumerated().map { column, cell in
        index > 0 && columns.contains(column) ? Double(cell).map { "\(9.80665 * $0)" } ?? "" : String(cell)
      }.joined(separator: ",")
    }
    try runner.write(metric.joined(separator: "\n") + "\n", to: "metric.csv")
    let refused = try runner.run("calibrate", "metric.csv")
    #expect(refused.status == 1 && refused.errors.contains("add --acceleration-unit m/s2"), "\(refused.errors)")
  }

  @Test("a constant rotation without a magnetic field is reported as similar to a bias")
  func steadyTurn() throws {
    let rows = (0..<1500).map { index -> String in
      let jitter = Double((index * 7919) % 101 - 50) * 2e-5
      return "\(0.01 * Double(index)),\(jitter),\(-jitter),\(-1 + jitter),\(jitter),\(0.3 + jitter),\(-jitter)"
    }
    let header = "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"
    try runner.write(header + rows.joined(separator: "\n") + "\n", to: "turning.csv")
    let result = try runner.run("calibrate", "turning.csv")
    #expect(result.output.contains("a constant rotation looks the same"), "\(result.output) \(result.errors)")
    let still = rows.map { $0.replacing(",0.3", with: ",0.0") }
    try runner.write(header + still.joined(separator: "\n") + "\n", to: "still.csv")
    #expect(!(try runner.run("calibrate", "still.csv").output.contains("a constant rotation")))
  }

  @Test("two sessions of one device agree, and a changed bias is reported as a bias")
  func compareSessions() throws {
    for (name, seed, count) in [("a", "1", "24"), ("b", "501", "24"), ("few", "502", "2")] {
      let duration = "\(5 * Int(count)! - 2)"
      try simulate(
        "poses", name, "--duration", duration, "--sensors", "phone", "--seed", seed, "--set", "count=\(count)")
      #expect(try runner.run("calibrate", "\(name)/log.csv", "-o", "\(name).json").status == 0)
    }
    for name in ["b", "few"] {
      let result = try runner.run("calibrate", "\(name)/log.csv", "--compare", "a.json")
      #expect(result.output.contains("The calibrations agree"), "\(result.output)")
    }
    let text = try runner.read("a.json")
    let bias = try #require(try JSONDecoder().decode(DeviceCalibration.self, from: Data(text.utf8))[.gyroscope]).bias.x
    try runner.write(text.replacing("\(bias)", with: "\(bias + 0.01)"), to: "moved.json")
    let result = try runner.run("calibrate", "a/log.csv", "--compare", "moved.json")
    #expect(
      result.output.contains("The calibrations agree") && result.output.contains("changed, as is normal"),
      "\(result.output)")
    // Another device.
    try simulate("poses", "c", "--duration", "118", "--sensors", "mpu-9250", "--seed", "4")
    #expect(try runner.run("calibrate", "c/log.csv", "--compare", "a.json").output.contains("another device"))
  }

  @Test("a calibration of another device is reported")
  func otherDevice() throws {
    try simulate("poses", "poses", "--duration", "118", "--sensors", "mpu-9250", "--seed", "4")
    #expect(try runner.run("calibrate", "poses/log.csv", "-o", "left.json", "--device", "left").status == 0)
    try simulate("rest", "rest", "--duration", "10", "--sensors", "research-imu")
    let result = try runner.run("fuse", "rest/log.csv", "--calibration", "left.json")
    #expect(result.errors.contains("the calibration of 'left' seems to belong to another device"))
  }

  @Test("an unusable settings file is reported in one line, with the command that creates it")
  func badInput() throws {
    try simulate("rest", "rest", "--duration", "2")
    try runner.write("{}", to: "empty.json")
    try runner.write("time,", to: "text.json")
    try runner.write("[1]", to: "list.json")
    for (option, file, command, problem) in [
      ("--calibration", "empty.json", "inertial calibrate", "is not in the format inertial-calibration"),
      ("--noise", "text.json", "inertial allan", "is not JSON"),
      ("--calibration", "list.json", "inertial calibrate", "has an invalid value"),
      ("--calibration", "nowhere.json", "inertial calibrate", "cannot be read"),
    ] {
      let result = try runner.run("fuse", "rest/log.csv", option, file)
      #expect(result.status == 1 && result.errorLines.count == 1, "\(result.errors)")
      #expect(result.errors.contains(file) && result.errors.contains(command), "\(result.errors)")
      #expect(result.errors.contains(problem), "\(result.errors)")
    }
    for arguments in [
      ["allan", "rest/log.csv", "-o", "noise.txt"], ["allan", "rest/log.csv", "--times", "0"],
      ["allan", "rest/log.csv", "--deviations", "none"], ["calibrate", "rest/log.csv", "--gravity", "1"],
      ["allan", "rest/log.csv", "--json", "--csv"],
    ] { #expect(try runner.run(arguments).status == 2, "\(arguments)") }
    // An output never replaces an input.
    let over = try runner.run("allan", "rest/log.csv", "-o", "rest/log.csv", "--force")
    #expect(over.status == 2 && over.errors.contains("rest/log.csv"), "\(over.errors)")
    #expect(try runner.read("rest/log.csv").hasPrefix("time"))
    let short = try runner.run("allan", "rest/log.csv", "--end", "0.2")
    #expect(short.status == 1 && short.errors.contains("64 samples"))
    // A log of a device at rest gives the gyroscope bias, and the missing parameters are listed.
    let rest = try runner.run("calibrate", "rest/log.csv")
    #expect(rest.status == 0, "\(rest.errors)")
    #expect(rest.output.contains("accelerometer not calibrated: 1 still poses found, at least 3 needed"))
  }

  @Test("a log with a gap of years is calibrated as one with a gap of minutes", arguments: [3.2e8, 1e9, 1e12])
  func years(_ gap: Double) throws {
    let runner = try CommandRunner()
    func log(_ gap: Double) -> String { CanonicalLog.text(3000) { $1[0] += $0 < 1500 ? 0 : gap } }
    try runner.write(log(gap), to: "years.csv")
    try runner.write(log(300), to: "minutes.csv")
    let end = try runner.shell("exec timeout 60 \"$@\"", ["calibrate", "years.csv", "-o", "years.json"])
    #expect(end.status == 0, "\(end.errors)")
    #expect(try runner.run("calibrate", "minutes.csv", "-o", "minutes.json").status == 0)
    #expect(
      try runner.read("years.json").replacing("years", with: "minutes") == runner.read("minutes.json"))
  }
}
