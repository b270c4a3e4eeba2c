internal import Dispatch
internal import InertialCommand
internal import InertialJobs
internal import InertialSystem

/// A value that a caller refers to by a handle.
enum HandleValue {
  case answer(Response)
  case stream(Stream)

  /// An answer, which is immutable.
  final class Response: Sendable {
    let value: CommandResult
    /// The C strings that callers have pointers to.
    let document: [CChar]
    let names: [[CChar]]
    let columns: [[(name: [CChar], unit: [CChar])]]

    init(_ value: CommandResult) {
      self.value = value
      document = Array(value.document.utf8CString)
      names = value.tables.map { Array($0.name.utf8CString) }
      columns = value.tables.map { table in
        table.block.columns.map { (Array($0.name.utf8CString), Array($0.unit.utf8CString)) }
      }
    }
  }

  /// A stream, which one thread uses at a time; others wait.
  final class Stream: @unchecked Sendable {
    private var value: CommandStream
    private let turn = DispatchSemaphore(value: 1)
    let columns: [(name: [CChar], unit: [CChar])]

    init(_ value: CommandStream) {
      columns = value.columns.map { (Array($0.name.utf8CString), Array($0.unit.utf8CString)) }
      self.value = value
    }

    /// Calls a closure with exclusive access to the stream.
    func use<Result>(
      _ work: (inout CommandStream) throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
      turn.wait()
      defer { turn.signal() }
      return try work(&value)
    }
  }
}

/// The values of all callers, by handles that are never reused: a handle that was released or is unknown is detected
/// and rejected. The table is global, as C callers have no other place for it.
enum Handles {
  private struct Table {
    var next: UInt64 = 1
    var held: [UInt64: HandleValue] = [:]
  }

  private static let table = SharedState(Table())

  static func add(_ held: HandleValue) -> UInt64 {
    table.withLock { table in
      defer { table.next += 1 }
      table.held[table.next] = held
      return table.next
    }
  }

  static func remove(_ handle: UInt64) -> Bool {
    // Deallocated outside the lock, as this may take a while.
    let removed = table.withLock { $0.held.removeValue(forKey: handle) }
    return removed != nil
  }

  private static func find(_ handle: UInt64) -> HandleValue? { table.withLock { $0.held[handle] } }

  static func answer(_ handle: UInt64) throws(CommandFailure) -> HandleValue.Response {
    guard case .answer(let answer)? = find(handle) else { throw unknown(handle, "answer") }
    return answer
  }

  static func stream(_ handle: UInt64) throws(CommandFailure) -> HandleValue.Stream {
    guard case .stream(let stream)? = find(handle) else { throw unknown(handle, "stream") }
    return stream
  }

  private static func unknown(_ handle: UInt64, _ noun: String) -> CommandFailure {
    let article = noun == "answer" ? "an" : "a"
    return CommandFailure(kind: .usage, message: "\(handle) is no handle of \(article) \(noun), or was released")
  }
}
