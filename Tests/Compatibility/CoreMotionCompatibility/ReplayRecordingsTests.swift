import CoreMotionCompatibility
import Testing

/// Plays an iPhone's recording through the manager.
@Suite(.serialized, .needs(.data)) struct ReplayRecordingsTests {
  private static let folder = TestData.folder.map { _ in TestData.url("iphone-xs").path } ?? ""
  private static let name = "rec_2019-06-21_arkit"

  /// Returns all recordings of the set with a gyroscope.
  private static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/gyro.txt") }.sorted()
  }

  private func source(_ name: String = Self.name, speed: Double = .infinity) throws -> RecordingSource {
    try RecordingSource(path: "\(Self.folder)/\(name)", speed: speed, isPaused: true)
  }

  /// Returns every sample of the log as delivered by the source.
  private func samples(_ source: RecordingSource) -> [SensorSample] {
    let kept = Collected<[SensorSample]>()
    let attachment = source.attach(Keeper(kept))
    source.playToEnd()
    attachment.cancel()
    return kept.all.flatMap { $0 }
  }

  @Test("a replay yields the attitude, gravity and user acceleration of a batch run, in order, in every frame")
  func equalsBatch() throws {
    var total = 0
    for name in try Self.names() {
      let samples = samples(try source(name))
      for frame in [
        CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
      ] {
        let source = try source(name)
        let manager = CMMotionManager(source: source)
        manager.deviceMotionUpdateInterval = 0
        let (queue, received) = (OperationQueue(), Collected<CMDeviceMotion>())
        manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, _ in
          if let motion { received.append(motion) }
        }
        source.playToEnd(queue)
        var expected = batch(samples, frame: AttitudeReferenceFrame(rawValue: frame.rawValue))
        // A manager's last motions keep the latest field, which a batch run leaves out as it cannot interpolate it.
        if let last = expected.lastIndex(where: { $0.magneticField != nil }), frame != .xArbitraryZVertical {
          #expect(expected.count - last < 20)
          for index in expected.indices[(last + 1)...] { expected[index].magneticField = expected[last].magneticField }
        }
        #expect(received.count == expected.count && expected.count > 1_000)
        let worst = zip(received.all, expected).map(largestDifference).max() ?? .infinity
        #expect(worst <= 1e-12)
        print("replay of \(name) in frame \(frame.rawValue): \(received.count) motions, largest difference \(worst)")
        total += received.count
      }
    }
    #expect(total > 30_000)
  }

  @Test(
    "a replay starts within two samples, and matches a dataset from the second second on, except for an arbitrary X")
  func start() throws {
    for name in try Self.names() {
      let samples = samples(try source(name))
      let gyroscope = samples.filter { $0.channel == .gyroscope }
      for frame in [AttitudeReferenceFrame.xArbitraryZVertical, .xMagneticNorthZVertical] {
        let (live, dataset) = (batch(samples, frame: frame), batch(samples, frame: frame, start: .carriedBack))
        let first = try #require(live.first)
        #expect(first.time <= gyroscope[2].time && first.flags.contains(.converging))
        let pairs = zip(live.reversed(), dataset.reversed()).filter { $0.0.time > first.time + 1.1 }
        let turns = pairs.map { $0.attitude.quaternion * $1.attitude.quaternion.conjugate }
        let turn = try #require(turns.first)
        let isConstant = turns.allSatisfy { isSameRotation($0, turn, within: 1e-12) }
        #expect(isConstant && abs(turn.x) < 1e-12 && abs(turn.y) < 1e-12)
        if frame == .xMagneticNorthZVertical { #expect(pairs.allSatisfy { $0.attitude == $1.attitude }) }
        let settled = zip(live.reversed(), dataset.reversed()).filter { $0.0.time <= first.time + 1 }.map {
          acos(max(-1, min(1, $0.gravity.dot($1.gravity)))) * 180 / .pi
        }
        print(
          "start of \(name) in frame \(frame.rawValue): first motion \(first.time - gyroscope[0].time) s after the first "
            + "sample; in the first second off a dataset's tilt by at most \(settled.max() ?? 0)°; later by a yaw of "
            + "\(EulerAngles(turn).yaw * 180 / .pi)°")
      }
    }
  }

  @Test("relative to the first attitude, gravity is preserved to 1e-6 and the angles begin at zero")
  func relativeAttitude() throws {
    let source = try source()
    let manager = CMMotionManager(source: source)
    let queue = serialQueue()
    nonisolated(unsafe) var reference: CMAttitude?
    nonisolated(unsafe) var down: Vector3?
    nonisolated(unsafe) var worst = (right: 0.0, wrong: 0.0, start: 1.0)
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      guard let motion else { return }
      let attitude = motion.attitude
      let gravity = Vector3(motion.gravity.x, motion.gravity.y, motion.gravity.z)
      guard let first = reference, let start = down else {
        reference = attitude.copy() as? CMAttitude
        down = gravity
        attitude.multiply(byInverseOf: attitude)
        worst.start = max(abs(attitude.roll), abs(attitude.pitch), abs(attitude.yaw))
        return
      }
      let absolute = attitude.attitude.quaternion
      attitude.multiply(byInverseOf: first)
      worst.right = max(worst.right, (attitude.attitude.toReference(gravity) - start).norm)
      // The convention of other libraries: a ⊗ b⁻¹.
      let other = absolute * first.attitude.quaternion.conjugate
      worst.wrong = max(worst.wrong, (other.rotate(gravity) - start).norm)
    }
    source.playToEnd(queue)
    #expect(worst.start < 1e-12 && worst.right < 1e-6 && worst.wrong > 0.1)
    print("relative attitude: gravity constant to \(worst.right); in the other order only to \(worst.wrong)")
  }

  @Test("in real time updates arrive at the requested interval, within some milliseconds", .needs(.alone))
  func aloneInRealTime() throws {
    let source = try source(speed: 1)
    let manager = CMMotionManager(source: source)
    manager.deviceMotionUpdateInterval = 0.02
    let (queue, arrivals) = (serialQueue(), Collected<(time: Double, arrival: Double)>())
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      arrivals.append((motion!.timestamp, MonotonicClock.now))
    }
    source.resume()
    // The barometer's first value is 2.5 s older than the first motion. Meanwhile a thread that only sleeps, with the
    // same interval, measures the latency of the machine itself under other load.
    let begin = MonotonicClock.now
    let own = (0..<500).map { turn -> Double in
      let due = begin + 0.02 * Double(turn)
      Thread.sleep(forTimeInterval: max(0, due - MonotonicClock.now))
      return max(0, MonotonicClock.now - due)
    }.sorted()
    manager.stopDeviceMotionUpdates()
    queue.waitUntilAllOperationsAreFinished()
    let first = try #require(arrivals.all.first)
    let all = arrivals.all.filter { $0.time > first.time + 2 }
    let steps = zip(all, all.dropFirst()).map { $1.time - $0.time }
    let delays = all.map { $0.arrival - $0.time }
    let minimum = delays.min() ?? 0
    let lateness = delays.map { $0 - minimum }.sorted()
    let (median, high) = (lateness[lateness.count / 2], lateness[lateness.count * 95 / 100])
    let highest = lateness[lateness.count * 99 / 100]
    #expect(all.count > 250 && abs(steps.reduce(0, +) / Double(steps.count) - 0.02) < 2e-4)
    #expect(steps.allSatisfy { abs($0 - 0.02) < 0.011 })
    let (ownMedian, ownHigh) = (own[own.count / 2], own[own.count * 95 / 100])
    // There are two threads and a queue between the clock and the handler.
    #expect(median < 0.005 + 3 * ownMedian && high < 0.02 + 3 * ownHigh)
    let milliseconds = [median, high, highest, ownMedian, ownHigh].map { 1000 * $0 }
    print(
      "real time: \(all.count) updates, lateness median, 95, 99 %, a sleeping thread's median, 95 %, ms: \(milliseconds)"
    )
  }

  @Test("a real log has all inputs of the app-like code: raw sensors, field, pressure")
  func channels() throws {
    let source = try source()
    #expect(source.channels.isSuperset(of: [.accelerometer, .gyroscope]))
    let manager = CMMotionManager(source: source)
    #expect(manager.availableFrames.contains(.xMagneticNorthZVertical))
    print("channels: \(source.channels.map(\.name).sorted()), others: \(source.auxiliaryChannels.map(\.name).sorted())")
  }
}

private final class Keeper: SensorReceiver {
  private let kept: Collected<[SensorSample]>
  init(_ kept: Collected<[SensorSample]>) { self.kept = kept }
  func receive(_ event: SensorEvent) { if case .samples(let samples) = event { kept.append(samples) } }
}
