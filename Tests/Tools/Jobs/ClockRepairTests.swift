import Testing

@testable import InertialJobs

/// Tests logs whose clock wraps around or is set back during the recording.
@Suite struct ClockRepairTests {
  private static let header =
    "time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ\n"

  /// Returns a log of 40 s at 100 Hz whose rotation rate counts its rows. All axes vary, unlike those of a broken
  /// sensor.
  private func log(_ stamp: (Int) -> Double, order: [Int] = Array(0..<4000)) -> String {
    Self.header
      + order.map { row in
        let (a, b) = (row % 3, row % 5)
        return "\(stamp(row)),0.000\(a),0.000\(b),-1.000\(a),\(Double(row) * 1e-5),0.0000\(a),0.0000\(b)\n"
      }.joined()
  }

  private func read(_ text: String) throws -> (rates: [SensorSample], summary: LogSummary) {
    let folder = TemporaryFolder()
    let path = folder.write(text, to: "log.csv")
    let log = try LogFeed(path: path).load()
    // A recording source has the same samples.
    #expect(try RecordingSource(path: path).recordedSamples == log.samples)
    return (log.samples.filter { $0.channel == .gyroscope }, log.summary)
  }

  private func isInOrder(_ rates: [SensorSample]) -> Bool {
    zip(rates, rates.dropFirst()).allSatisfy { $0.x < $1.x && abs($1.time - $0.time - 0.01) < 1e-5 }
  }

  @Test("a clock that wraps after 2^32 µs, 2^16 ms or at midnight continues", arguments: [4294.967296, 65.536, 86_400])
  func wraps(modulus: Double) throws {
    let (rates, summary) = try read(log { (modulus - 20 + Double($0) / 100).truncatingRemainder(dividingBy: modulus) })
    #expect(rates.count == 4000 && isInOrder(rates))
    #expect(
      summary.warnings == ["the clock wraps after \(modulus) s in line 2002: the following times are shifted by that"])
  }

  @Test(
    "rows stay in order if the clock is set back by less than a second, by a second or by an hour",
    arguments: [0.4, 1, 5, 3700])
  func setBack(step: Double) throws {
    let (rates, summary) = try read(log { 5000 + Double($0) / 100 - ($0 < 2000 ? 0 : step) })
    #expect(rates.count == 4000 && isInOrder(rates))
    let warning = summary.warnings.joined(separator: "; ")
    #expect(summary.warnings.count == 1 && warning.hasPrefix("the clock is set back by "), "\(warning)")
    #expect(warning.contains("in line 2002"))
  }

  @Test("single late rows, a misplaced block and exchanged halves are sorted")
  func disorder() throws {
    var late = Array(0..<4000)
    late.append(late.remove(at: 300))
    let block = Array(0..<1000) + Array(1500..<2500) + Array(1000..<1500) + Array(2500..<4000)
    let halves = Array(2000..<4000) + Array(0..<2000)
    for order in [late, block, halves] {
      let (rates, summary) = try read(log({ 100 + Double($0) / 100 }, order: order))
      #expect(rates.count == 4000 && isInOrder(rates))
      #expect(!summary.warnings.contains { $0.contains("the clock") }, "\(summary.warnings)")
    }
  }

  @Test("an accelerometer that contradicts the log's own gravity is rejected, as with exchanged files")
  func exchanged() throws {
    let header = String(Self.header.dropLast()) + ",gravityX,gravityY,gravityZ\n"
    func text(_ gravity: String) -> String {
      header + (0..<1000).map { "\(Double($0) / 100),0,0,-1,0.01,0,0,\(gravity)\n" }.joined()
    }
    #expect(try read(text("0,0,-1")).rates.count == 1000)
    let error = #expect(throws: LogError.self) { try read(text("0.999,0,-0.04")) }
    #expect(
      error?.description.contains("contradicts the log's own gravity, by 88°") == true, "\(String(describing: error))")
  }

  @Test("a device's own motion does not contradict itself during long accelerations of the arm")
  func chopping() throws {
    // Half a minute with 2 g towards the elbow, on and off twice a second: at least 50° from gravity on average.
    let header = "time,rotationRateX,rotationRateY,rotationRateZ,gravityX,gravityY,gravityZ,"
    let rows = (0..<3000).map { "\(Double($0) / 100),0.01,0,0,0,0,-1,\($0 % 50 < 40 ? 2.5 : 0.5),0,0\n" }
    let text = header + "userAccelerationX,userAccelerationY,userAccelerationZ\n" + rows.joined()
    #expect(try read(text).rates.count == 3000)
    // Without the device's own acceleration, the same raw acceleration is rejected.
    let raw = rows.map { row -> String in
      let fields = row.split(separator: ",")
      return fields[..<7].joined(separator: ",") + ",\(fields[7]),0,-1\n"
    }
    #expect(throws: LogError.self) { try read(header + "accelerationX,accelerationY,accelerationZ\n" + raw.joined()) }
  }
}
