import CoreMotionCompatibility
import Foundation
import InertialSimulation
import TestSupport
import Testing

@Suite struct SourceClockTests {
  /// Bouts of shaking of 3 s after pauses of 4 s: from 4, 11 and 18 s on.
  private static let shaking = try! Simulation(scenario: .shake, duration: 21, seed: 4).samples()

  /// Counts shakes, but none sooner than a second after the last, by a clock that it is given: in an app `Date.init`.
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

  /// When shakes were counted, seconds on the recording's clock.
  private func shakes(speed: Double, by clock: (@Sendable () -> Date)? = nil) -> [Double] {
    let source = RecordingSource(samples: Self.shaking, epoch: 1_000_000, speed: speed, isPaused: true)
    let manager = CMMotionManager(source: source)
    let (queue, counter) = (serialQueue(), ShakeCounter(now: clock ?? { source.now }))
    manager.startAccelerometerUpdates(to: queue) { data, _ in if let data { counter.handle(data) } }
    source.playToEnd(queue)
    return counter.shakes.all.map { $0.timeIntervalSince1970 - 1_000_000 }
  }

  @Test("a least interval by the recording's clock counts the same at every speed; by the machine's it swallows shakes")
  func leastInterval() {
    let fast = shakes(speed: .infinity)
    // Three bouts of three seconds, a second between two shakes.
    #expect(fast.count >= 6 && fast.count <= 9)
    #expect(zip(fast, fast.dropFirst()).allSatisfy { $1 - $0 >= 1 - 1e-6 })
    let slow = shakes(speed: 50)
    #expect(slow.count == fast.count && zip(slow, fast).allSatisfy { abs($0 - $1) < 1e-6 })
    // 21 s in a moment: at most those of the machine's own seconds.
    #expect(shakes(speed: .infinity, by: { Date() }).count < fast.count)
  }

  /// Seconds by which the clock is off an update's time: within its handler, and in a task that the handler starts.
  private func errors(of source: RecordingSource, beside other: RecordingSource) -> ([Double], [Task<Double, Never>]) {
    let manager = CMMotionManager(source: source)
    manager.deviceMotionUpdateInterval = 0
    let (queue, errors, tasks) = (serialQueue(), Collected<Double>(), Collected<Task<Double, Never>>())
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in
      let time = motion!.timestamp
      errors.append(source.time! - time)
      errors.append(source.now.timeIntervalSince1970 - 500 - time)
      errors.append(source.absoluteTime + 978_307_200 - 500 - time)
      // Another source's clock is not touched.
      errors.append(other.time! - other.times.lowerBound)
      tasks.append(Task { source.time! - time })
    }
    source.playToEnd(queue)
    return (errors.all, tasks.all)
  }

  @Test("within a handler, and in tasks that it starts, the clock is at the update, however far ahead the source is")
  func withinHandler() async {
    let samples = walk(duration: 2)
    let source = RecordingSource(samples: samples, epoch: 500, speed: .infinity, isPaused: true)
    let (errors, tasks) = errors(
      of: source, beside: RecordingSource(samples: samples, speed: .infinity, isPaused: true))
    #expect(errors.count > 700 && errors.allSatisfy { abs($0) < 1e-6 })
    for task in tasks { #expect(await task.value == 0) }
    // Elsewhere it is where the recording stands.
    #expect(source.time == source.times.upperBound)
  }

  @Test("a recording that does not know its date began when it was opened, and a stream's clock is the machine's")
  func withoutEpoch() throws {
    let source = RecordingSource(samples: walk(duration: 1), isPaused: true)
    #expect(abs(source.now.timeIntervalSinceNow) < 60)
    let stream = try MotionSensors.source("udp://127.0.0.1:0")
    #expect(stream.time == nil && abs(stream.now.timeIntervalSinceNow) < 60)
  }

  @Test("a detector that stops at a shake and starts again after a pause hears none of the pause's")
  func rearming() {
    // Half a minute of one shake: what stood while nobody listened would fire again at once.
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
    // The bout is over.
    #expect(eventually { source.position > first + 4 })
    let rearmed = source.position
    #expect(nextShake().map { $0 >= rearmed } == true)
  }
}
