/// Takes events, or hands them on to the next in its chain.
///
/// As UIKit's, but for what Linux lacks: it is no `NSObject`, as a subclass of one cannot have its initialiser on the main
/// actor, and an extension cannot override its methods. A view controller's chain is window, application, the
/// application's delegate; any other responder's is what its `next` says, by default nothing.
@MainActor open class UIResponder {
  /// A responder.
  public init() {}

  /// The next in the chain; nil at its end.
  open var next: UIResponder? { nil }

  /// Whether it may become the first responder. Default: it may not.
  open var canBecomeFirstResponder: Bool { false }
  /// Whether it may stop to be the first responder. Default: it may.
  open var canResignFirstResponder: Bool { true }
  /// Whether it gets events of motion first.
  open var isFirstResponder: Bool { UIApplication.shared.firstResponder === self }

  /// Asks to be the first whom motion events are sent to. The one that was is asked to resign.
  ///
  /// UIKit also asks for a view in a window; there are no views here.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    if isFirstResponder { return true }
    guard canBecomeFirstResponder else { return false }
    if let last = UIApplication.shared.firstResponder {
      guard last.canResignFirstResponder, last.resignFirstResponder() else { return false }
    }
    UIApplication.shared.changeFirstResponder(to: self)
    return true
  }

  /// Gives up to be the first; a shake that goes on is cancelled.
  ///
  /// - Returns: whether it is not the first responder any more.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return true }
    guard canResignFirstResponder else { return false }
    UIApplication.shared.changeFirstResponder(to: nil)
    return true
  }

  /// A motion has begun. Hands it on to the next responder, unless overridden; so do the other two.
  open func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    next?.motionBegan(motion, with: event)
  }

  /// A motion has ended: the device was shaken.
  open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    next?.motionEnded(motion, with: event)
  }

  /// A motion that had begun does not count: it went on for too long, the source was interrupted, or the app or its first
  /// responder is not in front any more.
  open func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    next?.motionCancelled(motion, with: event)
  }

  /// Of the nearest in the chain that has one; a window has one of its own.
  open var undoManager: UndoManager? { next?.undoManager }
}

extension UIResponder: @MainActor Equatable {
  public static func == (a: UIResponder, b: UIResponder) -> Bool { a === b }
}
