internal import Dispatch
internal import InertialJobs
internal import InertialSystem

/// An answer, which is immutable.
final class Answer: Sendable {
  let job: JobAnswer
  /// The C strings that callers have pointers to.
  let document: [CChar]
  let names: [[CChar]]
  let columns: [[(name: [CChar], unit: [CChar])]]

  init(_ job: JobAnswer) {
    self.job = job
    document = Array(job.document.utf8CString)
    names = job.tables.map { Array($0.name.utf8CString) }
    columns = job.tables.map { table in
      table.block.columns.map { (Array($0.name.utf8CString), Array($0.unit.utf8CString)) }
    }
  }

  static func find(_ handle: UInt64) throws(FusionError) -> Answer { try lookUp(handle, "an answer") }
}

/// A stream, which one thread uses at a time; others wait.
final class Stream: @unchecked Sendable {
  private var value: FusionStream
  private let turn = DispatchSemaphore(value: 1)
  let columns: [(name: [CChar], unit: [CChar])]
  /// The last state as a C string that a caller has a pointer to.
  private var state: [CChar] = []

  init(_ value: FusionStream) {
    columns = value.columns.map { (Array($0.name.utf8CString), Array($0.unit.utf8CString)) }
    self.value = value
  }

  /// Calls a closure with exclusive access to the stream.
  func use<Result>(_ work: (inout FusionStream) throws(FusionError) -> Result) throws(FusionError) -> Result {
    turn.wait()
    defer { turn.signal() }
    return try work(&value)
  }

  /// Returns the state as a C string, which is valid until the next call.
  func saved() throws(FusionError) -> UnsafePointer<CChar> {
    turn.wait()
    defer { turn.signal() }
    state = Array(try value.state().utf8CString)
    return lasting(state)
  }

  static func find(_ handle: UInt64) throws(FusionError) -> Stream { try lookUp(handle, "a stream") }
}

/// The answers and streams of all callers, by handles that are never reused: a handle that was released or is unknown
/// is detected and rejected. They are global, as C callers have no other place for them.
private let handles = SharedState((next: UInt64(1), values: [UInt64: any AnyObject & Sendable]()))

func addHandle(_ value: any AnyObject & Sendable) -> UInt64 {
  handles.withLock { handles in
    defer { handles.next += 1 }
    handles.values[handles.next] = value
    return handles.next
  }
}

/// Removes a handle and returns whether it existed.
func removeHandle(_ handle: UInt64) -> Bool {
  // The value is deallocated outside the lock, as this may take a while.
  let removed = handles.withLock { $0.values.removeValue(forKey: handle) }
  return removed != nil
}

private func lookUp<Value>(_ handle: UInt64, _ noun: String) throws(FusionError) -> Value {
  guard let value = handles.withLock({ $0.values[handle] }) as? Value else {
    throw .usage("\(handle) is no handle of \(noun), or was released")
  }
  return value
}
