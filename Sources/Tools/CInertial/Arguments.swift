internal import InertialCommand
internal import InertialLogs
internal import InertialSystem

// What C's callers give, checked before it is used.

/// Where the message of a failure goes: room for bytes, ended with 0.
struct MessageRoom {
  let bytes: UnsafeMutablePointer<CChar>?
  let count: Int

  /// Does the work, and gives its code; what it throws is told here.
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

  /// As much as there is room for, cut between characters.
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

/// The most words, columns, and bytes of a text that anybody means.
private let longest = (words: 1 << 16, columns: 1 << 12, text: 1 << 20)

/// Texts that end with 0.
func texts(
  _ pointers: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ noun: String
) throws(CommandFailure) -> [String] {
  guard count >= 0, count <= longest.words else { throw usage("\(count) is no count of \(noun)") }
  guard count > 0 else { return [] }
  guard let pointers else { throw usage("the \(noun) are NULL") }
  var texts: [String] = []
  for index in 0..<count {
    guard let text = pointers[index] else { throw usage("number \(index + 1) of the \(noun) is NULL") }
    guard strnlen(text, longest.text) < longest.text, let word = String(validatingCString: text) else {
      throw usage("number \(index + 1) of the \(noun) is no text in UTF-8")
    }
    texts.append(word)
  }
  return texts
}

/// Columns that the caller keeps in place during the call; nil where none are given.
func table(
  _ names: UnsafePointer<UnsafePointer<CChar>?>?, _ values: UnsafePointer<UnsafeRawPointer?>?,
  _ types: UnsafePointer<Int32>?, _ strides: UnsafePointer<Int>?, _ columnCount: Int, _ rowCount: Int
) throws(CommandFailure) -> HeldTable? {
  guard columnCount != 0 else { return nil }
  guard columnCount > 0, columnCount <= longest.columns else { throw usage("\(columnCount) is no count of columns") }
  guard rowCount >= 0 else { throw usage("\(rowCount) is no count of rows") }
  let names = try texts(names, columnCount, "columns' names")
  guard let values, let types, let strides else { throw usage("the columns' values, types or strides are NULL") }
  var columns: [HeldTable.Column] = []
  for (index, name) in names.enumerated() {
    guard let kind = HeldTable.Kind(rawValue: types[index]) else {
      throw usage("column \(name): \(types[index]) is no type of number")
    }
    guard let base = values[index] else { throw usage("column \(name): the values are NULL") }
    let (span, isTooMuch) = max(rowCount - 1, 0).multipliedReportingOverflow(by: strides[index])
    guard !isTooMuch, !Int(bitPattern: base).addingReportingOverflow(span).overflow else {
      throw usage("column \(name): a stride of \(strides[index]) bytes leads out of memory")
    }
    columns.append(HeldTable.Column(name: name, kind: kind, base: base, stride: strides[index]))
  }
  return HeldTable(columns: columns, rowCount: rowCount)
}
