internal import InertialSensors
internal import InertialSystem

/// The columns of numbers in a Parquet file.
struct ParquetColumnSource: ColumnSource {
  let names: [String]
  let rowCount: Int
  private let path: String
  private var cursors: [ParquetCursor] = []
  /// The numbers of values per row, one per cursor.
  private let widths: [Int]
  private var numbers: [Double] = []

  init(_ file: ParquetFile, path: String) {
    self.path = path
    rowCount = file.rowCount
    // In a table from another program, the time column may be identified by its type instead of its name.
    let hasTime = file.columns.contains { $0.componentNames == ["time"] }
    let clock = hasTime ? nil : file.columns.firstIndex(where: \.isTime)
    names = file.columns.enumerated().flatMap { $0 == clock ? ["time"] : $1.componentNames }
    cursors = file.columns.map { ParquetCursor(file, $0) }
    widths = file.columns.map(\.width)
  }

  mutating func read(_ rows: Range<Int>, into blocks: inout [[Double]]) throws(LogError) {
    var position = 0
    for index in cursors.indices {
      numbers.removeAll(keepingCapacity: true)
      do throws(ParquetError) {
        try cursors[index].read(rows: rows.count, into: &numbers)
      } catch {
        throw ParquetDatasetReader.error(error, path: path)
      }
      let width = widths[index]
      for component in 0..<width {
        blocks[position].removeAll(keepingCapacity: true)
        for row in 0..<rows.count { blocks[position].append(numbers[row * width + component]) }
        position += 1
      }
    }
  }
}

/// Reads a Parquet file: a dataset from `fuse` or `convert`, or another program's table with Inertial's column names.
enum ParquetDatasetReader {
  static func open(path: String, options: LogOptions) throws(LogError) -> any LogReader {
    let file: ParquetFile
    do throws(ParquetError) {
      file = try ParquetFile(FileBytes(path: path))
    } catch {
      throw Self.error(error, path: path)
    }
    return try DatasetTableReader(
      ParquetColumnSource(file, path: path), format: "parquet", kind: "Parquet", path: path,
      epoch: file.facts["epoch"].flatMap(Double.init), options: options)
  }

  static func error(_ error: ParquetError, path: String) -> LogError {
    switch error {
    case .damaged(let what):
      LogError(
        path: path, problem: "this Parquet file is truncated or damaged: \(what)",
        remedy: "fetch or copy the file again")
    case .unsupported(let what):
      LogError(
        path: path, problem: "this Parquet file cannot be read: \(what)",
        remedy: "rewrite it: columns of numbers, without encryption, compressed by zstd, snappy or not at all")
    }
  }
}

/// The bytes of a file, with random access.
private final class FileBytes: ParquetBytes {
  let count: Int
  private let descriptor: Int32

  init(path: String) throws(ParquetError) {
    descriptor = InertialSystem.open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw .damaged(systemMessage(errno)) }
    count = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  func read(_ offset: Int, _ count: Int) throws(ParquetError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw .damaged("it ends too early")
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      while filled < count {
        let got = pread(descriptor, bytes.baseAddress! + filled, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        filled += got
      }
    }
    guard bytes.count == count else { throw .damaged("it ends too early") }
    return bytes
  }
}

extension LogFormat {
  static var parquet: LogFormat {
    LogFormat(
      id: "parquet", title: "table in Apache Parquet",
      recognition: "a file that begins with PAR1",
      units:
        "Inertial's own, and Inertial's column names; for fused motion raw acceleration = gravity + "
        + "userAcceleration; points in time become UNIX seconds",
      isFolder: false,
      recognizes: { ParquetFile.begins($0.head) },
      open: { path, options throws(LogError) in try ParquetDatasetReader.open(path: path, options: options) })
  }
}
