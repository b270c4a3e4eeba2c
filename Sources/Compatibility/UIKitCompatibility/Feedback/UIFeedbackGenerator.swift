public import Foundation

/// Plays haptics: here it tells `DeviceFeedback`. As on a device, nothing is played while the app is in the background.
@MainActor open class UIFeedbackGenerator {
  /// A generator.
  public init() {}

  /// Wakes the hardware, so that the feedback comes without delay.
  open func prepare() { play(.preparation) }

  func play(_ feedback: DeviceFeedback) {
    if UIApplication.shared.applicationState != .background { DeviceFeedback.send(feedback) }
  }
}

/// A knock, as of two things that meet.
@MainActor open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
  /// How it is to feel; the raw values are UIKit's.
  public enum FeedbackStyle: Int, Sendable, CaseIterable {
    /// A collision of small things.
    case light = 0
    /// A collision of things of middle size.
    case medium = 1
    /// A collision of large things.
    case heavy = 2
    /// A collision of soft things.
    case soft = 3
    /// A collision of hard things.
    case rigid = 4
  }

  private let style: FeedbackStyle

  /// Of medium style.
  public override convenience init() { self.init(style: .medium) }

  /// A generator of one kind of impact.
  public init(style: FeedbackStyle) {
    self.style = style
    super.init()
  }

  /// Reports an impact at full intensity.
  open func impactOccurred() { impactOccurred(intensity: 1) }

  /// - Parameter intensity: 0 to 1; what is beyond is cut off.
  open func impactOccurred(intensity: CGFloat) {
    play(.impact(style, intensity: min(max(Double(intensity), 0), 1)))
  }
}

/// The name in Objective-C.
public typealias UIImpactFeedbackStyle = UIImpactFeedbackGenerator.FeedbackStyle

/// Says how a task went.
@MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  /// The raw values are UIKit's.
  public enum FeedbackType: Int, Sendable, CaseIterable {
    /// A task has succeeded.
    case success = 0
    /// A task has given a warning.
    case warning = 1
    /// A task has failed.
    case error = 2
  }

  /// A generator.
  public override init() { super.init() }

  /// Reports a success, a warning or an error.
  open func notificationOccurred(_ notificationType: FeedbackType) { play(.notification(notificationType)) }
}

/// Says that a choice has changed.
@MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  /// A generator.
  public override init() { super.init() }

  /// Reports that the selection has changed.
  open func selectionChanged() { play(.selection) }
}
