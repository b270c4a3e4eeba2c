import Foundation
import InertialLive
import InertialSensors
import InertialSimulation
import Testing
import UIKitCompatibility

/// A process has a single application, so the tests run one at a time.
@MainActor @Suite(.serialized) struct ApplicationTests {
  /// Two bouts of shaking.
  private static let samples = try! Simulation(scenario: .shake, duration: 14, seed: 2).samples()

  private let source = RecordingSource(samples: Self.samples, speed: .infinity, isPaused: true)

  init() { UIApplication.shared.source = source }

  /// A screen that records shakes.
  private class Screen: UIViewController {
    var reported: [String] = []
    var handsOn = false
    var onBegan: () -> Void = {}

    override var canBecomeFirstResponder: Bool { true }

    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      becomeFirstResponder()
    }

    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
      note("began", motion, event)
      onBegan()
    }

    override func motionEnded(_ motion: UIEventSubtype, with event: UIEvent?) {
      note("ended", motion, event)
      if handsOn { super.motionEnded(motion, with: event) }
    }

    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
      note("cancelled", motion, event)
    }

    private func note(_ word: String, _ motion: UIEvent.EventSubtype, _ event: UIEvent?) {
      let isShake = motion == .motionShake && event?.type == .motion && event?.subtype == .motionShake
      reported.append(isShake ? word : "?")
    }
  }

  private func show(_ screen: UIViewController, in window: UIWindow = UIWindow()) -> UIWindow {
    window.rootViewController = screen
    window.makeKeyAndVisible()
    return window
  }

  private func play() async {
    source.resume()
    await source.waitForEnd(timeout: 120)
  }

  private func playAgain() async {
    source.pause()
    source.seek(to: 0)
    await play()
  }

  @Test("a first responder receives the beginning and the end of each shake, at the source's times")
  func shakes() async {
    let screen = Screen()
    #expect(!screen.isViewLoaded && !screen.isFirstResponder)
    let window = show(screen)
    #expect(screen.isViewLoaded && screen.isFirstResponder && window.isKeyWindow && screen.next === window)
    var times: [Double] = []
    screen.onBegan = { times.append(Double(screen.reported.count)) }
    await play()
    #expect(screen.reported == ["began", "ended", "began", "ended"] && times == [1, 3])
    screen.resignFirstResponder()
    #expect(!screen.isFirstResponder)
    await playAgain()
    #expect(screen.reported.count == 4, "the window, which is asked now, hands nothing back")
  }

  @Test("a shake without a first responder is sent to the key window, then to the application and its delegate")
  func chain() async {
    final class Window: UIWindow {
      var count = 0
      override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        count += 1
        super.motionEnded(motion, with: event)
      }
    }
    final class Delegate: UIResponder, UIApplicationDelegate {
      var count = 0
      override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { count += 1 }
    }
    let (window, delegate) = (Window(), Delegate())
    UIApplication.shared.delegate = delegate
    _ = show(UIViewController(), in: window)
    await play()
    #expect(window.count == 2 && delegate.count == 2)

    let screen = Screen()
    window.rootViewController = screen
    await playAgain()
    #expect(screen.reported.count == 4 && window.count == 2, "a screen that does not hand on stops the chain")
    screen.handsOn = true
    await playAgain()
    #expect(window.count == 4 && delegate.count == 4)
    window.rootViewController = nil
  }

  @Test("an inactive app has its shake cancelled and gets none in the background; states are reported in order")
  func states() async {
    final class Delegate: UIApplicationDelegate {
      var reported: [String] = []
      func applicationDidBecomeActive(_ application: UIApplication) { reported.append("active") }
      func applicationWillResignActive(_ application: UIApplication) { reported.append("resigns") }
      func applicationDidEnterBackground(_ application: UIApplication) { reported.append("background") }
      func applicationWillEnterForeground(_ application: UIApplication) { reported.append("foreground") }
    }
    let (application, delegate) = (UIApplication.shared, Delegate())
    application.delegate = delegate
    let posted = Posted()
    let screen = Screen()
    _ = show(screen)
    screen.onBegan = { application.setApplicationState(.background) }
    await play()
    #expect(screen.reported == ["began", "cancelled"] && application.applicationState == .background)
    screen.onBegan = {}
    await playAgain()
    #expect(screen.reported.count == 2)
    application.setApplicationState(.active)
    await playAgain()
    #expect(screen.reported == ["began", "cancelled", "began", "ended", "began", "ended"])
    application.setApplicationState(.inactive)
    application.setApplicationState(.active)
    let order = ["resigns", "background", "foreground", "active", "resigns", "active"]
    #expect(delegate.reported == order && posted.names == order)
    screen.resignFirstResponder()
  }

  @Test("a first responder that resigns during a shake has it cancelled, and the new one gets the next shake")
  func change() async {
    let (first, second) = (Screen(), Screen())
    _ = show(first)
    first.onBegan = { second.becomeFirstResponder() }
    await play()
    #expect(first.reported == ["began", "cancelled"] && second.reported == ["began", "ended"])
    second.resignFirstResponder()
  }

  @Test("a responder that may not become first does not, and one that may not resign stays first")
  func firstResponder() {
    final class Stubborn: UIResponder {
      var isDone = false
      override var canBecomeFirstResponder: Bool { true }
      override var canResignFirstResponder: Bool { isDone }
    }
    #expect(!UIResponder().becomeFirstResponder() && UIResponder().next == nil && UIResponder().undoManager == nil)
    let (stubborn, other) = (Stubborn(), Stubborn())
    #expect(stubborn.becomeFirstResponder() && stubborn.becomeFirstResponder() && stubborn.isFirstResponder)
    #expect(!other.becomeFirstResponder() && !stubborn.resignFirstResponder() && stubborn.isFirstResponder)
    stubborn.isDone = true
    #expect(other.becomeFirstResponder() && !stubborn.isFirstResponder && stubborn.resignFirstResponder())
    other.isDone = true
    other.resignFirstResponder()
    #expect(stubborn == stubborn && stubborn != other)
  }

  @Test("an unhandled shake undoes or redoes the last change or does nothing, depending on the user's answer")
  func shakeToEdit() async throws {
    let application = UIApplication.shared
    application.delegate = nil
    let screen = Screen()
    screen.handsOn = true
    let window = show(screen)
    let manager = try #require(screen.undoManager)
    #expect(manager === window.undoManager)
    let text = Text(manager)
    for letter in ["a", "b", "c", "d"] {
      text.append(letter)
      await nextTurn()
    }
    await play()
    #expect(text.words == ["a", "b"], "each of two shakes has undone one change")
    application.applicationSupportsShakeToEdit = false
    await playAgain()
    #expect(text.words == ["a", "b"])
    application.applicationSupportsShakeToEdit = true
    screen.handsOn = false
    await playAgain()
    #expect(text.words == ["a", "b"], "a screen that takes the shake leaves nothing to undo")
    screen.handsOn = true
    let answer = application.shakeToEditAnswer
    application.shakeToEditAnswer = { _ in .redo }
    await playAgain()
    #expect(text.words == ["a", "b", "c", "d"] && !manager.canRedo)
    application.shakeToEditAnswer = { _ in .cancel }
    await playAgain()
    #expect(text.words == ["a", "b", "c", "d"])
    application.shakeToEditAnswer = answer
    window.rootViewController = nil
  }

  @Test("UIAccelerometer delivers samples at its interval while it has a delegate, except in the background")
  func accelerometer() async {
    final class Delegate: UIAccelerometerDelegate {
      var samples: [UIAcceleration] = []
      func accelerometer(_ accelerometer: UIAccelerometer, didAccelerate acceleration: UIAcceleration) {
        samples.append(acceleration)
      }
    }
    let accelerations = Self.samples.filter { $0.channel == .accelerometer }
    let (accelerometer, delegate) = (UIAccelerometer.shared, Delegate())
    #expect(UIAccelerometer.sharedAccelerometer() === accelerometer && accelerometer.updateInterval == 0.01)
    (accelerometer.updateInterval, accelerometer.delegate) = (0, delegate)
    await play()
    #expect(delegate.samples.map(\.timestamp) == accelerations.map(\.time))
    #expect(delegate.samples.map(\.z) == accelerations.map(\.z) && delegate.samples.map(\.x) == accelerations.map(\.x))
    delegate.samples = []
    accelerometer.updateInterval = 0.02
    await playAgain()
    #expect(abs(delegate.samples.count - accelerations.count / 2) <= 1)
    delegate.samples = []
    UIApplication.shared.setApplicationState(.background)
    await playAgain()
    #expect(delegate.samples.isEmpty)
    UIApplication.shared.setApplicationState(.active)
    accelerometer.delegate = nil
    await playAgain()
    #expect(delegate.samples.isEmpty)
    do {
      let gone = Delegate()
      accelerometer.delegate = gone
    }
    #expect(accelerometer.delegate == nil, "it does not keep its delegate")
    await playAgain()
    accelerometer.updateInterval = 0.01
  }

  @Test("haptics and sounds are passed to the handler in order, but no haptics from the background")
  func feedback() {
    let recorded = Recorded<DeviceFeedback>()
    DeviceFeedback.setHandler { recorded.append($0) }
    let impact = UIImpactFeedbackGenerator(style: .heavy)
    impact.prepare()
    impact.impactOccurred()
    impact.impactOccurred(intensity: 0.25)
    impact.impactOccurred(intensity: 7)
    UIImpactFeedbackGenerator().impactOccurred()
    UINotificationFeedbackGenerator().notificationOccurred(.warning)
    UISelectionFeedbackGenerator().selectionChanged()
    AudioServicesPlaySystemSound(1519)
    AudioServicesPlayAlertSound(SystemSoundID(kSystemSoundID_Vibrate))
    var isDone = false
    AudioServicesPlaySystemSoundWithCompletion(1521) { isDone = true }
    UIApplication.shared.setApplicationState(.background)
    impact.impactOccurred()
    UIApplication.shared.setApplicationState(.active)
    DeviceFeedback.setHandler(nil)
    impact.impactOccurred()
    #expect(
      recorded.all == [
        .preparation, .impact(.heavy, intensity: 1), .impact(.heavy, intensity: 0.25), .impact(.heavy, intensity: 1),
        .impact(.medium, intensity: 1), .notification(.warning), .selection, .systemSound(1519), .systemSound(4095),
        .systemSound(1521),
      ])
    #expect(isDone)
    let words = "[preparation, impact heavy 1.0, impact heavy 0.25, impact heavy 1.0, impact medium 1.0, "
    #expect(
      "\(recorded.all)" == words
        + "notification warning, selection, system sound 1519, system sound 4095, system sound 1521]")
  }

  @Test("old and new names have UIKit's numbers, and absolute time counts from 2001")
  func numbers() {
    #expect(UIEvent.EventSubtype.motionShake.rawValue == 1 && UIEventSubtype.motionShake == .motionShake)
    #expect(UIEventType.motion.rawValue == 1 && UIApplicationState.background.rawValue == 2)
    #expect(UIImpactFeedbackStyle.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(UINotificationFeedbackGenerator.FeedbackType.allCases.map(\.rawValue) == [0, 1, 2])
    // Other tests may play a recording from an hour ago.
    #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 86_400)
  }

  @Test("without a source an app has no shakes, and a source that is set later is used")
  func later() async {
    UIApplication.shared.source = RecordingSource(samples: Self.samples.filter { $0.channel == .gyroscope })
    let screen = Screen()
    _ = show(screen)
    #expect(screen.reported.isEmpty)
    UIApplication.shared.source = source
    await play()
    #expect(screen.reported.count == 4)
    screen.resignFirstResponder()
  }
}

/// Values that are collected from several threads.
private final class Recorded<Item>: @unchecked Sendable {
  private let monitor = Monitor()
  private var kept: [Item] = []
  var all: [Item] { monitor.withLock { kept } }
  func append(_ item: Item) { monitor.withLock { kept.append(item) } }
}

/// The application's notifications, with the names of its delegate's functions.
private final class Posted {
  private let recorded = Recorded<String>()
  private var observers: [any NSObjectProtocol] = []

  init() {
    let words: [(Notification.Name, String)] = [
      (UIApplication.didBecomeActiveNotification, "active"), (UIApplication.willResignActiveNotification, "resigns"),
      (UIApplication.didEnterBackgroundNotification, "background"),
      (UIApplication.willEnterForegroundNotification, "foreground"),
    ]
    observers = words.map { name, word in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [recorded] _ in
        recorded.append(word)
      }
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  var names: [String] { recorded.all }
}
