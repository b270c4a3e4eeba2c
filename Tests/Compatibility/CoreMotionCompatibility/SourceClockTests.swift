import CoreMotionCompatibility
import Testing

@Suite struct SourceClockTests {
  /// Bouts of shaking of 3 s after pauses of 4 s, which begin at 4, 11 and 18 s.
  private static let shaking = try! Simulation(scenario: .shake, duration: 21, seed: 4).samples()

  /// Counts shakes at least a second apart, by a given clock; in an app `Date.init`.
  private final class ShakeCounter: @unchecked Sendable {
    let now: @Sendable () -> Date
    let shakes = Collected<Date>()

    init(now: @escaping @Sendable () -> Date) { self.now = now }

    func handle(_ data: CMAccelerometerData) {
      let a = data.acceleration
      guard (a.x * a.x + a.y * a.y + a.z * a.z).squareRoot() > 2.3 else { return }
      let time = now()
      if let last = shakes.all.last, time.timeIntervalSince(last) < 1 { return }
      shakes.append(time)
    }
  }

  /// Returns the times of counted shakes on the recording's clock, in seconds.
  private func shakes(speed: Double, by clock: (@Sendable () -> Date)? = nil) -> [Double] {
    let source = RecordingSource(samples: Self.shaking, epoch: 1_000_000, speed: speed, isPaused: true)
    let manager = CMMotionManager(source: source)
    let (queue, counter) = (serialQueue(), ShakeCounter(now: clock ?? { source.now }))
    manager.startAccelerometerUpdates(to: queue) { data, _ in if let data { counter.handle(data) } }
    source.playToEnd(queue)
    return counter.shakes.all.map { $0.timeIntervalSince1970 - 1_000_000 }
  }

  @Test("a minimum interval has the same effect at every speed by the recording's clock, but not by the machine's")
  func minimumInterval() {
    let fast = shakes(speed: .infinity)
    // Three bouts of three seconds, with at least a second between two shakes.
    #expect(fast.count >= 6 && fast.count <= 9 && zip(fast, fast.dropFirst()).allSatisfy { $1 - $0 >= 1 - 1e-6 })
    let slow = shakes(speed: 50)
    #expect(slow.count == fast.count && zip(slow, fast).allSatisfy { abs($0 - $1) < 1e-6 })
    // 21 s pass almost instantly: at most one shake per second of the machine is counted.
    #expect(shakes(speed: .infinity, by: { Date() }).count < fast.count)
  }

  /// Returns the deviations of the clock from an update's time in seconds, within its handler and in a task that it
  /// starts.
  private func errors(of source: RecordingSource, beside other: RecordingSource) -> ([Double], [Task<Double, Never>]) {
    let manager = CMMotionManager(source: source)
    manager.deviceMotionUpdateInterval = 0
    let (queue, errors, tasks) = (serialQueue(), Collected<Double>(), Collected<Task<Double, Never>>())
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      let time = motion!.timestamp
      errors.append(source.time! - time)
      errors.append(source.now.timeIntervalSince1970 - 500 - time)
      errors.append(source.absoluteTime + 978_307_200 - 500 - time)
      // Another source's clock is not affected.
      errors.append(other.time! - other.times.lowerBound)
      tasks.append(Task { source.time! - time })
    }
    source.playToEnd(queue)
    return (errors.all, tasks.all)
  }

  @Test("within a handler and its tasks, the clock shows the update's time, even if playback is ahead")
  func withinHandler() async {
    let samples = walk(duration: 2)
    let source = RecordingSource(samples: samples, epoch: 500, speed: .infinity, isPaused: true)
    let (errors, tasks) = errors(
      of: source, beside: RecordingSource(samples: samples, speed: .infinity, isPaused: true))
    #expect(errors.count > 700 && errors.allSatisfy { abs($0) < 1e-6 })
    for task in tasks { #expect(await task.value == 0) }
    // Elsewhere it shows the recording's position.
    #expect(source.time == source.times.upperBound)
  }

  @Test("a recording without a date begins at its opening, and a stream uses the machine's clock")
  func withoutEpoch() throws {
    let source = RecordingSource(samples: walk(duration: 1), isPaused: true)
    #expect(abs(source.now.timeIntervalSinceNow) < 60)
    let stream = try MotionSensors.source("udp://127.0.0.1:0")
    #expect(stream.time == nil && abs(stream.now.timeIntervalSinceNow) < 60)
  }

  @Test("a detector that stops at a shake and restarts after a pause does not detect shakes of the pause")
  func rearming() {
    // If the clock stopped without receivers, the rest of the bout would immediately trigger the detector again.
    let source = RecordingSource(samples: Self.shaking, speed: 20)
    let manager = CMMotionManager(source: source)
    func nextShake() -> Double? {
      let (queue, times) = (serialQueue(), Collected<Double>())
      manager.startAccelerometerUpdates(to: queue) { data, _ in
        guard let data, abs(data.acceleration.x) > 2, times.count == 0 else { return }
        times.append(data.timestamp)
      }
      let isThere = times.wait(for: 1)
      manager.stopAccelerometerUpdates()
      queue.waitUntilAllOperationsAreFinished()
      return isThere ? times.all.first : nil
    }
    guard let first = nextShake() else { return #expect(Bool(false), "there is a shake") }
    // The bout has ended.
    #expect(eventually { source.position > first + 4 })
    let rearmed = source.position
    #expect(nextShake().map { $0 >= rearmed } == true)
  }
}
