internal import InertialSystem

/// The functions of SQLite's library (sqlite.org/c3ref), loaded with the first database, as other logs do not need
/// them.
private struct SQLiteLibrary: @unchecked Sendable {
  typealias Object = OpaquePointer
  typealias Open =
    @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Object?>, Int32, UnsafePointer<CChar>?) -> Int32
  typealias Prepare =
    @convention(c) (Object, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<Object?>, UnsafePointer<CChar>?) -> Int32
  typealias Close = @convention(c) (Object?) -> Int32
  typealias Message = @convention(c) (Object?) -> UnsafePointer<CChar>?
  typealias Limit = @convention(c) (Object, Int32, Int32) -> Int32
  typealias Step = @convention(c) (Object) -> Int32
  typealias Integer = @convention(c) (Object, Int32) -> Int64
  typealias Blob = @convention(c) (Object, Int32) -> UnsafeRawPointer?
  typealias Size = @convention(c) (Object, Int32) -> Int32

  let open: Open
  let prepare: Prepare
  let close: Close
  let finish: Close
  let message: Message
  let limit: Limit
  let step: Step
  let integer: Integer
  let blob: Blob
  let size: Size

  #if canImport(Darwin)
    private static let names = ["libsqlite3.dylib"]
  #else
    private static let names = ["libsqlite3.so.0", "libsqlite3.so"]
  #endif

  /// The library, or `nil` if it is not installed.
  static let shared = SQLiteLibrary()

  private init?() {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else { return nil }
    func find<Function>(_ name: String) -> Function? {
      dlsym(library, "sqlite3_" + name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let open: Open = find("open_v2"), let prepare: Prepare = find("prepare_v2"),
      let close: Close = find("close_v2"),
      let finish: Close = find("finalize"), let message: Message = find("errmsg"), let limit: Limit = find("limit"),
      let step: Step = find("step"), let integer: Integer = find("column_int64"), let blob: Blob = find("column_blob"),
      let size: Size = find("column_bytes")
    else { return nil }
    (self.open, self.prepare, self.close, self.finish) = (open, prepare, close, finish)
    (self.message, self.limit, self.step) = (message, limit, step)
    (self.integer, self.blob, self.size) = (integer, blob, size)
  }
}

/// A read-only SQLite database.
final class SQLiteDatabase {
  private enum Code {
    static let (ok, row, done): (Int32, Int32, Int32) = (0, 100, 101)
    static let (readOnly, isURI): (Int32, Int32) = (1, 0x40)
    static let lengthLimit: Int32 = 0
  }

  /// The maximum size of a value, in bytes; messages of motion sensors are smaller.
  private static let largestValue: Int32 = 1 << 26

  /// Whether the library is installed.
  static var isAvailable: Bool { SQLiteLibrary.shared != nil }

  private let library: SQLiteLibrary
  private let connection: OpaquePointer

  /// Opens a file. Creates no other files unless the recorder left rows in a `-wal` file.
  ///
  /// - Throws: ``ContainerError`` if the library is missing or the file is not a database.
  init(path: String) throws(ContainerError) {
    guard let library = SQLiteLibrary.shared else { throw .unsupported("SQLite's library is not installed") }
    // A recorder that did not exit cleanly leaves its newest rows in a second file; to read it, SQLite creates a third
    // file.
    var status = stat()
    let hasNewerRows = stat(path + "-wal", &status) == 0 && status.st_size > 0
    let uri = "file:" + Self.escaped(path) + (hasNewerRows ? "" : "?immutable=1")
    var connection: OpaquePointer?
    guard library.open(uri, &connection, Code.readOnly | Code.isURI, nil) == Code.ok, let connection else {
      _ = library.close(connection)
      throw .damaged("SQLite cannot open it")
    }
    (self.library, self.connection) = (library, connection)
    _ = library.limit(connection, Code.lengthLimit, Self.largestValue)
    // Prevents a hostile schema from calling functions.
    _ = try rows("PRAGMA trusted_schema = 0").next()
  }

  deinit { _ = library.close(connection) }

  /// Returns a path escaped for a URI.
  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-".utf8.contains(byte)
      let digits = String(byte, radix: 16)
      text += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
  }

  /// Runs a statement.
  func rows(_ statement: String) throws(ContainerError) -> Rows {
    var handle: OpaquePointer?
    guard library.prepare(connection, statement, -1, &handle, nil) == Code.ok, let handle else {
      throw .damaged(problem)
    }
    return Rows(self, handle)
  }

  /// The library's message, which may quote text from the file.
  private var problem: String {
    let text = library.message(connection).map { String(cString: $0) } ?? "SQLite cannot read it"
    return String(text.prefix(200).map { $0.isNewline ? "?" : $0 })
  }

  /// The rows of a statement, one at a time.
  final class Rows {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    fileprivate init(_ database: SQLiteDatabase, _ handle: OpaquePointer) {
      (self.database, self.handle) = (database, handle)
    }

    deinit { _ = database.library.finish(handle) }

    /// Advances to the next row; returns `false` at the end.
    func next() throws(ContainerError) -> Bool {
      switch database.library.step(handle) {
      case Code.row: return true
      case Code.done: return false
      default: throw .damaged(database.problem)
      }
    }

    func integer(_ column: Int32) -> Int64 { database.library.integer(handle, column) }

    func bytes(_ column: Int32) -> [UInt8] {
      guard let start = database.library.blob(handle, column) else { return [] }
      return Array(UnsafeRawBufferPointer(start: start, count: Int(database.library.size(handle, column))))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  }
}
