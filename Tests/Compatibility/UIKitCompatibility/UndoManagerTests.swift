import Testing
import UIKitCompatibility

@MainActor @Suite struct UndoManagerTests {
  /// A text whose changes can be undone.
  @MainActor private final class Text {
    let manager: UndoManager
    private(set) var words: [String] = []

    init(_ manager: UndoManager) { self.manager = manager }

    func append(_ word: String) {
      words.append(word)
      manager.registerUndo(withTarget: self) { $0.removeLast() }
    }

    func removeLast() {
      let word = words.removeLast()
      manager.registerUndo(withTarget: self) { $0.append(word) }
    }
  }

  @Test("each group is undone by itself, and done again in its order")
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

  @Test("what is registered in one turn of the main queue is one group, and in the next another")
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

  @Test("a target that is gone or taken off is not asked, and what is switched off or too old is forgotten")
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

/// Waits until all that is in the main queue now has been done.
@MainActor func nextTurn() async {
  await withCheckedContinuation { continuation in OperationQueue.main.addOperation { continuation.resume() } }
}
