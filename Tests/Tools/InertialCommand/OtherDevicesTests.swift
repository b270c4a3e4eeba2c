import Testing

/// Logs with incomplete information: suggested options, warnings and errors.
@Suite struct OtherDevicesTests {
  private let runner = try! CommandRunner()

  @Test("all units missing in a header are requested in one message, with the command that specifies them")
  func units() throws {
    let rows = (0..<200).map { "\($0 * 10),0,0,9.81,0.01,0,0,20,5,-40\n" }.joined()
    try runner.write("t,ax,ay,az,gx,gy,gz,mx,my,mz\n" + rows, to: "log.csv")
    let asked = try runner.check("fuse", "log.csv", status: 1, lines: 1)
    let command = "inertial fuse log.csv --acceleration-unit m/s2 --rotation-unit rad/s --field-unit uT"
    // The unit of the time is detected: no other unit gives a plausible sample rate.
    #expect(asked.errors.contains("\"ax\", \"gx\" and \"mx\" do not specify their units"), "\(asked.errors)")
    #expect(asked.errors.contains(command), "\(asked.errors)")
    try runner.check(command.split(separator: " ").dropFirst().map(String.init))
  }

  @Test("only the default frame has a one-line note on the use of the magnetometer")
  func frame() throws {
    try runner.write(CanonicalLog.text(), to: "log.csv")
    try runner.write(CanonicalLog.text(), to: "two.csv")
    let reported = try runner.run("fuse", "log.csv", "-o", "a.csv")
    #expect(reported.notes.count == 1 && reported.notes[0].contains("--frame xArbitraryZVertical"), "\(reported.notes)")
    #expect(reported.errors.isEmpty)
    let asked = try runner.run("fuse", "log.csv", "-o", "b.csv", "--frame", "xArbitraryCorrectedZVertical")
    #expect(try asked.notes.isEmpty && runner.read("a.csv") == runner.read("b.csv"))
    let batch = try runner.run("fuse", "log.csv", "two.csv", "-o", "sets")
    #expect(batch.notes.count == 1 && batch.notes[0].hasPrefix("note: 2 logs: "), "\(batch.notes)")
    let fieldless = CanonicalLog.text { _, row in for axis in 7...9 { row[axis] = .nan } }
    try runner.write(fieldless.replacing("nan", with: ""), to: "six.csv")
    let sixAxes = try runner.run("fuse", "six.csv", "-o", "c.csv")
    #expect(sixAxes.notes.count == 1 && sixAxes.notes[0].contains("no magnetic field"), "\(sixAxes.notes)")
    #expect(try runner.run("fuse", "six.csv", "-o", "d.csv", "--frame", "xArbitraryZVertical").notes.isEmpty)
    #expect(try runner.read("c.csv") == runner.read("d.csv"))
    for frame in ["xArbitraryCorrectedZVertical", "xMagneticNorthZVertical"] {
      try runner.check("fuse", "six.csv", "-o", "e.csv", "--frame", frame, status: 1, errors: "no magnetic field")
    }
    #expect(try !runner.files().contains("e.csv"))
    let gyroscopeAlone = try runner.run("fuse", "log.csv", "-o", "f.csv", "--filter", "angular-rate")
    #expect(gyroscopeAlone.notes.isEmpty && gyroscopeAlone.status == 0, "\(gyroscopeAlone.errors)")
  }

  @Test(
    "milliseconds read as seconds are rejected by every recogniser, as by fuse",
    arguments: ["steps", "activity", "shake"])
  func milliseconds(command: String) throws {
    try runner.write(CanonicalLog.text { index, row in row[0] = Double(10 * index) }, to: "log.csv")
    try runner.check(command, "log.csv", status: 1, errors: "--time-unit")
  }

  @Test("air pressure in a unit other than the header's is rejected", arguments: [("hPa", "101.3"), ("kPa", "1013")])
  func pressure(unit: String, value: String) throws {
    let rows = (0..<100).map { "\($0),\(value)\($0 % 10)\n" }.joined()
    try runner.write("time (s),pressure (\(unit))\n" + rows, to: "log.csv")
    try runner.check("altitude", "log.csv", status: 1, errors: "pressure", "unit")
    try runner.write("time (s),pressure (hPa)\n" + (0..<100).map { "\($0),1013.\($0 % 10)\n" }.joined(), to: "good.csv")
    try runner.check("altitude", "good.csv")
  }

  @Test(
    "a reference is found under its common names",
    arguments: ["ref_q", "gt_q", "opt_quat_", "mocap_q", "ground_truth_quat_", "q:_ref", "orientation_:_gt"])
  func references(name: String) throws {
    let names = ["w", "x", "y", "z"].map { name.contains(":") ? name.replacing(":", with: $0) : name + $0 }
    let header = String(CanonicalLog.header.dropLast()) + "," + names.joined(separator: ",") + "\n"
    let rows = CanonicalLog.text().split(separator: "\n").dropFirst().map { $0 + ",1,0,0,0\n" }.joined()
    try runner.write(header + rows, to: "log.csv")
    try runner.check("evaluate", "log.csv", "--filters", "mahony", "--reference-frame", "enu", "--json")
  }

  @Test("--columns names the columns of the log, not of the reference")
  func referenceColumns() throws {
    let rows = CanonicalLog.text().split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
    try runner.write(rows, to: "log.csv")
    let reference = (0..<500).map { "\(Double($0) / 100),0,0,0,1\n" }.joined()
    try runner.write("time,quaternionX,quaternionY,quaternionZ,quaternionW\n" + reference, to: "truth.csv")
    let columns = String(CanonicalLog.header.dropLast())
    try runner.check(
      "evaluate", "log.csv", "--columns", columns, "--reference", "truth.csv", "--reference-frame", "nwu", "--filters",
      "mahony")
  }

  @Test("a Sensor Logger folder from an Apple Watch is read with its field and barometer")
  func watch() throws {
    func stamp(_ row: Int) -> String { "\(1_700_000_000_000_000_000 + row * 10_000_000),\(Double(row) / 100)" }
    let motion = (0..<300).map { "\(stamp($0)),0.01,0,0,0,0,-1,0,0.001,0,1,0,0,0,0,0,0\n" }.joined()
    try runner.write(
      "time,seconds_elapsed,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,accelerationX,"
        + "accelerationY,accelerationZ,quaternionW,quaternionX,quaternionY,quaternionZ,pitch,roll,yaw\n"
        + motion, to: "watch/WristMotion.csv")
    let field = (0..<300).map { "\(stamp($0)),-40,5,20\n" }.joined()
    try runner.write("time,seconds_elapsed,z,y,x\n" + field, to: "watch/WatchMagnetometer.csv")
    let barometer = (0..<3).map { "\(stamp($0 * 100)),101.3,0\n" }.joined()
    try runner.write("time,seconds_elapsed,pressure,relativeAltitude\n" + barometer, to: "watch/WatchBarometer.csv")
    try runner.write("version,platform,standardisation\n3,watchos,false\n", to: "watch/Metadata.csv")
    for hasMetadata in [true, false] {
      if !hasMetadata { try runner.remove("watch/Metadata.csv") }
      try runner.check(
        "fuse", "watch", "-o", "w.csv", "--with-channels", "barometer", "--force", "--json",
        output: "\"calibrated magnetic field\"", "\"barometer\"")
    }
  }
}
