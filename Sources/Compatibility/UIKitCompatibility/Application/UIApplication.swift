public import Foundation
public import InertialLive

/// The app: its state, its windows, and the shakes that it sends to its first responder.
///
/// On a phone the system starts it; here it is active from the beginning, and the program says when it leaves and comes
/// back (`setApplicationState`). It listens to the source for shakes from the moment somebody can take them: a first
/// responder or a key window. Everything is told on the main queue.
@MainActor open class UIApplication: UIResponder {
  /// The raw values are UIKit's.
  public enum State: Int, Sendable {
    /// The app is in front, and gets events.
    case active = 0
    /// In front, but not served: a call comes in, the screen is about to be locked.
    case inactive = 1
    /// The app is not seen.
    case background = 2
  }

  /// The one application.
  public static let shared = UIApplication()

  /// Who is told when the app becomes active or leaves.
  open weak var delegate: (any UIApplicationDelegate)?
  /// Whether the app is in front.
  open private(set) var applicationState = State.active
  /// Whether a shake that no responder takes offers to undo. Default: it does.
  open var applicationSupportsShakeToEdit = true
  /// What the user answers when a shake offers to undo. Default: undo, where there is something. Added to UIKit's interface.
  open var shakeToEditAnswer: (UndoManager) -> ShakeToEditAnswer = { $0.canUndo ? .undo : .cancel }

  /// The window that gets the events that no first responder takes.
  open private(set) var keyWindow: UIWindow?
  private(set) weak var firstResponder: UIResponder?

  private var ownSource: (any SensorSource)?
  private let shakes = ShakeDelivery()

  private override init() { super.init() }

  /// Where shakes and `UIAccelerometer` get their samples; nil: the process's (`MotionSensors`), as it is when listening
  /// begins. Setting it begins anew. Added to UIKit's interface.
  public var source: (any SensorSource)? {
    get { ownSource }
    set {
      ownSource = newValue
      shakes.stop()
      listen()
      UIAccelerometer.shared.restart()
    }
  }

  /// Brings the app into a state, by way of `inactive` where it lies between, and tells the delegate and the notification
  /// centre of each step. A shake that goes on is cancelled when the app is not active any more, and none is told until it
  /// is again. Added to UIKit's interface: on a phone the system does it.
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

  private func post(_ name: Notification.Name, _ tell: (any UIApplicationDelegate) -> Void) {
    if let delegate { tell(delegate) }
    NotificationCenter.default.post(name: name, object: self)
  }

  // MARK: Responders

  open override var next: UIResponder? { delegate as? UIResponder }

  /// Offers to undo where nobody took the shake, and hands it on.
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

  /// Whom a motion event is sent to.
  var motionTarget: UIResponder? { firstResponder ?? keyWindow }

  private func listen() {
    if motionTarget != nil { shakes.start(source, isPaused: applicationState != .active) }
  }
}

/// The name in Objective-C.
public typealias UIApplicationState = UIApplication.State

extension UIApplication {
  /// The app has become active.
  public nonisolated static let didBecomeActiveNotification = Notification.Name(
    "UIApplicationDidBecomeActiveNotification")
  /// The app is about to become inactive.
  public nonisolated static let willResignActiveNotification = Notification.Name(
    "UIApplicationWillResignActiveNotification")
  /// The app has gone to the background.
  public nonisolated static let didEnterBackgroundNotification = Notification.Name(
    "UIApplicationDidEnterBackgroundNotification")
  /// The app is about to come to the front.
  public nonisolated static let willEnterForegroundNotification = Notification.Name(
    "UIApplicationWillEnterForegroundNotification")
}

/// What the user answers when a shake offers to undo; UIKit shows these three in a dialog.
public enum ShakeToEditAnswer: Sendable {
  /// Undo.
  case undo
  /// Redo.
  case redo
  /// Neither.
  case cancel
}

/// Told of the app's states. Each call may be left out.
@MainActor public protocol UIApplicationDelegate: AnyObject {
  /// The app has become active.
  func applicationDidBecomeActive(_ application: UIApplication)
  /// The app is about to become inactive.
  func applicationWillResignActive(_ application: UIApplication)
  /// The app has gone to the background.
  func applicationDidEnterBackground(_ application: UIApplication)
  /// The app is about to come to the front.
  func applicationWillEnterForeground(_ application: UIApplication)
}

extension UIApplicationDelegate {
  /// The app has become active.
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  /// The app is about to become inactive.
  public func applicationWillResignActive(_ application: UIApplication) {}
  /// The app has gone to the background.
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  /// The app is about to come to the front.
  public func applicationWillEnterForeground(_ application: UIApplication) {}
}
