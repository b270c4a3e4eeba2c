internal import InertialSensors

extension LogFormat {
  static var parquet: LogFormat {
    LogFormat(
      id: "parquet", title: "table in Apache Parquet",
      recognition: "a file that begins with PAR1",
      units:
        "Inertial's own, and Inertial's column names; for fused motion raw acceleration = gravity + "
        + "userAcceleration; points in time become UNIX seconds",
      recognizes: { ParquetFile.begins($0.head) },
      open: { path, options throws(LogError) in try openParquet(path, options) })
  }

  /// Opens a dataset from `fuse` or `convert`, or another program's table with Inertial's column names.
  ///
  /// - Throws: ``LogError`` if the file cannot be read, is damaged or has no columns of a sensor.
  private static func openParquet(_ path: String, _ options: LogOptions) throws(LogError) -> any LogReader {
    let bytes = try InputFile(path: path)
    let file = try attempt(path) { () throws(ParquetError) in try ParquetFile(bytes) }
    // In a table from another program, the time column may be identified by its type instead of its name.
    let hasTime = file.columns.contains { $0.componentNames == ["time"] }
    let clock = hasTime ? nil : file.columns.firstIndex(where: \.isTime)
    let names = file.columns.enumerated().flatMap { $0 == clock ? ["time"] : $1.componentNames }
    var cursors = file.columns.map { ParquetCursor(file, $0) }
    var numbers: [Double] = []
    return try DatasetTableReader(
      (
        names, file.rowCount,
        { (rows, blocks) throws(LogError) in
          var position = 0
          for (index, column) in file.columns.enumerated() {
            numbers.removeAll(keepingCapacity: true)
            try attempt(path) { () throws(ParquetError) in try cursors[index].read(rows: rows.count, into: &numbers) }
            for component in 0..<column.width {
              blocks[position].removeAll(keepingCapacity: true)
              for row in 0..<rows.count { blocks[position].append(numbers[row * column.width + component]) }
              position += 1
            }
          }
        }
      ), format: "parquet", kind: "Parquet", path: path, epoch: file.facts["epoch"].flatMap(Double.init),
      options: options)
  }

  /// Converts an error of a Parquet file to one of a log.
  private static func attempt<Result>(
    _ path: String, _ work: () throws(ParquetError) -> Result
  ) throws(LogError) -> Result {
    do throws(ParquetError) {
      return try work()
    } catch {
      switch error {
      case .damaged(let what):
        throw LogError(
          path: path, problem: "this Parquet file is truncated or damaged: \(what)",
          remedy: "fetch or copy the file again")
      case .unsupported(let what):
        throw LogError(
          path: path, problem: "this Parquet file cannot be read: \(what)",
          remedy: "rewrite it: columns of numbers, without encryption, compressed by zstd, snappy or not at all")
      }
    }
  }
}

extension InputFile: ParquetBytes {
  var count: Int { size ?? 0 }

  func read(_ offset: Int, _ count: Int) throws(ParquetError) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset,
      let bytes = try? bytes(count, at: UInt64(offset)), bytes.count == count
    else { throw .damaged("it ends too early") }
    return bytes
  }
}
