public import Foundation

/// Plays haptics, by sending them to `DeviceFeedback`. As on a device, nothing is played while the app is in the
/// background.
@preconcurrency @MainActor open class UIFeedbackGenerator {
  /// Creates a generator.
  public init() {}

  /// Prepares the hardware, so that the feedback is not delayed.
  open func prepare() { play(.preparation) }

  func play(_ feedback: DeviceFeedback) {
    if UIApplication.shared.applicationState != .background { DeviceFeedback.send(feedback) }
  }
}

/// A generator of impacts, as of two objects that collide.
@preconcurrency @MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  /// The style of an impact; the raw values are UIKit's.
  public enum FeedbackStyle: Int, Sendable, CaseIterable {
    /// A collision of small objects.
    case light = 0
    /// A collision of medium-sized objects.
    case medium = 1
    /// A collision of large objects.
    case heavy = 2
    /// A collision of soft objects.
    case soft = 3
    /// A collision of hard objects.
    case rigid = 4
  }

  private let style: FeedbackStyle

  /// Creates a generator of the medium style.
  public override convenience init() { self.init(style: .medium) }

  /// Creates a generator of a style.
  public init(style: FeedbackStyle) {
    self.style = style
    super.init()
  }

  /// Reports an impact at full intensity.
  open func impactOccurred() { impactOccurred(intensity: 1) }

  /// Reports an impact.
  ///
  /// - Parameter intensity: The intensity from 0 to 1; values outside are clamped.
  open func impactOccurred(intensity: CGFloat) {
    play(.impact(style, intensity: min(max(Double(intensity), 0), 1)))
  }
}

/// The Objective-C name.
public typealias UIImpactFeedbackStyle = UIImpactFeedbackGenerator.FeedbackStyle

/// A generator that reports the result of a task.
@preconcurrency @MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  /// The result of a task; the raw values are UIKit's.
  public enum FeedbackType: Int, Sendable, CaseIterable {
    /// A task has succeeded.
    case success = 0
    /// A task has produced a warning.
    case warning = 1
    /// A task has failed.
    case error = 2
  }

  /// Creates a generator.
  public override init() { super.init() }

  /// Reports a success, a warning or an error.
  open func notificationOccurred(_ notificationType: FeedbackType) { play(.notification(notificationType)) }
}

/// A generator that reports a changed selection.
@preconcurrency @MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  /// Creates a generator.
  public override init() { super.init() }

  /// Reports that the selection has changed.
  open func selectionChanged() { play(.selection) }
}
