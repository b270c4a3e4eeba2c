import CoreMotionCompatibility
import Gestures
import Simulation
import Testing

@Suite struct ShakeMonitorTests {
  private final class Screen: MotionResponder {
    let told = Collected<String>()
    func motionBegan(_ motion: MotionEventSubtype, with event: MotionEvent?) {
      if motion == .motionShake { told.append("began") }
    }
    func motionEnded(_ motion: MotionEventSubtype, with event: MotionEvent?) {
      told.append(event?.gesture?.phase == .ended ? "ended" : "?")
    }
    func motionCancelled(_ motion: MotionEventSubtype, with event: MotionEvent?) { told.append("cancelled") }
  }

  private static let samples = try! Simulation(scenario: .shake, duration: 14, seed: 2).samples()

  @Test("two bouts of shaking are two shakes, begun and ended, with feedback at each beginning")
  func shakes() throws {
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let (screen, styles) = (Screen(), Collected<FeedbackStyle>())
    let shakes = try #require(ShakeMonitor(source: source, responder: screen))
    shakes.onFeedback = { styles.append($0) }
    #expect(shakes.feedbackStyle == .medium)
    shakes.feedbackStyle = .rigid
    shakes.start()
    shakes.start()
    source.playToEnd()
    #expect(screen.told.all == ["began", "ended", "began", "ended"])
    #expect(styles.all == [.rigid, .rigid] && shakes.count == 2)
    shakes.stop()
  }

  @Test("it finds the same without a gyroscope, and tells on a queue where asked")
  func withoutGyroscope() throws {
    let samples = Self.samples.filter { $0.channel == .accelerometer }
    let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
    let (screen, queue) = (Screen(), serialQueue())
    let shakes = try #require(ShakeMonitor(source: source, responder: screen, queue: queue))
    shakes.feedbackStyle = nil
    shakes.start()
    source.playToEnd(queue)
    #expect(screen.told.all == ["began", "ended", "began", "ended"])
  }

  @Test("an app that is not in front gets no shake, and one that goes on is cancelled")
  func inactive() throws {
    let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)
    let screen = Screen()
    let shakes = try #require(ShakeMonitor(source: source, responder: screen))
    let (gone, styles) = (Collected<Int>(), Collected<FeedbackStyle>())
    shakes.onFeedback = { [weak shakes] style in
      styles.append(style)
      if gone.count == 0 {
        gone.append(1)
        shakes?.applicationWillResignActive()
      }
    }
    shakes.start()
    source.playToEnd()
    #expect(screen.told.all == ["began", "cancelled"])
    source.pause()
    source.seek(to: 0)
    shakes.applicationDidBecomeActive()
    source.playToEnd()
    #expect(screen.told.all == ["began", "cancelled", "began", "ended", "began", "ended"])
    shakes.stop()
    shakes.stop()
  }

  @Test("without a source or an accelerometer there is no monitor, and it keeps neither itself nor its responder")
  func lifetime() throws {
    let screen = Screen()
    let gyroscope = Self.samples.filter { $0.channel == .gyroscope }
    #expect(ShakeMonitor(source: RecordingSource(samples: gyroscope), responder: screen) == nil)
    weak var weakMonitor: ShakeMonitor?
    weak var weakScreen: Screen?
    let source = RecordingSource(samples: Self.samples, isPaused: true)
    do {
      let screen = Screen()
      let shakes = try #require(ShakeMonitor(source: source, responder: screen))
      shakes.start()
      (weakMonitor, weakScreen) = (shakes, screen)
    }
    #expect(weakMonitor == nil && weakScreen == nil)
  }
}
