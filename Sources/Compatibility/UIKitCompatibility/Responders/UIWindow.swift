public import Foundation

/// A window with a root view controller.
///
/// There is no screen, so a window has no frame: it can be shown, and it receives motion events if there is no first
/// responder.
@preconcurrency @MainActor open class UIWindow: UIResponder {
  private var ownUndoManager: UndoManager?

  /// Creates a window that is not the key window yet.
  public override init() { super.init() }

  /// The view controller that is shown in the window from `makeKeyAndVisible` on.
  open var rootViewController: UIViewController? {
    didSet {
      guard rootViewController !== oldValue else { return }
      oldValue?.disappear()
      oldValue?.window = nil
      rootViewController?.window = self
      if isKeyWindow { rootViewController?.appear() }
    }
  }

  /// Whether the window receives motion events.
  open var isKeyWindow: Bool { UIApplication.shared.keyWindow === self }

  /// Shows the window and makes it the key window.
  open func makeKeyAndVisible() {
    guard !isKeyWindow else { return }
    UIApplication.shared.changeKeyWindow(to: self)
    rootViewController?.appear()
  }

  open override var next: UIResponder? { UIApplication.shared }

  open override var undoManager: UndoManager? {
    let manager = ownUndoManager ?? UndoManager()
    ownUndoManager = manager
    return manager
  }
}

/// A screen of an app, which is notified when it appears and disappears.
@preconcurrency @MainActor open class UIViewController: UIResponder {
  /// The window that shows the view controller.
  weak var window: UIWindow?
  private var isOnScreen = false

  /// Whether `viewDidLoad` has been called.
  open private(set) var isViewLoaded = false

  /// Creates a view controller; the arguments are ignored, as there are no nibs.
  public init(nibName: String?, bundle: Bundle?) { super.init() }

  /// Creates a view controller.
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  /// Creates a view controller; the coder is ignored, as there are no interface archives.
  public required init?(coder: NSCoder) { super.init() }

  open override var next: UIResponder? { window }

  /// Called once, before the first appearance.
  open func viewDidLoad() {}
  /// Called when the view is about to be shown.
  open func viewWillAppear(_ animated: Bool) {}
  /// Called when the view is shown.
  open func viewDidAppear(_ animated: Bool) {}
  /// Called when the view is about to be hidden.
  open func viewWillDisappear(_ animated: Bool) {}
  /// Called when the view is hidden.
  open func viewDidDisappear(_ animated: Bool) {}

  func appear() {
    guard !isOnScreen else { return }
    isOnScreen = true
    if !isViewLoaded {
      isViewLoaded = true
      viewDidLoad()
    }
    viewWillAppear(false)
    viewDidAppear(false)
  }

  func disappear() {
    guard isOnScreen else { return }
    isOnScreen = false
    viewWillDisappear(false)
    resignFirstResponder()
    viewDidDisappear(false)
  }
}
