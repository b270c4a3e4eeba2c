import Testing

/// Apple's attitude of an iPhone 5 evaluated against optical tracking: the known properties of these recordings have to
/// result from the evaluation.
@Suite(.needs(.data)) struct PhoneEvaluationTests {
  /// Rows of numbers, separated by spaces or commas, without the header and rows with less than `count` numbers.
  static func rows(_ url: URL, count: Int) throws -> [[Double]] {
    try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).compactMap { line in
      let fields = line.split { $0 == " " || $0 == "," }
      let numbers = fields.compactMap { Double($0) }
      return numbers.count == fields.count && numbers.count >= count ? numbers : nil
    }
  }

  static func tracks(_ trial: String) throws -> (apple: OrientationTrack, optical: OrientationTrack) {
    let folder = TestData.url("tyrex").appendingPathComponent(trial)
    let description = try String(contentsOf: folder.appendingPathComponent("description.txt"), encoding: .utf8)
    let bootLine = try #require(description.split(whereSeparator: \.isNewline).first { $0.contains("BootTime") })
    let boot = try #require(Double(bootLine.split(separator: "=")[1].trimmingCharacters(in: .whitespaces)))
    let toOptical = try #require(try rows(folder.appendingPathComponent("timeAlignment.txt"), count: 1).first?.first)
    let attitude = try rows(folder.appendingPathComponent("attitude.txt"), count: 5).sorted { $0[0] < $1[0] }
    let truth = try rows(folder.appendingPathComponent("ground-truth.csv"), count: 5)
    let quaternion = { (row: [Double]) in Quaternion(x: row[2], y: row[3], z: row[4], w: row[1]) }
    return (
      try OrientationTrack(
        times: attitude.map { $0[0] - boot + toOptical }, quaternions: attitude.map(quaternion), frame: .nwu),
      // X of the laboratory points approximately east.
      try OrientationTrack(times: truth.map { $0[0] }, quaternions: truth.map(quaternion), frame: .enu)
    )
  }

  @Test(
    "Apple's tilt error has its known size, and the clock offset is within the authors' alignment error",
    arguments: [
      "personA_iPhone5_NoDist_Texting", "personA_iPhone5_NoDist_AR", "personB_iPhone5_NoDist_Phoning",
    ])
  func apple(trial: String) throws {
    let (apple, optical) = try Self.tracks(trial)
    var options = OrientationComparison.Options()
    options.skip = 5
    let raw = try OrientationComparison(estimate: apple, reference: optical, options: options)
    options.alignment = .yaw
    let yaw = try OrientationComparison(estimate: apple, reference: optical, options: options)
    (options.alignment, options.clockAlignment) = (.frame, ClockAlignment())
    let frame = try OrientationComparison(estimate: apple, reference: optical, options: options)
    for (name, result) in [("none", raw), ("yaw", yaw), ("frame and clock", frame)] {
      let summary = result.summary
      let shift = result.clockShift.map { "\(($0 * 1e3).rounded()) ms" } ?? "none"
      print(
        "\(trial), \(name): total \(summary.total.rmse)°, heading \(summary.heading.rmse)°, inclination "
          + "\(summary.inclination.rmse)°; \(summary.total.count) samples, yaw \(result.alignment.yaw * 180 / .pi)°, "
          + "mount \(result.alignment.sensorRotation.angle * 180 / .pi)°, shift \(shift)")
    }
    #expect(raw.summary.inclination.rmse > 1 && raw.summary.inclination.rmse < 5)
    #expect(isNear(yaw.summary.inclination.rmse, raw.summary.inclination.rmse, within: 1e-9))
    #expect(yaw.summary.heading.rmse < raw.summary.heading.rmse && frame.summary.total.rmse < yaw.summary.total.rmse)
    #expect(abs(try #require(frame.clockShift)) < 0.1)
  }
}
