import Testing

@testable import InertialJobs

/// Tests altimeter, vertical filter and floor detection on real recordings, with the default parameters.
@Suite(.needs(.data)) struct AltitudeRecordingsTests {
  /// Returns the recordings of a phone on one floor.
  private func flatLogs() throws -> [String] {
    try TestData.paths(in: "activity/phyphox") { !$0.hasSuffix(".csv") }
  }

  private func report(_ log: String) throws -> AltitudeJob.Report {
    try AltitudeJob(input: TestData.url(log).path).run()
  }

  @Test("clips of stairs and lifts have the right direction and kind, and clips on one floor have no floor change")
  func floors() throws {
    let kinds: [(folder: String, direction: FloorEvent.Direction?, kind: FloorEvent.Kind?)] = [
      ("climb", .up, .stairs), ("descend", .down, .stairs), ("elevator_up", .up, .lift),
      ("elevator_down", .down, .lift), ("stay", nil, nil),
    ]
    var (directions, moving, kindsRight, clips) = (0, 0, 0, 0)
    for (folder, direction, kind) in kinds {
      var heights: [String] = []
      for log in try TestData.paths(in: "evaluation-only/floors/" + folder) {
        let report = try report(log)
        clips += 1
        moving += direction == nil ? 0 : 1
        heights.append(report.floors.map { "\($0.kind) \(($0.height * 10).rounded() / 10)" }.joined(separator: "+"))
        let isRight = direction == nil ? report.floors.isEmpty : report.floors.map(\.direction) == [direction!]
        let isRightKind = kind.map { report.floors.map(\.kind) == [$0] }
        directions += isRight ? 1 : 0
        kindsRight += isRightKind == true ? 1 : 0
        if !isRight || isRightKind == false { print("not right: \(log): \(report.floors)") }
      }
      print("\(folder): \(heights.joined(separator: ", "))")
    }
    print("floors: direction right \(directions) of \(clips), lift against stairs \(kindsRight) of \(moving)")
    #expect(clips == 61 && moving == 45)
    #expect(Double(directions) >= 0.97 * Double(clips) && Double(kindsRight) >= 0.95 * Double(moving))
  }

  @Test(
    "the relative altitude agrees with the device's own to a centimetre",
    arguments: ["sensor-logger/iphone12promax-ski", "sensor-logger/galaxys25-ski"])
  func relativeAltitude(log: String) throws {
    let feed = with(LogFeed(path: TestData.url(log).path)) {
      ($0.options.auxiliary, $0.neededChannels) = ([.barometer], [])
    }
    let (device, report) = (try feed.load()[.barometer], try report(log))
    #expect(report.rows.map(\.data.time) == device.map(\.time))
    let differences = zip(report.rows, device).map { row, sample in
      row.data.relativeAltitude - (sample["relativeAltitude"] - device[0]["relativeAltitude"])
    }
    let largest = differences.map { abs($0) }.max() ?? .infinity
    print("\(log): \(device.count) altitudes, at most \(largest) m from the device's, floors \(report.floors)")
    #expect(largest < 0.01)
    // A descent of a slope is not a lift ride. A gust at the end of a log may be detected as one.
    #expect(report.floors.dropLast().allSatisfy { $0.kind != .lift })
  }

  @Test("the barometer's next altitude is within the filter's uncertainty, and motion does not worsen the prediction")
  func foresight() throws {
    for log in try ["sensor-logger/iphone12promax-ski", "sensor-logger/galaxys25-ski"] + flatLogs() {
      let feed = LogFeed(motionOf: TestData.url(log).path, auxiliary: [.barometer])
      var (fused, alone, altimeter) = (VerticalFilter(), VerticalFilter(), Altimeter())
      var (squares, count, inside) = ((fused: 0.0, alone: 0.0), 0, 0)
      _ = try feed.runMotion(
        restart: {},
        auxiliary: { sample in
          guard let sample = BarometerSample(sample) else { return }
          for data in altimeter.update(sample) {
            let with = fused.update(barometricAltitude: data.relativeAltitude, at: data.time)
            let without = alone.update(barometricAltitude: data.relativeAltitude, at: data.time)
            guard let with, let without else { continue }
            squares.fused += with.value * with.value
            squares.alone += without.value * without.value
            count += 1
            inside += abs(with.value) <= 1.96 * with.sigma ? 1 : 0
          }
        },
        consume: { motion in
          guard let value = AltitudeTracker.verticalAcceleration(motion) else { return }
          fused.update(verticalAcceleration: value, at: motion.time)
        })
      let (a, b) = ((squares.fused / Double(count)).squareRoot(), (squares.alone / Double(count)).squareRoot())
      let fraction = Double(inside) / Double(count)
      print("\(log): innovations \(a) m with motion, \(b) m without; \(fraction) within 1.96 sigma")
      #expect(fraction > 0.88)
      // The motion in phyphox's pauses is missing, so the motions before and after a pause are unrelated.
      if !log.contains("phyphox") { #expect(a < 1.1 * b) }
    }
  }

  // The recordings have sitting down, kneeling, lying, falling, walking and running.
  @Test("the altitude on one floor follows the barometer, no speed persists across a pause, and there is no lift ride")
  func oneFloor() throws {
    var (worst, fastest, squares, count) = (0.0, 0.0, 0.0, 0)
    var (rides, seconds) = (0, 0.0)
    for log in try flatLogs() {
      let report = try report(log)
      seconds += (report.rows.last?.data.time ?? 0) - (report.rows.first?.data.time ?? 0)
      rides += report.floors.count { $0.kind == .lift }
      for floor in report.floors { print("\(log): \(floor)") }
      for row in report.rows {
        let error = row.estimate.altitude - row.data.relativeAltitude
        worst = max(worst, abs(error))
        fastest = max(fastest, abs(row.estimate.verticalSpeed))
        squares += error * error
        count += 1
      }
    }
    let rms = (squares / Double(count)).squareRoot()
    print(
      "flat ground with pauses and falls: \(worst) m from the barometer at most, rms \(rms) m, up to \(fastest) m/s")
    // Before 0.8.0: 19.8 m, and 1.7 m root mean square. A fall by a metre ends with 4.4 m/s.
    #expect(count > 2000 && worst < 4 && rms < 0.4 && fastest < 4.5)
    print("\(rides) rides by lift in \(seconds) s without any")
    #expect(seconds > 2000 && rides == 0)
  }
}
