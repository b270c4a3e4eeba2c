internal import Synchronization

/// The haptic and acoustic feedback of a device. As there is no such hardware, a handler receives it, so that a script
/// or a test can record an app's feedback.
///
/// ```swift
/// DeviceFeedback.setHandler { print($0) }   // impact heavy 1.0
/// ```
public enum DeviceFeedback: Sendable, Hashable, CustomStringConvertible {
  /// A generator is prepared for feedback.
  case preparation
  /// An impact, with an intensity from 0 to 1.
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

  private static let handler = Mutex<(@Sendable (DeviceFeedback) -> Void)?>(nil)

  /// Sets the process's handler, or discards feedback if `nil`. It is called immediately, on the thread of the app's
  /// call.
  public static func setHandler(_ handler: (@Sendable (DeviceFeedback) -> Void)?) {
    // The previous handler may own the caller, so it is released outside the lock.
    var handler = handler
    Self.handler.withLock { swap(&$0, &handler) }
  }

  static func send(_ feedback: DeviceFeedback) { handler.withLock { $0 }?(feedback) }
}
