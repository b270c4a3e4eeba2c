/// Writes the rows of a table as arrays in NumPy's `.npz` format: a zip archive with one `.npy` file per array (format
/// 1.0; NumPy Enhancement Proposal 1), which `numpy.load` reads without pickle.
///
/// Columns that are the components of a quantity form one array. Each array is buffered in a file without a name, so
/// that memory does not grow with it. `close` creates the complete archive; without it, no file remains.
package final class NPZTableWriter: TableWriter {
  package private(set) var rowCount = 0
  private let columnCount: Int
  /// The names of the arrays, and the number of elements in a row; a width of 1 makes a one-dimensional array.
  private let arrays: [(name: String, width: Int)]
  /// The array of each column.
  private let places: [Int]
  /// The columns and the array of the times of each stream, or no elements if all columns share the table's rows.
  private let clocks: [(columns: Range<Int>, time: Int)]
  private let texts: () -> [(name: String, text: String)]
  private let file: AtomicFile
  private var spools: [SpoolFile] = []
  /// The numbers of each array that are not yet on disk.
  private var pending: [[Double]]
  private let wideFrom: UInt64
  private var isFinished = false

  /// The number of elements of an array that are buffered before they are written.
  private static let pendingCount = 1 << 13

  /// Creates an archive; an existing file is an error unless `force` is set.
  ///
  /// - `streams`: the columns of streams with clocks of their own, in the order of `columns`, which begin with the
  ///   time. A stream has the rows with a number in its first column, and a separate array of their times, such as
  ///   `rotationRateTime`.
  /// - `texts`: evaluated at the end; each becomes a zero-dimensional array.
  /// - `wideFrom`: the size from which zip's fields take 64 bits.
  package init(
    path: String, columns: [String], streams: [[String]] = [], force: Bool = false,
    wideFrom: UInt64 = UInt64(UInt32.max), texts: @escaping () -> [(name: String, text: String)] = { [] }
  ) throws(OutputError) {
    var arrays: [(name: String, width: Int)] = []
    // The time of streams is not written as a column.
    var places = streams.isEmpty ? [] : [0]
    var clocks: [(columns: Range<Int>, time: Int)] = []
    for names in streams.isEmpty ? [columns] : streams {
      let (start, first) = (places.count, arrays.count)
      for array in Self.arrays(of: names) {
        places += Array(repeating: arrays.count, count: array.width)
        arrays.append(array)
      }
      guard !streams.isEmpty else { break }
      clocks.append((start..<places.count, arrays.count))
      arrays.append((arrays[first].name + "Time", 1))
    }
    precondition(Set(arrays.map(\.name)).count == arrays.count, "two arrays have one name")
    (columnCount, self.arrays, self.places, self.clocks) = (columns.count, arrays, places, clocks)
    (self.texts, self.wideFrom) = (texts, wideFrom)
    file = try AtomicFile(path: path, force: force)
    pending = Array(repeating: [], count: arrays.count)
    for index in arrays.indices {
      pending[index].reserveCapacity(Self.pendingCount)
      spools.append(try SpoolFile(for: path))
    }
  }

  /// Adjacent columns whose names differ only in X, Y, Z (and W) form one array named by the common prefix; roll, pitch
  /// and yaw form `euler`; every other column is a separate array.
  package static func arrays(of columns: [String]) -> [(name: String, width: Int)] {
    var arrays: [(name: String, width: Int)] = []
    var rest = columns[...]
    while let first = rest.first {
      if rest.starts(with: ["roll", "pitch", "yaw"]) {
        arrays.append(("euler", 3))
      } else if first.hasSuffix("X"), let stem = Optional(first.dropLast()), !stem.isEmpty,
        let width = [4, 3].first(where: { rest.starts(with: ["X", "Y", "Z", "W"].prefix($0).map { stem + $0 }) })
      {
        arrays.append((String(stem), width))
      } else {
        arrays.append((first, 1))
      }
      rest = rest.dropFirst(arrays[arrays.count - 1].width)
    }
    return arrays
  }

  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    precondition(rows.count % columnCount == 0, "\(rows.count) numbers do not fill rows of \(columnCount) columns")
    for start in stride(from: 0, to: rows.count, by: columnCount) {
      if clocks.isEmpty {
        for column in 0..<columnCount { try append(rows[start + column], to: places[column]) }
      }
      for (columns, time) in clocks where !rows[start + columns.lowerBound].isNaN {
        for column in columns { try append(rows[start + column], to: places[column]) }
        try append(rows[start], to: time)
      }
    }
    rowCount += rows.count / columnCount
  }

  @inline(__always)
  private func append(_ value: Double, to array: Int) throws(OutputError) {
    pending[array].append(value)
    if pending[array].count == Self.pendingCount { try spill(array) }
  }

  /// Does nothing: arrays are complete, and written, only at the end.
  package func flush() throws(OutputError) {}

  package func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    let texts = texts()
    var zip = StoredZipWriter(file: file, wideFrom: wideFrom)
    for (index, layout) in arrays.enumerated() {
      try spill(index)
      let spool = spools[index]
      let numbers = spool.count / MemoryLayout<Double>.stride
      precondition(numbers % layout.width == 0, "\(numbers) numbers do not fill rows of \(layout.width)")
      let rows = numbers / layout.width
      let header = Self.header(type: "<f8", shape: layout.width == 1 ? "(\(rows),)" : "(\(rows), \(layout.width))")
      var checksum = CyclicChecksum(header)
      try spool.forEachPiece { (piece) throws(OutputError) in checksum.add(piece) }
      try zip.begin(layout.name + ".npy", size: UInt64(header.count + spool.count), checksum: checksum.value)
      try zip.append(header)
      try spool.forEachPiece { (piece) throws(OutputError) in try zip.append(piece) }
    }
    for (name, text) in texts {
      let scalars = Array(text.unicodeScalars)
      var bytes = Self.header(type: "<U\(max(scalars.count, 1))", shape: "()")
      for scalar in scalars { Swift.withUnsafeBytes(of: scalar.value.littleEndian) { bytes += $0 } }
      // NumPy has no empty strings: a zero character represents an empty text.
      if scalars.isEmpty { bytes += [0, 0, 0, 0] }
      try zip.begin(name + ".npy", size: UInt64(bytes.count), checksum: CyclicChecksum(bytes).value)
      try zip.append(bytes)
    }
    try zip.finish()
    spools.removeAll()
    try file.prepare()
  }

  package func close() throws(OutputError) {
    try finish()
    try file.commit()
  }

  private func spill(_ array: Int) throws(OutputError) {
    guard !pending[array].isEmpty else { return }
    #if _endian(big)
      pending[array] = pending[array].map { Double(bitPattern: $0.bitPattern.littleEndian) }
    #endif
    let spool = spools[array]
    try pending[array].withUnsafeBufferPointer { numbers throws(OutputError) in
      try spool.append(UnsafeRawBufferPointer(numbers))
    }
    pending[array].removeAll(keepingCapacity: true)
  }

  /// Returns the header of an `.npy` file: magic, version, and a Python dictionary padded to a multiple of 64 bytes.
  static func header(type: String, shape: String) -> [UInt8] {
    var text = "{'descr': '\(type)', 'fortran_order': False, 'shape': \(shape), }"
    let length = (10 + text.utf8.count + 1 + 63) / 64 * 64
    text += String(repeating: " ", count: length - 11 - text.utf8.count) + "\n"
    let count = UInt16(text.utf8.count)
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(count & 0xFF), UInt8(count >> 8)] + Array(text.utf8)
  }
}
