#if !canImport(Darwin)
  internal import Foundation

  /// Keeps what undoes an app's changes, and what does them again. Foundation on Linux has none.
  ///
  /// As Apple's: what is registered in one turn of the main queue is undone together (`groupsByEvent`), what is registered
  /// while undoing is what redoing does, and a target is not kept.
  @MainActor open class UndoManager {
    private struct Action {
      weak var target: AnyObject?
      let perform: @MainActor () -> Void
    }

    private struct Group {
      var actions: [Action] = []
      var name = ""
    }

    private enum Direction { case forwards, undoing, redoing }

    private var undoStack: [Group] = []
    private var redoStack: [Group] = []
    /// Groups that are open, the outermost first.
    private var open: [Group] = []
    private var direction = Direction.forwards
    private var disabledCount = 0
    /// Whether the outermost group is that of this turn of the main queue.
    private var isOfTurn = false

    /// A manager with nothing to undo.
    public init() {}

    /// Whether all that is registered in one turn of the main queue is one group. Default: it is.
    open var groupsByEvent = true
    /// Groups that are kept; 0, the default: all.
    open var levelsOfUndo = 0 { didSet { forgetOldest() } }

    /// How many groups are open.
    open var groupingLevel: Int { open.count }
    /// Whether there is something to undo.
    open var canUndo: Bool { !undoStack.isEmpty || open.contains { !$0.actions.isEmpty } }
    /// Whether there is something to redo.
    open var canRedo: Bool { !redoStack.isEmpty }
    /// Whether something is being undone now.
    open var isUndoing: Bool { direction == .undoing }
    /// Whether something is being redone now.
    open var isRedoing: Bool { direction == .redoing }
    /// Whether actions are registered.
    open var isUndoRegistrationEnabled: Bool { disabledCount == 0 }
    /// The name of what is undone next; empty where it has none.
    open var undoActionName: String { open.first?.name ?? undoStack.last?.name ?? "" }
    /// The name of what is redone next; empty where it has none.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// Registers nothing until as many calls of `enableUndoRegistration`.
    open func disableUndoRegistration() { disabledCount += 1 }

    /// Takes one call of `disableUndoRegistration` back.
    open func enableUndoRegistration() {
      precondition(disabledCount > 0, "enableUndoRegistration without disableUndoRegistration")
      disabledCount -= 1
    }

    /// Names what is undone, for a menu.
    open func setActionName(_ actionName: String) {
      if open.isEmpty {
        if !undoStack.isEmpty { undoStack[undoStack.count - 1].name = actionName }
      } else {
        open[0].name = actionName
      }
    }

    /// Keeps what undoes a change. What could be redone is forgotten, unless this undoes or redoes.
    ///
    /// - `target`: not kept; when it is gone, nothing is undone.
    public func registerUndo<TargetType: AnyObject>(
      withTarget target: TargetType, handler: @escaping @MainActor (TargetType) -> Void
    ) {
      guard isUndoRegistrationEnabled else { return }
      if open.isEmpty {
        guard direction == .forwards, groupsByEvent else {
          preconditionFailure("registerUndo without a group: call beginUndoGrouping, or set groupsByEvent")
        }
        beginTurn()
      }
      if direction == .forwards { redoStack.removeAll() }
      let action = Action(target: target) { [weak target] in if let target { handler(target) } }
      open[open.count - 1].actions.append(action)
    }

    /// Opens a group: what is registered until its end is undone together.
    open func beginUndoGrouping() {
      if open.isEmpty, groupsByEvent, direction == .forwards { beginTurn() }
      open.append(Group())
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
      if direction == .undoing {
        group.name = group.name.isEmpty ? redoActionName : group.name
        redoStack.append(group)
      } else {
        undoStack.append(group)
        forgetOldest()
      }
    }

    /// Undoes the last group; closes that of this turn before.
    open func undo() {
      if isOfTurn, open.count == 1 { endUndoGrouping() }
      precondition(open.isEmpty, "undo in an open group: call endUndoGrouping first")
      if let group = undoStack.popLast() { perform(group, .undoing) }
    }

    /// Does again what was undone last.
    open func redo() {
      if isOfTurn, open.count == 1 { endUndoGrouping() }
      precondition(open.isEmpty, "redo in an open group: call endUndoGrouping first")
      if let group = redoStack.popLast() { perform(group, .redoing) }
    }

    /// Forgets all that could be undone and redone.
    open func removeAllActions() {
      undoStack.removeAll()
      redoStack.removeAll()
      for index in open.indices { open[index].actions.removeAll() }
    }

    /// Forgets what was registered for a target.
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

    /// Does the group's actions, the last first, and keeps what they register for the way back.
    private func perform(_ group: Group, _ direction: Direction) {
      self.direction = direction
      open.append(Group(name: group.name))
      for action in group.actions.reversed() { action.perform() }
      while !open.isEmpty { endUndoGrouping() }
      self.direction = .forwards
    }

    private func beginTurn() {
      open.append(Group())
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
