public import Foundation
public import InertialLive

/// The app: its state, its windows, and the shakes that it sends to its first responder.
///
/// On a phone the system starts the app; here it is active from the beginning, and the program changes its state
/// (`setApplicationState`). It starts listening to the source for shakes when there is a receiver: a first responder or
/// a key window. All events are delivered on the main queue.
@preconcurrency @MainActor open class UIApplication: UIResponder {
  /// The state of the app. The raw values are UIKit's.
  public enum State: Int, Sendable {
    /// The app is in the foreground and receives events.
    case active = 0
    /// The app is in the foreground but does not receive events: a call comes in, or the screen is about to be locked.
    case inactive = 1
    /// The app is in the background.
    case background = 2
  }

  /// The single application.
  public static let shared = UIApplication()

  /// The delegate that is notified when the app's state changes.
  open weak var delegate: (any UIApplicationDelegate)?
  /// The state of the app.
  open private(set) var applicationState = State.active
  /// Whether a shake that no responder handles offers an undo. Default: true.
  open var applicationSupportsShakeToEdit = true
  /// The user's answer when a shake offers an undo. Default: undo, if possible. Added to UIKit's interface.
  open var shakeToEditAnswer: (UndoManager) -> ShakeToEditAnswer = { $0.canUndo ? .undo : .cancel }

  /// Whether the screen stays on while the person does not touch it; stored only, as there is no screen. Default: false.
  open var isIdleTimerDisabled = false

  /// The window that receives events if there is no first responder.
  open private(set) var keyWindow: UIWindow?
  private(set) weak var firstResponder: UIResponder?

  private var ownSource: (any SensorSource)?
  private let shakes = ShakeDelivery()

  private override init() { super.init() }

  /// The source of shakes, `UIAccelerometer` and `UIDevice`, or `nil` for the process's (`MotionSensors`) when listening begins.
  /// Setting it restarts the listening. Added to UIKit's interface.
  public var source: (any SensorSource)? {
    get { ownSource }
    set {
      ownSource = newValue
      shakes.stop()
      listen()
      UIAccelerometer.shared.restart()
      UIDevice.current.restart()
    }
  }

  /// Changes the app's state, through `inactive` if needed, and notifies the delegate and the notification centre of
  /// each step. When the app becomes inactive, a shake in progress is cancelled, and no shakes are reported until it is
  /// active again. Added to UIKit's interface: on a phone the system changes the state.
  open func setApplicationState(_ state: State) {
    while applicationState != state { step(towards: state) }
  }

  private func step(towards state: State) {
    switch applicationState {
    case .active:
      post(Self.willResignActiveNotification) { $0.applicationWillResignActive(self) }
      applicationState = .inactive
      shakes.pause()
    case .inactive where state == .background:
      applicationState = .background
      post(Self.didEnterBackgroundNotification) { $0.applicationDidEnterBackground(self) }
    case .inactive:
      applicationState = .active
      shakes.resume()
      listen()
      post(Self.didBecomeActiveNotification) { $0.applicationDidBecomeActive(self) }
    case .background:
      post(Self.willEnterForegroundNotification) { $0.applicationWillEnterForeground(self) }
      applicationState = .inactive
    }
  }

  /// Informs the delegate and the notification centre that the app is about to terminate; the process continues. Added
  /// to UIKit's interface: on a phone the system terminates an app.
  open func announceTermination() {
    post(Self.willTerminateNotification) { $0.applicationWillTerminate(self) }
  }

  private func post(_ name: Notification.Name, _ deliver: (any UIApplicationDelegate) -> Void) {
    if let delegate { deliver(delegate) }
    NotificationCenter.default.post(name: name, object: self)
  }

  // MARK: Responders

  open override var next: UIResponder? { delegate as? UIResponder }

  /// Offers an undo if no responder has handled the shake, and forwards the event.
  open override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    if motion == .motionShake, applicationSupportsShakeToEdit { offerToUndo() }
    super.motionEnded(motion, with: event)
  }

  private func offerToUndo() {
    guard let manager = (firstResponder ?? keyWindow)?.undoManager, manager.canUndo || manager.canRedo else { return }
    switch shakeToEditAnswer(manager) {
    case .undo: manager.undo()
    case .redo: manager.redo()
    case .cancel: break
    }
  }

  func changeFirstResponder(to responder: UIResponder?) {
    shakes.cancel()
    firstResponder = responder
    listen()
  }

  func changeKeyWindow(to window: UIWindow) {
    keyWindow?.rootViewController?.disappear()
    keyWindow = window
    listen()
  }

  /// The responder to which a motion event is sent.
  var motionTarget: UIResponder? { firstResponder ?? keyWindow }

  private func listen() {
    if motionTarget != nil { shakes.start(source, isPaused: applicationState != .active) }
  }
}

/// The Objective-C name.
public typealias UIApplicationState = UIApplication.State

extension UIApplication {
  /// Posted when the app has become active.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// Posted when the app is about to become inactive.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// Posted when the app has entered the background.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// Posted when the app is about to enter the foreground.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
  /// Posted when the app is about to terminate.
  public nonisolated static let willTerminateNotification = Notification.Name(
    "UIApplicationWillTerminateNotification")
}

/// The user's answer when a shake offers an undo; UIKit shows these three options in a dialog.
public enum ShakeToEditAnswer: Sendable {
  /// Undo the last change.
  case undo
  /// Redo the last undone change.
  case redo
  /// Do nothing.
  case cancel
}

/// A delegate for state changes of the app. All functions are optional.
@preconcurrency @MainActor public protocol UIApplicationDelegate: AnyObject {
  /// Called when the app has become active.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// Called when the app is about to become inactive.
  func applicationWillResignActive(_ application: UIApplication)
  /// Called when the app has entered the background.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// Called when the app is about to enter the foreground.
  func applicationWillEnterForeground(_ application: UIApplication)
  /// Called when the app is about to terminate.
  func applicationWillTerminate(_ application: UIApplication)
}

extension UIApplicationDelegate {
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  /// Does nothing.
  public func applicationWillTerminate(_ application: UIApplication) {}
}
