public import Foundation

/// What is on the screen: a root view controller with its events.
///
/// There is nothing to see here, so it has no frame: a window is shown, and gets the motion events that no first responder
/// takes.
@MainActor open class UIWindow: UIResponder {
  private var ownUndoManager: UndoManager?

  /// A window, not the key one yet.
  public override init() { super.init() }

  /// Who is shown in it, from `makeKeyAndVisible` on.
  open var rootViewController: UIViewController? {
    didSet {
      guard rootViewController !== oldValue else { return }
      oldValue?.disappear()
      oldValue?.window = nil
      rootViewController?.window = self
      if isKeyWindow { rootViewController?.appear() }
    }
  }

  /// Whether it gets the events of motion.
  open var isKeyWindow: Bool { UIApplication.shared.keyWindow === self }

  /// Shows the window, and makes it the one that gets events.
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

/// A screen of an app: told when it appears and disappears.
@MainActor open class UIViewController: UIResponder {
  /// The window that shows it.
  weak var window: UIWindow?
  private var isOnScreen = false

  /// Whether `viewDidLoad` has been called.
  open private(set) var isViewLoaded = false

  /// - Parameters: as UIKit's; there are no nibs here.
  public init(nibName: String?, bundle: Bundle?) { super.init() }

  /// A controller with a view of its own.
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  /// A controller with a view of its own: there are no archives of interfaces.
  public required init?(coder: NSCoder) { super.init() }

  open override var next: UIResponder? { window }

  /// Called once, before it first appears.
  open func viewDidLoad() {}
  /// The view is about to be shown.
  open func viewWillAppear(_ animated: Bool) {}
  /// The view is shown.
  open func viewDidAppear(_ animated: Bool) {}
  /// The view is about to go.
  open func viewWillDisappear(_ animated: Bool) {}
  /// The view is gone.
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
