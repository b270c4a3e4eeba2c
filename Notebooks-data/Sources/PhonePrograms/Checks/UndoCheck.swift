import UIKitCompatibility

/// Checks shake to undo: each shake removes the last word.
@MainActor enum UndoCheck {
  static func run(_ report: inout Report) async throws {
    report.note("\nShake to undo")
    let playback = try Playback(PhonePrograms.simulated("shake.csv"))
    let (note, window) = (ShakeToUndoNote(), UIWindow())
    window.rootViewController = note
    window.makeKeyAndVisible()
    for word in ["one", "two", "three", "four", "five"] {
      note.type(word)
      await nextTurn()
    }
    await playback.play()
    report.check(
      note.words == ["one", "two"], "five words and three shakes leave: \(note.words.joined(separator: ", "))")
    note.undoManager?.redo()
    report.check(note.words.last == "three", "and one more is back when that is done again")
    window.rootViewController = nil
  }

  /// Waits for the next turn of the main queue, because words typed in the same turn are undone together.
  private static func nextTurn() async {
    await withCheckedContinuation { continuation in OperationQueue.main.addOperation { continuation.resume() } }
  }
}
