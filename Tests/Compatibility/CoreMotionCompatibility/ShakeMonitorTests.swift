import CoreMotionCompatibility
import Testing

@Suite struct ShakeMonitorTests {
  private static let samples = try! Simulation(scenario: .shake, duration: 14, seed: 2).samples()

  @Test("two bouts of shaking are two shakes, begun and ended")
  func shakes() throws {
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let reported = Collected<GesturePhase>()
    let shakes = try #require(ShakeMonitor(source: source) { reported.append($0.phase) })
    shakes.start()
    shakes.start()
    source.playToEnd()
    #expect(reported.all == [.began, .ended, .began, .ended] && shakes.count == 2)
    shakes.stop()
  }

  @Test("the monitor detects the same shakes without a gyroscope, and calls its handler on a queue if requested")
  func withoutGyroscope() throws {
    let samples = Self.samples.filter { $0.channel == .accelerometer }
    let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
    let (reported, queue) = (Collected<GesturePhase>(), serialQueue())
    let shakes = try #require(ShakeMonitor(source: source, queue: queue) { reported.append($0.phase) })
    shakes.start()
    source.playToEnd(queue)
    #expect(reported.all == [.began, .ended, .began, .ended])
  }

  @Test("a paused monitor detects no shakes, and a shake in progress is cancelled")
  func paused() throws {
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let reported = Collected<GesturePhase>()
    nonisolated(unsafe) weak var monitor: ShakeMonitor?
    let shakes = try #require(
      ShakeMonitor(source: source) {
        reported.append($0.phase)
        if reported.count == 1 { monitor?.pause() }
      })
    monitor = shakes
    shakes.start()
    source.playToEnd()
    #expect(reported.all == [.began, .cancelled])
    source.pause()
    source.seek(to: 0)
    shakes.resume()
    source.playToEnd()
    #expect(reported.all == [.began, .cancelled, .began, .ended, .began, .ended])
    shakes.stop()
    shakes.stop()
  }

  @Test("without a source or an accelerometer there is no monitor, and a monitor does not retain itself")
  func lifetime() throws {
    let gyroscope = Self.samples.filter { $0.channel == .gyroscope }
    #expect(ShakeMonitor(source: RecordingSource(samples: gyroscope)) { _ in } == nil)
    weak var weakMonitor: ShakeMonitor?
    let source = RecordingSource(samples: Self.samples, isPaused: true)
    do {
      let shakes = try #require(ShakeMonitor(source: source) { _ in })
      shakes.start()
      weakMonitor = shakes
    }
    #expect(weakMonitor == nil)
  }
}
