internal import InertialJobs
internal import InertialLogs
internal import InertialSystem

// The toolkit for other languages. Requests are JSON objects, whose members are the properties of the Swift types
// FusionOptions, LogOptions and so on; JobAnswer lists them.
//
// Every function that can fail returns a code: 0 success, 1 data error, 2 usage error, 3 stopped by the caller. The
// error message is written to the caller's buffer (UTF-8, null-terminated, truncated if it is longer; NULL to ignore
// it), so that threads share no state. Handles may be used by any thread; calls for one stream are serialised.

/// Returns the version of the toolkit, such as "0.9.0". The string is valid for the lifetime of the library.
@c(inertial_version)
public func version() -> UnsafePointer<CChar> { versionText }

nonisolated(unsafe) private let versionText = UnsafePointer(strdup(ToolVersion.current)!)

/// Runs a job: fuse, track, read, inspect, convert, evaluate, evaluateEvents, shake, activity, steps, altitude, allan,
/// calibrate, simulate, filters or formats; or restore, with which another process writes the rows of a fuse answer: its
/// document, the options of fuse, and the rows as columns.
///
/// The request is a JSON object with the job, the path of the log, and the properties of the job, such as {"job":
/// "fuse", "input": "walk.csv", "options": {"filter": "vqf", "smooths": true, "motion": {"frame":
/// "xMagneticNorthZVertical"}, "log": {"rotationUnit": "deg/s"}}}. An unknown member is an error whose message lists
/// the members. Infinity and NaN are strings: "Infinity", "-Infinity", "NaN".
///
/// With columns the log is in memory, and no path is given: column i is named as in a header (time, accelerationX,
/// rotationRateX, magneticFieldX, or with a unit, "Gyroscope X (deg/s)"), its values are of types[i] (0 double, 1
/// float, 2 int64_t, 3 int32_t) and strides[i] bytes apart, which may be zero or negative. They are borrowed during the
/// call, and not copied; NaN is a missing sample.
///
/// progress, unless it is NULL, is called in this thread periodically with the completed fraction, 0 to 1; if it
/// returns a nonzero value, the call ends with code 3. Release the answer with inertial_release.
@c(inertial_request)
public func request(
  json: UnsafePointer<CChar>?,
  columnNames: UnsafePointer<UnsafePointer<CChar>?>?, columnValues: UnsafePointer<UnsafeRawPointer?>?,
  columnTypes: UnsafePointer<Int32>?, columnStrides: UnsafePointer<Int>?, columnCount: Int, rowCount: Int,
  progress: (@convention(c) (UnsafeMutableRawPointer?, Double) -> Int32)?, context: UnsafeMutableRawPointer?,
  answer: UnsafeMutablePointer<UInt64>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard let answer else { throw .usage("there is no place for the answer: it is NULL") }
    answer.pointee = 0
    let json = try text(json, "the request")
    let held = try table(columnNames, columnValues, columnTypes, columnStrides, columnCount, rowCount)
    let job = try JobAnswer(json, held: held) { progress?(context, $0) ?? 0 == 0 }
    answer.pointee = addHandle(Answer(job))
  }
}

/// Returns the result, as the command prints it with --json: one document, UTF-8, null-terminated, valid until the
/// answer is released.
@c(inertial_answer_document)
public func answerDocument(
  answer: UInt64, text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, message: UnsafeMutablePointer<CChar>?,
  messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard let text else { throw .usage("there is no place for the text: it is NULL") }
    text.pointee = lasting(try Answer.find(answer).document)
  }
}

/// Returns the number of tables in an answer: one of fused rows ("motion"), or one per channel that was read.
@c(inertial_answer_table_count)
public func answerTableCount(
  answer: UInt64, count: UnsafeMutablePointer<Int>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard let count else { throw .usage("there is no place for the count: it is NULL") }
    count.pointee = try Answer.find(answer).names.count
  }
}

