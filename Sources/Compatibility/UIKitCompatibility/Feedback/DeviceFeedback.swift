internal import InertialLive

/// What a device would let its user feel or hear. There is no such hardware here: it goes to a handler, so that a script
/// or a test can record what an app does.
///
/// ```swift
/// DeviceFeedback.setHandler { print($0) }   // impact heavy 1.0
/// ```
public enum DeviceFeedback: Sendable, Hashable, CustomStringConvertible {
  /// A generator was told that its feedback comes soon.
  case preparation
  /// - intensity: 0 to 1.
  case impact(UIImpactFeedbackGenerator.FeedbackStyle, intensity: Double)
  /// A success, a warning or an error.
  case notification(UINotificationFeedbackGenerator.FeedbackType)
  /// The selection has changed.
  case selection
  /// A sound, or a vibration: 1519 (peek), 1520 (pop), 1521 (three weak ones), `kSystemSoundID_Vibrate`.
  case systemSound(SystemSoundID)

  public var description: String {
    switch self {
    case .preparation: "preparation"
    case .impact(let style, let intensity): "impact \(style) \(intensity)"
    case .notification(let type): "notification \(type)"
    case .selection: "selection"
    case .systemSound(let number): "system sound \(number)"
    }
  }

  private static let output = Output()

  /// Makes a handler the process's; nil: feedback is lost. Called at once, on the thread of the app's call.
  public static func setHandler(_ handler: (@Sendable (DeviceFeedback) -> Void)?) { output.set(handler) }

  static func send(_ feedback: DeviceFeedback) { output.handler?(feedback) }

  private final class Output: @unchecked Sendable {
    private let monitor = Monitor()
    private var current: (@Sendable (DeviceFeedback) -> Void)?

    var handler: (@Sendable (DeviceFeedback) -> Void)? { monitor.withLock { current } }

    func set(_ handler: (@Sendable (DeviceFeedback) -> Void)?) {
      let last = monitor.withLock {
        defer { current = handler }
        return current
      }
      // It may own whoever calls: not under the monitor.
      withExtendedLifetime(last) {}
    }
  }
}
