/// Writes arrays of numbers as NumPy's `.npz`: a zip archive with an `.npy` file of each (format 1.0; NumPy Enhancement
/// Proposal 1), which `numpy.load` reads without pickle.
///
/// Arrays grow row by row, each for itself, and wait in files without a name, so that memory does not grow with them.
/// The archive appears with `commit`, whole; a writer that is dropped without it leaves nothing.
package final class NPZWriter {
  /// An array of rows.
  package struct Layout: Sendable, Equatable {
    package var name: String
    /// Numbers of a row; 1 makes an array of one dimension.
    package var width: Int

    package init(name: String, width: Int = 1) {
      self.name = name
      self.width = width
    }
  }

  package let arrays: [Layout]
  private let file: AtomicFile
  private var spools: [SpoolFile] = []
  /// Numbers not yet on the disk.
  private var pending: [[Double]]
  private let wideFrom: UInt64

  /// Numbers of an array that are kept before they are written.
  private static let pendingCount = 1 << 13

  /// Begins an archive; an existing one is an error unless `force`.
  package convenience init(path: String, arrays: [Layout], force: Bool = false) throws(OutputError) {
    try self.init(path: path, arrays: arrays, force: force, wideFrom: UInt64(UInt32.max))
  }

  init(path: String, arrays: [Layout], force: Bool = false, wideFrom: UInt64) throws(OutputError) {
    precondition(Set(arrays.map(\.name)).count == arrays.count, "two arrays have one name")
    precondition(arrays.allSatisfy { $0.width > 0 }, "an array's rows need a number")
    self.arrays = arrays
    self.wideFrom = wideFrom
    file = try AtomicFile(path: path, force: force)
    pending = Array(repeating: [], count: arrays.count)
    for index in arrays.indices {
      pending[index].reserveCapacity(Self.pendingCount)
      spools.append(try SpoolFile(for: path))
    }
  }

  /// Appends a number to an array, by its place; NaN is an empty value. Whole rows must have come before `finish`.
  @inline(__always)
  package func append(_ value: Double, to array: Int) throws(OutputError) {
    pending[array].append(value)
    if pending[array].count == Self.pendingCount { try spill(array) }
  }

  /// Writes the archive, with texts as arrays without dimensions; only `commit` is left to do.
  package func finish(texts: [(name: String, text: String)] = []) throws(OutputError) {
    var zip = StoredZipWriter(file: file, wideFrom: wideFrom)
    for (index, layout) in arrays.enumerated() {
      try spill(index)
      let spool = spools[index]
      let numbers = spool.count / MemoryLayout<Double>.stride
      precondition(numbers % layout.width == 0, "\(numbers) numbers are no rows of \(layout.width)")
      let rows = numbers / layout.width
      let header = Self.header(type: "<f8", shape: layout.width == 1 ? "(\(rows),)" : "(\(rows), \(layout.width))")
      var checksum = CyclicChecksum()
      checksum.add(header)
      try spool.forEachPiece { (piece) throws(OutputError) in checksum.add(piece) }
      try zip.begin(layout.name + ".npy", size: UInt64(header.count + spool.count), checksum: checksum.value)
      try zip.append(header)
      try spool.forEachPiece { (piece) throws(OutputError) in try zip.append(piece) }
    }
    for (name, text) in texts {
      let scalars = Array(text.unicodeScalars)
      var bytes = Self.header(type: "<U\(max(scalars.count, 1))", shape: "()")
      for scalar in scalars { Swift.withUnsafeBytes(of: scalar.value.littleEndian) { bytes += $0 } }
      // NumPy has no text without a character: a zero stands for nothing.
      if scalars.isEmpty { bytes += [0, 0, 0, 0] }
      var checksum = CyclicChecksum()
      checksum.add(bytes)
      try zip.begin(name + ".npy", size: UInt64(bytes.count), checksum: checksum.value)
      try zip.append(bytes)
    }
    try zip.finish()
    spools.removeAll()
    try file.prepare()
  }

  /// Puts the archive in its place.
  package func commit() throws(OutputError) { try file.commit() }

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

  /// The head of an `.npy` file: magic, version, and a Python dictionary that ends on a multiple of 64 bytes.
  static func header(type: String, shape: String) -> [UInt8] {
    var text = "{'descr': '\(type)', 'fortran_order': False, 'shape': \(shape), }"
    let length = (10 + text.utf8.count + 1 + 63) / 64 * 64
    text += String(repeating: " ", count: length - 11 - text.utf8.count) + "\n"
    let count = UInt16(text.utf8.count)
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(count & 0xFF), UInt8(count >> 8)] + Array(text.utf8)
  }
}

/// The rows of a table as arrays of an `.npz`: columns that are the components of one quantity are one array.
package final class NPZTableWriter: TableWriter {
  package private(set) var rowCount = 0
  private let writer: NPZWriter
  private let columnCount: Int
  /// The array of each column.
  private let places: [Int]
  private let texts: () -> [(name: String, text: String)]
  private var isFinished = false

  /// - `texts`: asked for at the end; each becomes an array without dimensions.
  package init(
    path: String, columns: [String], force: Bool = false, texts: @escaping () -> [(name: String, text: String)] = { [] }
  ) throws(OutputError) {
    let arrays = Self.arrays(of: columns)
    columnCount = columns.count
    places = arrays.enumerated().flatMap { place, array in Array(repeating: place, count: array.width) }
    self.texts = texts
    writer = try NPZWriter(path: path, arrays: arrays, force: force)
  }

  /// Columns in a row whose names differ in X, Y, Z (and W) are one array of the name before it; roll, pitch and yaw are
  /// `euler`; every other column is an array of its own name.
  package static func arrays(of columns: [String]) -> [NPZWriter.Layout] {
    var arrays: [NPZWriter.Layout] = []
    var rest = columns[...]
    while let first = rest.first {
      if rest.starts(with: ["roll", "pitch", "yaw"]) {
        arrays.append(.init(name: "euler", width: 3))
      } else if first.hasSuffix("X"), let stem = Optional(first.dropLast()), !stem.isEmpty,
        let width = [4, 3].first(where: { rest.starts(with: ["X", "Y", "Z", "W"].prefix($0).map { stem + $0 }) })
      {
        arrays.append(.init(name: String(stem), width: width))
      } else {
        arrays.append(.init(name: first))
      }
      rest = rest.dropFirst(arrays[arrays.count - 1].width)
    }
    return arrays
  }

  package func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    precondition(rows.count % columnCount == 0, "\(rows.count) numbers are no rows of \(columnCount) columns")
    for start in stride(from: 0, to: rows.count, by: columnCount) {
      for column in 0..<columnCount { try writer.append(rows[start + column], to: places[column]) }
    }
    rowCount += rows.count / columnCount
  }

  /// Arrays are complete, and written, only at the end.
  package func flush() throws(OutputError) {}

  package func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    try writer.finish(texts: texts())
  }

  package func close() throws(OutputError) {
    try finish()
    try writer.commit()
  }
}
