import CoreMotionCompatibility
import InertialRecognition
import InertialSimulation
import Testing

@Suite struct ShakeMonitorTests {
  private static let samples = try! Simulation(scenario: .shake, duration: 14, seed: 2).samples()

  @Test("two bouts of shaking are two shakes, begun and ended")
  func shakes() throws {
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let told = Collected<GesturePhase>()
    let shakes = try #require(ShakeMonitor(source: source) { told.append($0.phase) })
    shakes.start()
    shakes.start()
    source.playToEnd()
    #expect(told.all == [.began, .ended, .began, .ended] && shakes.count == 2)
    shakes.stop()
  }

  @Test("it finds the same without a gyroscope, and tells on a queue where asked")
  func withoutGyroscope() throws {
    let samples = Self.samples.filter { $0.channel == .accelerometer }
    let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
    let (told, queue) = (Collected<GesturePhase>(), serialQueue())
    let shakes = try #require(ShakeMonitor(source: source, queue: queue) { told.append($0.phase) })
    shakes.start()
    source.playToEnd(queue)
    #expect(told.all == [.began, .ended, .began, .ended])
  }

  @Test("one that is paused recognises no shake, and one that goes on is cancelled")
  func paused() throws {
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let told = Collected<GesturePhase>()
    nonisolated(unsafe) weak var monitor: ShakeMonitor?
    let shakes = try #require(
      ShakeMonitor(source: source) {
        told.append($0.phase)
        if told.count == 1 { monitor?.pause() }
      })
    monitor = shakes
    shakes.start()
    source.playToEnd()
    #expect(told.all == [.began, .cancelled])
    source.pause()
    source.seek(to: 0)
    shakes.resume()
    source.playToEnd()
    #expect(told.all == [.began, .cancelled, .began, .ended, .began, .ended])
    shakes.stop()
    shakes.stop()
  }

  @Test("without a source or an accelerometer there is no monitor, and it does not keep itself")
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
