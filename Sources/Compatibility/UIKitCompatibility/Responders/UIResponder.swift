/// An object that handles events, or forwards them to the next responder in its chain.
///
/// It behaves like UIKit's class, within the limits of Linux: it is not an `NSObject`, as a subclass of `NSObject`
/// cannot have its initializer on the main actor, and an extension cannot override its methods. A view controller's
/// chain consists of the window, the application and the application's delegate; any other responder's is defined by
/// its `next`, by default `nil`.
@preconcurrency @MainActor open class UIResponder {
  /// Creates a responder.
  public init() {}

  /// The next responder in the chain, or `nil` at its end.
  open var next: UIResponder? { nil }

  /// Whether the responder may become the first responder. Default: false.
  open var canBecomeFirstResponder: Bool { false }
  /// Whether the responder may resign as first responder. Default: true.
  open var canResignFirstResponder: Bool { true }
  /// Whether the responder is the first to receive motion events.
  open var isFirstResponder: Bool { UIApplication.shared.firstResponder === self }

  /// Makes this object the first responder, which receives motion events. The previous first responder is requested to
  /// resign.
  ///
  /// UIKit also requires a view in a window; there are no views here.
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

  /// Resigns as first responder; a shake in progress is cancelled.
  ///
  /// - Returns: Whether the object is no longer the first responder.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return true }
    guard canResignFirstResponder else { return false }
    UIApplication.shared.changeFirstResponder(to: nil)
    return true
  }

  /// Called when a motion has begun. Forwards the event to the next responder unless overridden, as do the two
  /// functions below.
  open func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    next?.motionBegan(motion, with: event)
  }

  /// Called when a motion has ended: the device was shaken.
  open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    next?.motionEnded(motion, with: event)
  }

  /// Called when a motion in progress is cancelled: it took too long, the source was interrupted, or the app or its
  /// first responder is no longer active.
  open func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
    next?.motionCancelled(motion, with: event)
  }

  /// The undo manager of the nearest responder in the chain that has one; a window has its own.
  open var undoManager: UndoManager? { next?.undoManager }
}

extension UIResponder: @preconcurrency Equatable {
  public static func == (a: UIResponder, b: UIResponder) -> Bool { a === b }
}
