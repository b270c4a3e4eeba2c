public import Foundation

/// Plays haptics: here it tells `DeviceFeedback`. As on a device, nothing is played while the app is in the background.
@MainActor open class UIFeedbackGenerator {
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
    case light = 0
    case medium = 1
    case heavy = 2
    case soft = 3
    case rigid = 4
  }

  private let style: FeedbackStyle

  /// Of medium style.
  public override convenience init() { self.init(style: .medium) }

  public init(style: FeedbackStyle) {
    self.style = style
    super.init()
  }

  open func impactOccurred() { impactOccurred(intensity: 1) }

  /// - Parameter intensity: 0 to 1; what is beyond is cut off.
  open func impactOccurred(intensity: CGFloat) {
    play(.impact(style, intensity: min(max(Double(intensity), 0), 1)))
  }
}

public typealias UIImpactFeedbackStyle = UIImpactFeedbackGenerator.FeedbackStyle

/// Says how a task went.
@MainActor open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
  /// The raw values are UIKit's.
  public enum FeedbackType: Int, Sendable, CaseIterable {
    case success = 0
    case warning = 1
    case error = 2
  }

  public override init() { super.init() }

  open func notificationOccurred(_ notificationType: FeedbackType) { play(.notification(notificationType)) }
}

/// Says that a choice has changed.
@MainActor open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
  public override init() { super.init() }

  open func selectionChanged() { play(.selection) }
}
