internal import InertialCommand
internal import InertialLogs
internal import InertialSystem

// Validation of the arguments of C callers.

/// The caller's buffer for the message of a failure, a C string.
struct MessageBuffer {
  let bytes: UnsafeMutablePointer<CChar>?
  let count: Int

  /// Runs a closure and returns its status code; the message of an error is written to the buffer.
  func attempt(_ work: () throws(CommandFailure) -> Void) -> Int32 {
    do throws(CommandFailure) {
      try work()
      say("")
      return 0
    } catch {
      say(error.message)
      return error.kind.rawValue
    }
  }

  /// Writes as much of a string as fits, truncated between characters.
  private func say(_ text: String) {
    guard let bytes, count > 0 else { return }
    var end = 0
    for character in text {
      let units = String(character).utf8
      guard end + units.count < count else { break }
      for unit in units {
        bytes[end] = CChar(bitPattern: unit)
        end += 1
      }
    }
    bytes[end] = 0
  }
}

func usage(_ message: String) -> CommandFailure { CommandFailure(kind: .usage, message: message) }

/// The maximum numbers of words and columns, and the maximum length of a string in bytes, that are plausible.
private let maximumSizes = (words: 1 << 16, columns: 1 << 12, text: 1 << 20)

/// Returns strings from C strings.
func texts(
  _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ noun: String
) throws(CommandFailure) -> [String] {
  guard count >= 0, count <= maximumSizes.words else { throw usage("\(count) is no count of \(noun)") }
  guard count > 0 else { return [] }
  guard let pointers else { throw usage("the \(noun) are NULL") }
  var texts: [String] = []
  for index in 0..<count {
    guard let text = pointers[index] else { throw usage("number \(index + 1) of the \(noun) is NULL") }
    guard strnlen(text, maximumSizes.text) < maximumSizes.text, let word = String(validatingCString: text) else {
      throw usage("number \(index + 1) of the \(noun) is no text in UTF-8")
    }
    texts.append(word)
  }
  return texts
}

/// Returns the columns, which the caller keeps in place during the call, or `nil` if there are none.
func table(
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafeRawPointer?>?,
  _ types: UnsafePointer<Int32>?, _ strides: UnsafePointer<Int>?, _ columnCount: Int, _ rowCount: Int
) throws(CommandFailure) -> InMemoryTable? {
  guard columnCount != 0 else { return nil }
  guard columnCount > 0, columnCount <= maximumSizes.columns else {
    throw usage("\(columnCount) is no count of columns")
  }
  guard rowCount >= 0 else { throw usage("\(rowCount) is no count of rows") }
  let names = try texts(names, columnCount, "columns' names")
  guard let values, let types, let strides else { throw usage("the columns' values, types or strides are NULL") }
  var columns: [InMemoryTable.Column] = []
  for (index, name) in names.enumerated() {
    guard let kind = InMemoryTable.Kind(rawValue: types[index]) else {
      throw usage("column \(name): \(types[index]) is no type of number")
    }
    guard let base = values[index] else { throw usage("column \(name): the values are NULL") }
    let (span, isTooMuch) = max(rowCount - 1, 0).multipliedReportingOverflow(by: strides[index])
    guard !isTooMuch, !Int(bitPattern: base).addingReportingOverflow(span).overflow else {
      throw usage("column \(name): a stride of \(strides[index]) bytes leads out of memory")
    }
    columns.append(InMemoryTable.Column(name: name, kind: kind, base: base, stride: strides[index]))
  }
  return InMemoryTable(columns: columns, rowCount: rowCount)
}
