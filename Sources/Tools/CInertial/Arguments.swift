internal import InertialJobs
internal import InertialLogs
internal import InertialSystem

// Validation of the arguments of C callers.

/// Runs a closure and returns its status code; the message of an error is written to the caller's buffer.
///
/// - Parameters:
///   - message: The buffer for the message, a C string, or `nil` to ignore it.
///   - size: The size of the buffer in bytes.
func attempt(
  _ message: UnsafeMutablePointer<CChar>?, _ size: Int, _ work: () throws(FusionError) -> Void
) -> Int32 {
  do throws(FusionError) {
    try work()
    copy("", to: message, size)
    return 0
  } catch {
    copy(error.description, to: message, size)
    return error.exitCode
  }
}

/// Writes as much of a string as fits, truncated between characters.
private func copy(_ text: String, to bytes: UnsafeMutablePointer<CChar>?, _ size: Int) {
  guard let bytes, size > 0 else { return }
  var end = 0
  for character in text {
    let units = String(character).utf8
    guard end + units.count < size else { break }
    for unit in units {
      bytes[end] = CChar(bitPattern: unit)
      end += 1
    }
  }
  bytes[end] = 0
}

/// The maximum numbers of words and columns, and the maximum lengths of a string and of a stream's state in bytes, that
/// are plausible.
let maximumSizes = (words: 1 << 16, columns: 1 << 12, text: 1 << 20, state: 1 << 30)

/// Returns a string from a C string.
///
/// - Parameter maximumSize: The maximum length in bytes that is plausible.
func text(
  _ pointer: UnsafePointer<CChar>?, _ noun: String, maximumSize: Int = maximumSizes.text
) throws(FusionError) -> String {
  guard let pointer else { throw .usage("\(noun) is NULL") }
  guard strnlen(pointer, maximumSize) < maximumSize, let text = String(validatingCString: pointer) else {
    throw .usage("\(noun) is no text in UTF-8")
  }
  return text
}

/// Returns strings from C strings.
func texts(
  _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ noun: String
) throws(FusionError) -> [String] {
  guard count >= 0, count <= maximumSizes.words else { throw .usage("\(count) is no count of \(noun)") }
  guard count > 0 else { return [] }
  guard let pointers else { throw .usage("the \(noun) are NULL") }
  var texts: [String] = []
  for index in 0..<count {
    texts.append(try text(pointers[index], "number \(index + 1) of the \(noun)"))
  }
  return texts
}

/// Returns the columns, which the caller keeps in place during the call, or `nil` if there are none.
func table(
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafeRawPointer?>?,
  _ types: UnsafePointer<Int32>?, _ strides: UnsafePointer<Int>?, _ columnCount: Int, _ rowCount: Int
) throws(FusionError) -> InMemoryTable? {
  guard columnCount != 0 else { return nil }
  guard columnCount > 0, columnCount <= maximumSizes.columns else {
    throw .usage("\(columnCount) is no count of columns")
  }
  guard rowCount >= 0 else { throw .usage("\(rowCount) is no count of rows") }
  let names = try texts(names, columnCount, "columns' names")
  guard let values, let types, let strides else { throw .usage("the columns' values, types or strides are NULL") }
  var columns: [InMemoryTable.Column] = []
  for (index, name) in names.enumerated() {
    guard let kind = InMemoryTable.Kind(rawValue: types[index]) else {
      throw .usage("column \(name): \(types[index]) is no type of number")
    }
    guard let base = values[index] else { throw .usage("column \(name): the values are NULL") }
    let (span, isTooMuch) = max(rowCount - 1, 0).multipliedReportingOverflow(by: strides[index])
    guard !isTooMuch, !Int(bitPattern: base).addingReportingOverflow(span).overflow else {
      throw .usage("column \(name): a stride of \(strides[index]) bytes leads out of memory")
    }
    columns.append(InMemoryTable.Column(name: name, kind: kind, base: base, stride: strides[index]))
  }
  return InMemoryTable(columns: columns, rowCount: rowCount)
}
