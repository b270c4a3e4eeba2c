#if !canImport(Darwin)
  internal import Foundation

  /// Records the actions that undo and redo an app's changes, as Foundation on Linux does not have this class.
  ///
  /// Actions that are registered in one turn of the main queue are undone together (`groupsByEvent`), actions that are
  /// registered during an undo are used for redo, and targets are not retained, as on Apple's platforms.
  @preconcurrency @MainActor open class UndoManager {
    private struct Action {
      weak var target: AnyObject?
      let perform: @MainActor () -> Void
    }

    private typealias Group = (actions: [Action], name: String)

    private var undoStack: [Group] = []
    private var redoStack: [Group] = []
    /// The open groups, the outermost first.
    private var open: [Group] = []
    private var isForwards: Bool { !isUndoing && !isRedoing }
    private var disabledCount = 0
    /// Whether the outermost group belongs to the current turn of the main queue.
    private var isOfTurn = false

    /// Creates an empty manager.
    public init() {}

    /// Whether all actions that are registered in one turn of the main queue form a group. Default: true.
    open var groupsByEvent = true
    /// The maximum number of groups; 0, the default, is unlimited.
    open var levelsOfUndo = 0 { didSet { forgetOldest() } }

    /// The number of open groups.
    open var groupingLevel: Int { open.count }
    /// Whether there are actions to undo.
    open var canUndo: Bool { !undoStack.isEmpty || open.contains { !$0.actions.isEmpty } }
    /// Whether there are actions to redo.
    open var canRedo: Bool { !redoStack.isEmpty }
    /// Whether an undo is in progress.
    open private(set) var isUndoing = false
    /// Whether a redo is in progress.
    open private(set) var isRedoing = false
    /// Whether actions are registered.
    open var isUndoRegistrationEnabled: Bool { disabledCount == 0 }
    /// The name of the next undo action, or an empty string if it has no name.
    open var undoActionName: String { open.first?.name ?? undoStack.last?.name ?? "" }
    /// The name of the next redo action, or an empty string if it has no name.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// Disables the registration until a matching call of `enableUndoRegistration`.
    open func disableUndoRegistration() { disabledCount += 1 }

    /// Reverts one call of `disableUndoRegistration`.
    open func enableUndoRegistration() {
      precondition(disabledCount > 0, "enableUndoRegistration without disableUndoRegistration")
      disabledCount -= 1
    }

    /// Sets the name of the undo action, for a menu.
    open func setActionName(_ actionName: String) {
      if open.isEmpty {
        if !undoStack.isEmpty { undoStack[undoStack.count - 1].name = actionName }
      } else {
        open[0].name = actionName
      }
    }

    /// Registers an action that undoes a change. Redo actions are discarded, unless an undo or redo is in progress.
    ///
    /// - Parameter target: The object that the handler receives. It is not retained; after its deallocation, nothing is
    ///   undone.
    /// - Parameter handler: The action.
    public func registerUndo<TargetType: AnyObject>(
      withTarget target: TargetType, handler: @escaping @MainActor (TargetType) -> Void
    ) {
      guard isUndoRegistrationEnabled else { return }
      if open.isEmpty {
        guard isForwards, groupsByEvent else {
          preconditionFailure("registerUndo without a group: call beginUndoGrouping, or set groupsByEvent")
        }
        beginTurn()
      }
      if isForwards { redoStack.removeAll() }
      let action = Action(target: target) { [weak target] in if let target { handler(target) } }
      open[open.count - 1].actions.append(action)
    }

    /// Opens a group: actions that are registered until its end are undone together.
    open func beginUndoGrouping() {
      if open.isEmpty, groupsByEvent, isForwards { beginTurn() }
      open.append(([], ""))
    }

    /// Closes the group that was opened last.
    open func endUndoGrouping() {
      guard var group = open.popLast() else {
        preconditionFailure("endUndoGrouping without beginUndoGrouping")
      }
      guard open.isEmpty else {
        open[open.count - 1].actions += group.actions
        return
      }
      isOfTurn = false
      guard !group.actions.isEmpty else { return }
      if isUndoing {
        group.name = group.name.isEmpty ? redoActionName : group.name
        redoStack.append(group)
      } else {
        undoStack.append(group)
        forgetOldest()
      }
    }

    /// Undoes the last group, after closing the group of the current turn.
    open func undo() {
      if isOfTurn, open.count == 1 { endUndoGrouping() }
      precondition(open.isEmpty, "undo in an open group: call endUndoGrouping first")
      guard let group = undoStack.popLast() else { return }
      isUndoing = true
      perform(group)
      isUndoing = false
    }

    /// Redoes the last undone group.
    open func redo() {
      if isOfTurn, open.count == 1 { endUndoGrouping() }
      precondition(open.isEmpty, "redo in an open group: call endUndoGrouping first")
      guard let group = redoStack.popLast() else { return }
      isRedoing = true
      perform(group)
      isRedoing = false
    }

    /// Removes all undo and redo actions.
    open func removeAllActions() {
      undoStack.removeAll()
      redoStack.removeAll()
      for index in open.indices { open[index].actions.removeAll() }
    }

    /// Removes the actions of a target.
    open func removeAllActions(withTarget target: Any) {
      let target = target as AnyObject
      func without(_ groups: [Group]) -> [Group] {
        groups.map { group in
          var group = group
          group.actions.removeAll { $0.target === target }
          return group
        }
      }
      undoStack = without(undoStack).filter { !$0.actions.isEmpty }
      redoStack = without(redoStack).filter { !$0.actions.isEmpty }
      open = without(open)
    }

    /// Performs the group's actions, the last first, and stores the actions that they register for the opposite
    /// direction.
    private func perform(_ group: Group) {
      open.append(([], group.name))
      for action in group.actions.reversed() { action.perform() }
      while !open.isEmpty { endUndoGrouping() }
    }

    private func beginTurn() {
      open.append(([], ""))
      isOfTurn = true
      DispatchQueue.main.async { [weak self] in
        MainActor.assumeIsolated {
          guard let self, self.isOfTurn, self.open.count == 1 else { return }
          self.endUndoGrouping()
        }
      }
    }

    private func forgetOldest() {
      if levelsOfUndo > 0, undoStack.count > levelsOfUndo { undoStack.removeFirst(undoStack.count - levelsOfUndo) }
    }
  }
#endif
