internal import Dispatch
internal import InertialCommand
internal import InertialJobs
internal import InertialSystem

/// What a caller holds by a number.
enum Held {
  case answer(Answer)
  case stream(Stream)

  /// An answer, which is only read.
  final class Answer: Sendable {
    let value: CommandAnswer
    /// Texts that pointers were given to, each ending with 0.
    let document: [CChar]
    let names: [[CChar]]
    let columns: [[(name: [CChar], unit: [CChar])]]

    init(_ value: CommandAnswer) {
      self.value = value
      document = Array(value.document.utf8CString)
      names = value.tables.map { Array($0.name.utf8CString) }
      columns = value.tables.map { table in
        table.block.columns.map { (Array($0.name.utf8CString), Array($0.unit.utf8CString)) }
      }
    }
  }

  /// A stream, which one thread at a time uses; others wait.
  final class Stream: @unchecked Sendable {
    private var value: CommandStream
    private let turn = DispatchSemaphore(value: 1)
    let columns: [(name: [CChar], unit: [CChar])]

    init(_ value: CommandStream) {
      columns = value.columns.map { (Array($0.name.utf8CString), Array($0.unit.utf8CString)) }
      self.value = value
    }

    /// Does the work when it is the caller's turn.
    func use<Result>(
      _ work: (inout CommandStream) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
      turn.wait()
      defer { turn.signal() }
      return try work(&value)
    }
  }
}

/// What callers hold, by numbers that are never given twice: one that was released, or never given, is told and not
/// followed. It belongs to the process, as C's callers have nothing else to keep it in.
enum Handles {
  private struct Table {
    var next: UInt64 = 1
    var held: [UInt64: Held] = [:]
  }

  private static let table = SharedState(Table())

  static func add(_ held: Held) -> UInt64 {
    table.withLock { table in
      defer { table.next += 1 }
      table.held[table.next] = held
      return table.next
    }
  }

  static func remove(_ handle: UInt64) -> Bool {
    // Freed outside the lock, as it may take a while.
    let removed = table.withLock { $0.held.removeValue(forKey: handle) }
    return removed != nil
  }

  private static func find(_ handle: UInt64) -> Held? { table.withLock { $0.held[handle] } }

  static func answer(_ handle: UInt64) throws(CommandFailure) -> Held.Answer {
    guard case .answer(let answer)? = find(handle) else { throw unknown(handle, "answer") }
    return answer
  }

  static func stream(_ handle: UInt64) throws(CommandFailure) -> Held.Stream {
    guard case .stream(let stream)? = find(handle) else { throw unknown(handle, "stream") }
    return stream
  }

  private static func unknown(_ handle: UInt64, _ noun: String) -> CommandFailure {
    let article = noun == "answer" ? "an" : "a"
    return CommandFailure(kind: .usage, message: "\(handle) is no handle of \(article) \(noun), or was released")
  }
}
