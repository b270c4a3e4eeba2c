internal import InertialCommand
internal import InertialJobs
internal import InertialLogs
internal import InertialSystem
internal import Synchronization

// The toolkit for other languages. What can be asked for, and how, is what the command takes; `inertial help` explains
// the words.
//
// Every function that can fail gives a code: 0 done, 1 bad data, 2 bad usage, 3 stopped by the caller. The line that says
// why goes to the room that the caller gives (UTF-8, ended with 0, cut where it is longer; NULL where nobody asks), so that
// threads share nothing. Handles may be used by any thread; those of a stream by one at a time, others wait.

/// The version of the toolkit, such as "0.9.0". The text is the library's and lives as long as it.
@c(inertial_version)
public func version() -> UnsafePointer<CChar> { Version.text }

private enum Version {
  nonisolated(unsafe) static let text = UnsafePointer(strdup(ToolVersion.current)!)
}

/// Asks a subcommand: fuse, read, inspect, evaluate, shake, activity, steps, altitude, filters or formats; or restore, by which
/// another process writes the rows of an answer of fuse: its document, the words of fuse with the path after "--", and the rows
/// as columns.
///
/// The words are those of the command line, the subcommand's first, such as "fuse", "--filter", "vqf", "--smooth",
/// "--", "walk.csv". With columns the log is in memory, and no path is given: column i is named as in a header
/// (time, accelerationX, rotationRateX, magneticFieldX, or with a unit, "Gyroscope X (deg/s)"), its numbers are of types[i]
/// (0 double, 1 float, 2 int64_t, 3 int32_t) and strides[i] bytes apart, which may be 0 or less. They are borrowed until the
/// call is over, and not copied; NaN is no sample.
///
/// progress, where it is not NULL, is called in this thread now and then with the share that is done, 0 to 1; where it
/// gives something else than 0, the work ends with code 3. The answer is to be released.
@c(inertial_ask)
public func ask(
  words: UnsafePointer<UnsafePointer<CChar>?>?, wordCount: Int,
  columnNames: UnsafePointer<UnsafePointer<CChar>?>?, columnValues: UnsafePointer<UnsafeRawPointer?>?,
  columnTypes: UnsafePointer<Int32>?, columnStrides: UnsafePointer<Int>?, columnCount: Int, rowCount: Int,
  progress: (@convention(c) (UnsafeMutableRawPointer?, Double) -> Int32)?, context: UnsafeMutableRawPointer?,
  answer: UnsafeMutablePointer<UInt64>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    guard let answer else { throw usage("there is no place for the answer: it is NULL") }
    answer.pointee = 0
    let words = try texts(words, wordCount, "words")
    let held = try table(columnNames, columnValues, columnTypes, columnStrides, columnCount, rowCount)
    let door = CommandDoor(held: held) { progress?(context, $0) ?? 0 == 0 }
    answer.pointee = Handles.add(.answer(Held.Answer(try door.answer(words))))
  }
}

/// What the subcommand prints with --json: one document, UTF-8, ended with 0. It lives until the answer is released.
@c(inertial_answer_document)
public func answerDocument(
  answer: UInt64, text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, message: UnsafeMutablePointer<CChar>?,
  messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    guard let text else { throw usage("there is no place for the text: it is NULL") }
    text.pointee = lasting(try Handles.answer(answer).document)
  }
}

/// How many tables of numbers an answer has: one of fused rows ("motion"), or one for each channel that was read.
@c(inertial_answer_table_count)
public func answerTableCount(
  answer: UInt64, count: UnsafeMutablePointer<Int>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    guard let count else { throw usage("there is no place for the count: it is NULL") }
    count.pointee = try Handles.answer(answer).names.count
  }
}

/// A table of an answer: its name, its columns and rows, and where its numbers are. The number of row r and column c is
/// values[c * columnStride + r]; NaN is no value. Name and numbers live until the answer is released.
@c(inertial_answer_table)
public func answerTable(
  answer: UInt64, table: Int, name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  columnCount: UnsafeMutablePointer<Int>?, rowCount: UnsafeMutablePointer<Int>?,
  values: UnsafeMutablePointer<UnsafePointer<Double>?>?, columnStride: UnsafeMutablePointer<Int>?,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    let answer = try Handles.answer(answer)
    guard answer.names.indices.contains(table) else { throw usage("there is no table \(table)") }
    let block = answer.value.tables[table].block
    name?.pointee = lasting(answer.names[table])
    columnCount?.pointee = block.columns.count
    rowCount?.pointee = block.rowCount
    values?.pointee = block.columns.isEmpty ? nil : block[0]
    columnStride?.pointee = block.capacity
  }
}

/// The name and the unit of a column of a table. They live until the answer is released.
@c(inertial_answer_column)
public func answerColumn(
  answer: UInt64, table: Int, column: Int, name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  unit: UnsafeMutablePointer<UnsafePointer<CChar>?>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    let answer = try Handles.answer(answer)
    guard answer.columns.indices.contains(table), answer.columns[table].indices.contains(column) else {
      throw usage("there is no column \(column) of a table \(table)")
    }
    name?.pointee = lasting(answer.columns[table][column].name)
    unit?.pointee = lasting(answer.columns[table][column].unit)
  }
}