/// Returns a table of an answer: its name, its numbers of columns and rows, and its values. The value in row r and
/// column c is values[c * columnStride + r]; NaN is a missing value. Name and values are valid until the answer is
/// released.
@c(inertial_answer_table)
public func answerTable(
  answer: UInt64, table: Int, name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  columnCount: UnsafeMutablePointer<Int>?, rowCount: UnsafeMutablePointer<Int>?,
  values: UnsafeMutablePointer<UnsafePointer<Double>?>?, columnStride: UnsafeMutablePointer<Int>?,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    let answer = try Answer.find(answer)
    guard answer.names.indices.contains(table) else { throw .usage("there is no table \(table)") }
    let block = answer.job.tables[table].block
    name?.pointee = lasting(answer.names[table])
    columnCount?.pointee = block.columns.count
    rowCount?.pointee = block.rowCount
    values?.pointee = block.columns.isEmpty ? nil : block[0]
    columnStride?.pointee = block.capacity
  }
}

/// Returns the name and the unit of a column of a table, valid until the answer is released.
@c(inertial_answer_column)
public func answerColumn(
  answer: UInt64, table: Int, column: Int, name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  unit: UnsafeMutablePointer<UnsafePointer<CChar>?>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    let answer = try Answer.find(answer)
    guard answer.columns.indices.contains(table), answer.columns[table].indices.contains(column) else {
      throw .usage("there is no column \(column) of a table \(table)")
    }
    name?.pointee = lasting(answer.columns[table][column].name)
    unit?.pointee = lasting(answer.columns[table][column].unit)
  }
}

/// Writes the fused rows of an answer to a file: CSV, HDF5, NPZ, Parquet, BIDS, TUM or EuRoC, with the same contents as
/// with `inertial fuse`. The JSON object has the path and options of files, such as {"output": "walk.parquet", "force":
/// true, "writesLists": true}; the others are "formats", "digits" and "writesUnits".
@c(inertial_answer_write)
public func answerWrite(
  answer: UInt64, json: UnsafePointer<CChar>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    try Answer.find(answer).job.write(try text(json, "the request"))
  }
}

/// Begins a fusion of samples that arrive one by one. The JSON object has the options of a fuse request, such as
/// {"filter": "vqf"}; the names designate the values in an input row, as in the header of a CSV. Release the stream
/// with inertial_release.
@c(inertial_stream_begin)
public func streamBegin(
  json: UnsafePointer<CChar>?, names: UnsafePointer<UnsafePointer<CChar>?>?, nameCount: Int,
  stream: UnsafeMutablePointer<UInt64>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard let stream else { throw .usage("there is no place for the stream: it is NULL") }
    stream.pointee = 0
    let json = try text(json, "the options")
    let names = try texts(names, nameCount, "names")
    guard !names.isEmpty else { throw .usage("no numbers are named") }
    stream.pointee = addHandle(Stream(try FusionStream(json, names: names)))
  }
}

/// Returns the state of a stream between two rows, with which inertial_stream_restore continues, also in another
/// process: a JSON document, UTF-8, null-terminated, valid until the next call for the stream or its release.
@c(inertial_stream_state)
public func streamState(
  stream: UInt64, text: UnsafeMutablePointer<UnsafePointer<CChar>?>?, message: UnsafeMutablePointer<CChar>?,
  messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard let text else { throw .usage("there is no place for the text: it is NULL") }
    text.pointee = try Stream.find(stream).saved()
  }
}

/// Begins a stream that continues from a state of the same version of the toolkit, and yields the same rows. A state must
/// come from a trusted source, as its numbers are not checked. Release the stream with inertial_release.
@c(inertial_stream_restore)
public func streamRestore(
  state: UnsafePointer<CChar>?, stream: UnsafeMutablePointer<UInt64>?, message: UnsafeMutablePointer<CChar>?,
  messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard let stream else { throw .usage("there is no place for the stream: it is NULL") }
    stream.pointee = 0
    let state = try text(state, "the state", maximumSize: maximumSizes.state)
    stream.pointee = addHandle(Stream(try FusionStream(state: state)))
  }
}

