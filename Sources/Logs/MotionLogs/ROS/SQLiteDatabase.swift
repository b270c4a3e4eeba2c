internal import InertialSystem

/// A read-only SQLite database.
///
/// SQLite's library (sqlite.org/c3ref) is loaded with the first database, as other logs do not need it.
final class SQLiteDatabase {
  private static let (ok, row, done): (Int32, Int32, Int32) = (0, 100, 101)
  private static let (readOnly, isURI): (Int32, Int32) = (1, 0x40)
  private static let lengthLimit: Int32 = 0

  /// The maximum size of a value, in bytes; messages of motion sensors are smaller.
  private static let largestValue: Int32 = 1 << 26

  #if canImport(Darwin)
    private static let names = ["libsqlite3.dylib"]
  #else
    private static let names = ["libsqlite3.so.0", "libsqlite3.so"]
  #endif
  /// The library, or `nil` if it is not installed.
  nonisolated(unsafe) private static let library = names.lazy.compactMap { dlopen($0, RTLD_NOW) }.first

  /// Whether the library is installed.
  static var isAvailable: Bool { library != nil }

  private let prepare:
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<CChar>?
    ) -> Int32
  private let close, finish: @convention(c) (OpaquePointer?) -> Int32
  private let message: @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  private let step: @convention(c) (OpaquePointer) -> Int32
  private let integer: @convention(c) (OpaquePointer, Int32) -> Int64
  private let blob: @convention(c) (OpaquePointer, Int32) -> UnsafeRawPointer?
  private let size: @convention(c) (OpaquePointer, Int32) -> Int32
  private let connection: OpaquePointer

  /// Opens a file. Creates no other files unless the recorder left rows in a `-wal` file.
  ///
  /// - Throws: ``ContainerError`` if the library is missing or the file is not a database.
  init(path: String) throws(ContainerError) {
    func find<Function>(_ name: String) throws(ContainerError) -> Function {
      guard let library = Self.library, let symbol = dlsym(library, "sqlite3_" + name) else {
        throw .unsupported("SQLite's library is not installed")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    let open:
      @convention(c) (
        UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?
      ) -> Int32 = try find("open_v2")
    let limit: @convention(c) (OpaquePointer, Int32, Int32) -> Int32 = try find("limit")
    (prepare, close, finish) = (try find("prepare_v2"), try find("close_v2"), try find("finalize"))
    (message, step, integer) = (try find("errmsg"), try find("step"), try find("column_int64"))
    (blob, size) = (try find("column_blob"), try find("column_bytes"))
    // A recorder that did not exit cleanly leaves its newest rows in a second file; to read it, SQLite creates a third
    // file.
    var status = stat()
    let hasNewerRows = stat(path + "-wal", &status) == 0 && status.st_size > 0
    let uri = "file:" + Self.escaped(path) + (hasNewerRows ? "" : "?immutable=1")
    var connection: OpaquePointer?
    guard open(uri, &connection, Self.readOnly | Self.isURI, nil) == Self.ok, let connection else {
      _ = close(connection)
      throw .damaged("SQLite cannot open it")
    }
    self.connection = connection
    _ = limit(connection, Self.lengthLimit, Self.largestValue)
    // Prevents a hostile schema from calling functions.
    _ = try rows("PRAGMA trusted_schema = 0").next()
  }

  deinit { _ = close(connection) }

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
    guard prepare(connection, statement, -1, &handle, nil) == Self.ok, let handle else {
      throw .damaged(problem)
    }
    return Rows(self, handle)
  }

  /// The library's message, which may quote text from the file.
  private var problem: String {
    let text = message(connection).map { String(cString: $0) } ?? "SQLite cannot read it"
    return String(text.prefix(200).map { $0.isNewline ? "?" : $0 })
  }

  /// The rows of a statement, one at a time.
  final class Rows {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    fileprivate init(_ database: SQLiteDatabase, _ handle: OpaquePointer) {
      (self.database, self.handle) = (database, handle)
    }

    deinit { _ = database.finish(handle) }

    /// Advances to the next row; returns `false` at the end.
    func next() throws(ContainerError) -> Bool {
      switch database.step(handle) {
      case SQLiteDatabase.row: return true
      case SQLiteDatabase.done: return false
      default: throw .damaged(database.problem)
      }
    }

    func integer(_ column: Int32) -> Int64 { database.integer(handle, column) }

    func bytes(_ column: Int32) -> [UInt8] {
      guard let start = database.blob(handle, column) else { return [] }
      return Array(UnsafeRawBufferPointer(start: start, count: Int(database.size(handle, column))))
    }

    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
  }
}
