import InertialRecognition
import InertialSensors
import Testing

/// Tests the pedometer on real recordings: foot switches, counted steps, and motion other than walking.
@Suite("Steps in real recordings", .serialized, .needs(.data)) struct StepsRecordingsTests {
  /// The acceleration of 1 g, in m/s².
  private static let gravity = 9.80665

  private struct Walk {
    var name: String
    var person: String
    var position: String
    var samples: [MotionSample]
    var steps: Int
  }

  /// Returns the rows of a CSV file without a header.
  private func rows(_ path: String) throws -> [[Double]] {
    try TestData.fields(path).map { $0.map { Double($0) ?? .nan } }
  }

  /// Returns samples from rows with timestamps in nanoseconds and specific forces in m/s².
  private func samples(_ rows: [[Double]], first: Int) -> [MotionSample] {
    rows.map { row in
      MotionSample(
        time: row[0] / 1e9, acceleration: Vector3(row[first], row[first + 1], row[first + 2]) * (-1 / Self.gravity))
    }
  }

  /// Returns the walks with foot switches. A step is a rising edge of either foot.
  private func footSwitches() throws -> [Walk] {
    try TestData.names(in: "steps/footswitch").map { folder in
      let (parts, feet) = (folder.split(separator: "_"), try rows("steps/footswitch/\(folder)/stepcounter.csv"))
      let edges = [1, 2].map { foot in zip(feet, feet.dropFirst()).count { $0[foot] <= 0 && $1[foot] > 0 } }
      return Walk(
        name: folder, person: String(parts[1]), position: parts[3].lowercased(),
        samples: samples(try rows("steps/footswitch/\(folder)/accelerometer.csv"), first: 2),
        steps: edges[0] + edges[1])
    }
  }

  private func manualCounts() throws -> [Walk] {
    try TestData.names(in: "steps/counted").map { file in
      let (rows, parts) = (try rows("steps/counted/\(file)"), file.split(separator: "_"))
      return Walk(
        name: file, person: String(parts[0]), position: String(parts[1]), samples: samples(rows, first: 1),
        steps: Int(rows.last![5] - rows[0][5]))
    }
  }

  /// Returns the command's offline step count, without the steps in rides.
  private func count(_ samples: [MotionSample]) -> Int {
    var (pass, history) = (StepsPass(isLive: false), PedometerHistory())
    for sample in samples { for output in pass.update(sample) { history.append(output) } }
    for output in pass.finish().0 { history.append(output) }
    return history.leavingOut(pass.rides).steps.count
  }

  /// Returns the real-time step count.
  private func countLive(_ samples: [MotionSample]) -> Int {
    var pedometer = RideAwarePedometer()
    for sample in samples { _ = pedometer.update(sample) }
    _ = pedometer.finish()
    return pedometer.pedometer.data.numberOfSteps
  }

  /// Returns the step count of the pedometer alone.
  private func countAlone(_ samples: [MotionSample]) -> Int {
    var pedometer = Pedometer()
    for sample in samples { _ = pedometer.update(sample) }
    _ = pedometer.finish()
    return pedometer.data.numberOfSteps
  }

  /// Returns the error in percent, and prints a table by participant and position.
  private func meanAbsoluteError(_ walks: [Walk]) -> Double {
    var groups: [String: [Double]] = [:]
    var errors: [Double] = []
    for walk in walks {
      let counted = count(walk.samples)
      let error = 100 * Double(counted - walk.steps) / Double(walk.steps)
      errors.append(abs(error))
      groups[walk.person, default: []].append(abs(error))
      groups[walk.position, default: []].append(abs(error))
      print("\(walk.name): \(counted) of \(walk.steps), \((error * 100).rounded() / 100) %")
    }
    for (name, errors) in groups.sorted(by: { $0.key < $1.key }) {
      print("  \(name): \((Statistics.mean(errors)! * 100).rounded() / 100) % of \(errors.count)")
    }
    return Statistics.mean(errors)!
  }

  @Test("the step count agrees with foot switches for all participants and positions, and with manual counts")
  func countedWalks() throws {
    for (name, walks, count, limit) in [
      ("foot switches", try footSwitches(), 16, 1), ("counted steps", try manualCounts(), 6, 0.8),
    ] {
      let error = meanAbsoluteError(walks)
      print("\(name): mean absolute error \(error) % over \(walks.count) walks")
      #expect(walks.count >= count && error < limit, "\(name)")
    }
  }

  @Test("a falsely detected ride removes no step of a walk or a run")
  func ridesInWalks() throws {
    // The classifier adds steps while it detects walking.
    func judge(_ samples: [MotionSample], _ name: String) {
      let alone = countAlone(samples)
      #expect(count(samples) >= alone && countLive(samples) >= alone, "\(name)")
    }
    for walk in try footSwitches() + manualCounts() { judge(walk.samples, walk.name) }
    for folder in try TestData.names(in: "activity/phyphox") where !folder.hasSuffix(".csv") {
      judge(try samples("activity/phyphox/\(folder)"), folder)
    }
  }

  /// Returns a walk as a slower sensor would have recorded it.
  ///
  /// - Parameter averages: Whether the sensor averages between two samples, as with a low-pass filter. Otherwise it
  ///   returns the nearest sample at each tick, in which jolts are aliased to slower motion.
  private func thinned(_ samples: [MotionSample], to rate: Double, averages: Bool) -> [MotionSample] {
    var (kept, next) = ([MotionSample](), -Double.infinity)
    var (sum, count) = (Vector3.zero, 0.0)
    for sample in samples {
      sum += sample.acceleration!
      count += 1
      guard sample.time >= next else { continue }
      kept.append(MotionSample(time: sample.time, acceleration: averages ? sum / count : sample.acceleration))
      (sum, count) = (.zero, 0)
      next = max(next + 1 / rate, sample.time + 0.5 / rate)
    }
    return kept
  }

  @Test("a walk recorded at 200 to 400 Hz has the same steps at 100, 50, 25 and 15 Hz", arguments: [true, false])
  func rates(averages: Bool) throws {
    let walks = try footSwitches()
    for rate in [100.0, 50, 25, 15] {
      let errors = walks.map { walk in
        let counted = count(thinned(walk.samples, to: rate, averages: averages))
        return abs(100 * Double(counted - walk.steps) / Double(walk.steps))
      }
      let error = Statistics.mean(errors)!
      print("foot switches at \(rate) Hz, \(averages ? "averaged" : "not averaged"): mean absolute error \(error) %")
      // At 15 Hz without averaging, a tenth of one walk is lost: jolts above 7.5 Hz are indistinguishable from slower
      // motion.
      #expect(error < (averages || rate > 15 ? 1.2 : 2))
    }
  }

  /// Returns the samples of a log as the command counts them.
  private func samples(_ path: String) throws -> [MotionSample] {
    try StepsJob(input: TestData.url(path).path).samples()
  }

  @Test("sitting, lying, falling, steering, shaking, driving and lifts have no steps")
  func otherMotion() throws {
    var found: [String: (steps: Int, live: Int, minutes: Double)] = [:]
    func add(_ name: String, _ samples: [MotionSample]) {
      guard let first = samples.first, let last = samples.last else { return }
      found[name, default: (0, 0, 0)].steps += count(samples)
      found[name]!.live += countLive(samples)
      found[name]!.minutes += (last.time - first.time) / 60
    }
    for folder in try TestData.names(in: "activity/phyphox") where !folder.hasSuffix(".csv") {
      let samples = try samples("activity/phyphox/\(folder)")
      for stretch in try ActivityRecordings.phyphoxLabels(of: folder)
      where !["Walking", "Running", "Error"].contains(stretch.label) {
        add("phyphox \(stretch.label)", samples.filter { $0.time >= stretch.start && $0.time < stretch.end })
      }
    }
    for session in try ShakeSession.all() {
      for (label, range) in session.runs {
        // The times of each run begin at 0.
        let accelerations = session.samples[range].map(\.acceleration).enumerated()
        add("gesture \(label)", accelerations.map { MotionSample(time: Double($0) / 25, acceleration: $1) })
      }
    }
    add("driving", try samples("evaluation-only/driving"))
    for folder in ["floors/elevator_up", "floors/elevator_down", "cycling"] {
      for path in try TestData.paths(in: "evaluation-only/\(folder)") { add(folder, try samples(path)) }
    }
    for (name, result) in found.sorted(by: { $0.key < $1.key }) {
      let perMinute = Double(result.steps) / result.minutes
      print(
        "\(name): \(result.steps) steps in \(result.minutes) min, \(perMinute) a minute; \(result.live) of them live")
      // Chopping is as regular as steps, so it is only printed. Pedalling is regular, too: in real time the classifier
      // needs some time to detect it, and reported steps are kept. A phone in the jacket of one cyclist does not turn with
      // the thigh, so a fifth of these rides are walks.
      if name != "gesture chop" {
        #expect(perMinute <= (name == "cycling" ? 12 : 2), "\(name)")
        #expect(Double(result.live) / result.minutes <= (name == "cycling" ? 10 : 2), "\(name) live")
      }
    }
    #expect(found["gesture shake"]!.steps == 0 && found["gesture steering"]!.steps == 0 && found.count >= 12)
  }

  @Test("the distance between surveyed points is accurate for all walks with one model")
  func distances() throws {
    var errors: [Double] = []
    for file in try TestData.names(in: "indoor-walks") {
      let lines = try TestData.fields("indoor-walks/\(file)", separator: "\t")
      let points = lines.filter { $0.count >= 4 && $0[1] == "TYPE_WAYPOINT" }
        .map { (Double($0[0])! / 1000, Double($0[2])!, Double($0[3])!) }
      let samples = lines.filter { $0.count >= 5 && $0[1] == "TYPE_ACCELEROMETER" }.map {
        MotionSample(
          time: Double($0[0])! / 1000,
          acceleration: Vector3(Double($0[2])!, Double($0[3])!, Double($0[4])!) * (-1 / Self.gravity))
      }
      var (pedometer, history) = (Pedometer(), PedometerHistory())
      for sample in samples { for output in pedometer.update(sample) { history.append(output) } }
      for output in pedometer.finish() { history.append(output) }
      for (a, b) in zip(points, points.dropFirst()) {
        let length = ((b.1 - a.1) * (b.1 - a.1) + (b.2 - a.2) * (b.2 - a.2)).squareRoot()
        let data = history.query(from: a.0, to: b.0)
        // Only intervals with nearly continuous walking are compared. The points' distance is a straight line, which is
        // the minimum length of a walk.
        guard length >= 10, data.numberOfSteps >= 8, let pace = data.averageActivePace else { continue }
        guard pace * data.distance > 0.9 * (b.0 - a.0) else { continue }
        errors.append(data.distance / length - 1)
      }
    }
    let (mean, absolute) = (Statistics.mean(errors)!, Statistics.mean(errors.map(abs))!)
    print(
      "distances: mean error \(100 * mean) %, mean absolute error \(100 * absolute) % over \(errors.count) stretches")
    #expect(errors.count >= 16 && absolute < 0.2 && abs(mean) < 0.1)
  }
}