/// Returns the name and the unit of a column of the output rows, by its index from 0, and the number of columns if it
/// is requested.
@c(inertial_stream_column)
public func streamColumn(
  stream: UInt64, column: Int, count: UnsafeMutablePointer<Int>?,
  name: UnsafeMutablePointer<UnsafePointer<CChar>?>?, unit: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    let stream = try Stream.find(stream)
    guard stream.columns.indices.contains(column) else { throw .usage("there is no column \(column)") }
    count?.pointee = stream.columns.count
    name?.pointee = lasting(stream.columns[column].name)
    unit?.pointee = lasting(stream.columns[column].unit)
  }
}

/// Appends the samples of one epoch: a row of values in the order of the names; NaN is a missing sample. The rows that
/// become available are written to `rows`, one after another; rows that do not fit are buffered for the next call.
///
/// - Parameter numbers: The row, or NULL with a count of 0 to only receive buffered rows.
/// - Parameter rowCapacity: The maximum number of rows that fit.
/// - Parameter rowCount: The number of written rows.
@c(inertial_stream_update)
public func streamUpdate(
  stream: UInt64, numbers: UnsafePointer<Double>?, numberCount: Int, rows: UnsafeMutablePointer<Double>?,
  rowCapacity: Int, rowCount: UnsafeMutablePointer<Int>?, message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    try give(try Stream.find(stream), rows, rowCapacity, rowCount) { (stream) throws(FusionError) in
      guard numberCount != 0 else { return }
      guard let numbers else { throw .usage("the numbers are NULL") }
      guard numberCount == stream.width else {
        throw .usage("a row has \(numberCount) numbers, and \(stream.width) are named")
      }
      try stream.append(Array(UnsafeBufferPointer(start: numbers, count: numberCount)))
    }
  }
}

/// Ends the input and returns the remaining rows, like `inertial_stream_update`.
@c(inertial_stream_finish)
public func streamFinish(
  stream: UInt64, rows: UnsafeMutablePointer<Double>?, rowCapacity: Int, rowCount: UnsafeMutablePointer<Int>?,
  message: UnsafeMutablePointer<CChar>?, messageSize: Int
) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    try give(try Stream.find(stream), rows, rowCapacity, rowCount) { (stream) throws(FusionError) in
      try stream.finish()
    }
  }
}

/// Releases an answer or a stream, which invalidates its pointers.
@c(inertial_release)
public func release(handle: UInt64, message: UnsafeMutablePointer<CChar>?, messageSize: Int) -> Int32 {
  attempt(message, messageSize) { () throws(FusionError) in
    guard removeHandle(handle) else { throw .usage("\(handle) is no handle, or was released") }
  }
}

// MARK: Helpers

/// Returns a pointer that is valid as long as the owner of the array: an array that is not changed is not moved.
func lasting(_ text: [CChar]) -> UnsafePointer<CChar> { text.withUnsafeBufferPointer { $0.baseAddress! } }

private func give(
  _ stream: Stream, _ rows: UnsafeMutablePointer<Double>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?,
  after work: (inout FusionStream) throws(FusionError) -> Void
) throws(FusionError) {
  count?.pointee = 0
  guard capacity >= 0, rows != nil || capacity == 0 else { throw .usage("there is no room for \(capacity) rows") }
  let (numbers, isTooMuch) = capacity.multipliedReportingOverflow(by: stream.columns.count)
  guard !isTooMuch else { throw .usage("there is no room for \(capacity) rows") }
  let given = try stream.use { (stream) throws(FusionError) in
    try work(&stream)
    return stream.takeRows(into: UnsafeMutableBufferPointer(start: rows, count: numbers))
  }
  count?.pointee = given
}
