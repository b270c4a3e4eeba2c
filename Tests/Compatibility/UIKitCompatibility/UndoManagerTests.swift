import Testing
import UIKitCompatibility

@MainActor @Suite struct UndoManagerTests {
  @Test("each group is undone separately, and redone in its order")
  func groups() {
    let manager = UndoManager()
    manager.groupsByEvent = false
    let text = Text(manager)
    for word in ["one", "two"] {
      manager.beginUndoGrouping()
      text.append(word)
      text.append(word + "!")
      manager.setActionName(word)
      manager.endUndoGrouping()
    }
    #expect(manager.canUndo && !manager.canRedo && manager.undoActionName == "two")
    manager.undo()
    #expect(text.words == ["one", "one!"] && manager.canRedo && manager.redoActionName == "two")
    manager.undo()
    #expect(text.words.isEmpty && !manager.canUndo)
    manager.redo()
    manager.redo()
    #expect(text.words == ["one", "one!", "two", "two!"] && !manager.canRedo && manager.undoActionName == "two")
    manager.undo()
    manager.beginUndoGrouping()
    text.append("three")
    manager.endUndoGrouping()
    #expect(!manager.canRedo, "a new change forgets what could be done again")
  }

  @Test("actions that are registered in one turn of the main queue form a group")
  func turns() async {
    let manager = UndoManager()
    let text = Text(manager)
    text.append("one")
    text.append("two")
    #expect(manager.groupingLevel == 1 && manager.canUndo)
    await nextTurn()
    #expect(manager.groupingLevel == 0)
    text.append("three")
    manager.undo()
    #expect(text.words == ["one", "two"])
    manager.undo()
    #expect(text.words.isEmpty)
  }

  @Test("actions of deallocated or removed targets, disabled registrations and too old actions are not undone")
  func limits() {
    let manager = UndoManager()
    manager.groupsByEvent = false
    func change(_ text: Text, _ word: String) {
      manager.beginUndoGrouping()
      text.append(word)
      manager.endUndoGrouping()
    }
    let text = Text(manager)
    do { change(Text(manager), "gone") }
    change(text, "kept")
    manager.undo()
    manager.undo()
    #expect(text.words.isEmpty)
    change(text, "one")
    manager.removeAllActions(withTarget: text)
    #expect(!manager.canUndo)
    manager.disableUndoRegistration()
    change(text, "two")
    #expect(!manager.canUndo && !manager.isUndoRegistrationEnabled)
    manager.enableUndoRegistration()
    manager.levelsOfUndo = 2
    for word in ["three", "four", "five"] { change(text, word) }
    while manager.canUndo { manager.undo() }
    #expect(text.words == ["one", "two", "three"])
    change(text, "six")
    manager.removeAllActions()
    #expect(!manager.canUndo && !manager.canRedo && !manager.isUndoing && !manager.isRedoing)
  }
}

/// A text whose changes can be undone.
@MainActor final class Text {
  private let manager: UndoManager
  private(set) var words: [String] = []

  init(_ manager: UndoManager) { self.manager = manager }

  func append(_ word: String) {
    words.append(word)
    manager.registerUndo(withTarget: self) { $0.removeLast() }
  }

  private func removeLast() {
    let word = words.removeLast()
    manager.registerUndo(withTarget: self) { $0.append(word) }
  }
}

/// Waits until all operations that are in the main queue now have finished.
@MainActor func nextTurn() async {
  await withCheckedContinuation { continuation in OperationQueue.main.addOperation { continuation.resume() } }
}
