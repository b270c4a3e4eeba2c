import Foundation

#if canImport(UIKit)
  import UIKit
#else
  import UIKitCompatibility
#endif

/// A note that grows word by word and loses its last word when the device is shaken. It only registers its changes: the
/// application uses the first responder's undo manager.
final class ShakeToUndoNote: UIViewController {
  private(set) var words: [String] = []

  override var canBecomeFirstResponder: Bool { true }

  override func viewDidLoad() {
    super.viewDidLoad()
    UIApplication.shared.applicationSupportsShakeToEdit = true
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    becomeFirstResponder()
  }

  func type(_ word: String) {
    words.append(word)
    undoManager?.registerUndo(withTarget: self) { $0.erase() }
    undoManager?.setActionName("Typing")
  }

  private func erase() {
    let word = words.removeLast()
    undoManager?.registerUndo(withTarget: self) { $0.type(word) }
  }
}