/// Writes the fused rows of an answer to a file: CSV, HDF5, NPZ, Parquet, BIDS, TUM or EuRoC, with all that `inertial fuse`
/// tells in it. The words are its options of the output: "-o", "walk.parquet", "--force", "--lists", "--digits", "6".
@c(inertial_answer_write)
public func answerWrite(
  answer: UInt64, words: UnsafePointer<UnsafePointer<CChar>?>?, wordCount: Int,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    try Handles.answer(answer).value.write(try texts(words, wordCount, "words"))
  }
}

/// Begins a fusion whose samples come one by one. The words are options of `inertial fuse` ("--filter", "vqf"); the names
/// are those of the numbers of a row that goes in, as in the header of a CSV. The stream is to be released.
@c(inertial_stream_begin)
public func streamBegin(
  words: UnsafePointer<UnsafePointer<CChar>?>?, wordCount: Int, names: UnsafePointer<UnsafePointer<CChar>?>?,
  nameCount: Int, stream: UnsafeMutablePointer<UInt64>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    guard let stream else { throw usage("there is no place for the stream: it is NULL") }
    stream.pointee = 0
    let words = try texts(words, wordCount, "words")
    let names = try texts(names, nameCount, "names")
    guard !names.isEmpty else { throw usage("no numbers are named") }
    stream.pointee = Handles.add(.stream(Held.Stream(try CommandStream(words, names: names))))
  }
}

/// The name and the unit of a number of the rows that come out, by its place from 0; the count where it is asked for.
@c(inertial_stream_column)
public func streamColumn(
  stream: UInt64, column: Int, count: UnsafeMutablePointer<Int>?,
  name: UnsafeMutablePointer<UnsafePointer<CChar>?>?, unit: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    let stream = try Handles.stream(stream)
    guard stream.columns.indices.contains(column) else { throw usage("there is no column \(column)") }
    count?.pointee = stream.columns.count
    name?.pointee = lasting(stream.columns[column].name)
    unit?.pointee = lasting(stream.columns[column].unit)
  }
}

/// Takes the samples of one time: a row of numbers in the order of the names; NaN is no sample. Rows that become known by
/// it go to `rows`, one after another; those that there is no room for wait for the next call.
///
/// - Parameter numbers: NULL with a count of 0 takes nothing, and only gives what waits.
/// - Parameter rowCapacity: rows that there is room for.
/// - Parameter rowCount: how many were given.
@c(inertial_stream_update)
public func streamUpdate(
  stream: UInt64, numbers: UnsafePointer<Double>?, numberCount: Int, rows: UnsafeMutablePointer<Double>?,
  rowCapacity: Int, rowCount: UnsafeMutablePointer<Int>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    try give(try Handles.stream(stream), rows, rowCapacity, rowCount) { (stream) throws(CommandFailure) in
      guard numberCount != 0 else { return }
      guard let numbers else { throw usage("the numbers are NULL") }
      guard numberCount == stream.width else {
        throw usage("a row has \(numberCount) numbers, and \(stream.width) are named")
      }
      try stream.append(Array(UnsafeBufferPointer(start: numbers, count: numberCount)))
    }
  }
}

/// No more samples will come: gives the rows that waited for them, as `inertial_stream_update` does.
@c(inertial_stream_finish)
public func streamFinish(
  stream: UInt64, rows: UnsafeMutablePointer<Double>?, rowCapacity: Int, rowCount: UnsafeMutablePointer<Int>?,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    try give(try Handles.stream(stream), rows, rowCapacity, rowCount) { (stream) throws(CommandFailure) in
      try stream.finish()
    }
  }
}

/// Releases an answer or a stream: what it gave pointers to is gone.
@c(inertial_release)
public func release(handle: UInt64, message: UnsafeMutablePointer<CChar>?, messageSize: Int) -> Int32 {
  MessageRoom(bytes: message, count: messageSize).attempt { () throws(CommandFailure) in
    guard Handles.remove(handle) else { throw usage("\(handle) is no handle, or was released") }
  }
}

/// The command `inertial` with words behind its name: prints what it prints, and ends the process with its status. Returns 2 if
/// a word is not UTF-8, or in a child that was forked after its parent used the library.
@c(inertial_command)
public func command(words: UnsafePointer<UnsafePointer<CChar>?>?, wordCount: Int) -> Int32 {
  guard let words = try? texts(words, wordCount, "words") else { return 2 }
  guard BackgroundThreads.areAvailable else {
    let line = "error: this process was forked after the library was used; run the command in a new process\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    return 2
  }
  beginInertialProcess()
  Task.detached { await runInertialCommand(words) }
  // The task ends the process.
  while true { _ = pause() }
}

// MARK: Helpers

/// Text that lives as long as what holds it: an array that nobody changes stays where it is.
private func lasting(_ text: [CChar]) -> UnsafePointer<CChar> { text.withUnsafeBufferPointer { $0.baseAddress! } }

private func give(
  _ stream: Held.Stream, _ rows: UnsafeMutablePointer<Double>?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>?,
  after work: (inout CommandStream) throws(CommandFailure) -> Void
) throws(CommandFailure) {
  count?.pointee = 0
  guard capacity >= 0, rows != nil || capacity == 0 else { throw usage("there is no room for \(capacity) rows") }
  let (numbers, isTooMuch) = capacity.multipliedReportingOverflow(by: stream.columns.count)
  guard !isTooMuch else { throw usage("there is no room for \(capacity) rows") }
  let given = try stream.use { (stream) throws(CommandFailure) in
    try work(&stream)
    return stream.take(into: UnsafeMutableBufferPointer(start: rows, count: numbers))
  }
  count?.pointee = given
}
