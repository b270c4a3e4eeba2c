/// An array of numbers in an `.npz`, read row by row: a zip entry in NumPy's `.npy` format (NumPy Enhancement Proposal
/// 1).
final class NPYStream {
  let name: String
  let rows: Int
  /// The number of numbers per row.
  let width: Int

  private let stream: ZipContent
  /// The size of a number in bytes: 8 for a double, 4 for a float.
  private let numberSize: Int
  private let path: String
  private var buffer: [UInt8] = []

  /// The maximum length of a header, in bytes.
  private static let maximumHeadSize = 1 << 12
  private static let maximumNumberCount = 1 << 40

  /// Opens an entry. Returns `nil` if it is not an array of numbers with one or two dimensions.
  init?(_ entry: ZipDirectory.Entry, in archive: ZipArchive) throws(LogError) {
    path = archive.path
    name = String(entry.parts[entry.parts.count - 1].dropLast(4))
    stream = try archive.open(entry)
    var start = [UInt8](repeating: 0, count: 12)
    guard try stream.fill(&start, 10), start.starts(with: [0x93] + Array("NUMPY".utf8)), (1...3).contains(start[6])
    else { throw Self.damage(archive.path, name) }
    var length = Int(start[8]) | Int(start[9]) << 8
    if start[6] > 1 {
      var more = [UInt8](repeating: 0, count: 2)
      guard try stream.fill(&more, 2) else { throw Self.damage(archive.path, name) }
      length |= Int(more[0]) << 16 | Int(more[1]) << 24
    }
    guard length <= Self.maximumHeadSize else { throw Self.damage(archive.path, name) }
    var head = [UInt8](repeating: 0, count: length)
    guard try stream.fill(&head, length) else { throw Self.damage(archive.path, name) }
    let text = String(decoding: head, as: UTF8.self)
    guard let type = Self.value("descr", in: text), let shape = Self.value("shape", in: text),
      let numberSize = ["<f8": 8, "<f4": 4][type.filter { $0 != "'" && $0 != "\"" && $0 != " " }]
    else { return nil }
    let parts = shape.filter { $0 != "(" && $0 != ")" && $0 != " " }.split(separator: ",")
    let extents = parts.compactMap { Int($0) }
    guard extents.count == parts.count, (1...2).contains(extents.count), extents.allSatisfy({ $0 >= 0 }) else {
      return nil
    }
    let (rows, width) = (extents[0], extents.count > 1 ? extents[1] : 1)
    // In column-major order, a row's numbers are not contiguous.
    guard (1...4).contains(width), rows < Self.maximumNumberCount, width == 1 || text.contains("'fortran_order': False")
    else {
      return nil
    }
    (self.rows, self.width, self.numberSize) = (rows, width, numberSize)
    let size = UInt64(12 - (start[6] > 1 ? 0 : 2) + length) + UInt64(rows * width * numberSize)
    guard size <= entry.size else { throw Self.damage(archive.path, name) }
  }

  /// The names of the columns in Inertial's tables.
  var columnNames: [String] {
    switch width {
    case 1: [name]
    case 3 where name == "euler": ["roll", "pitch", "yaw"]
    default: ["X", "Y", "Z", "W"].prefix(width).map { name + $0 }
    }
  }

  /// Replaces the blocks, one per number of a row, by those of the next rows.
  func read(_ count: Int, into blocks: inout ArraySlice<[Double]>) throws(LogError) {
    let bytes = count * width * numberSize
    if buffer.count < bytes { buffer = [UInt8](repeating: 0, count: bytes) }
    guard try stream.fill(&buffer, bytes) else { throw Self.damage(path, name) }
    for (component, index) in blocks.indices.enumerated() {
      blocks[index].removeAll(keepingCapacity: true)
      for row in 0..<count { blocks[index].append(number(at: (row * width + component) * numberSize)) }
    }
  }

  private func number(at position: Int) -> Double {
    buffer.withUnsafeBytes { bytes in
      guard numberSize == 4 else {
        return Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
      }
      let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
      return Double(Float(bitPattern: bits))
    }
  }

  /// Returns a value of the header, a Python dictionary: up to the next comma, or a tuple including its parentheses.
  private static func value(_ key: String, in text: String) -> String? {
    guard let position = text.firstRange(of: "'\(key)':") else { return nil }
    let rest = text[position.upperBound...].drop { $0 == " " }
    if rest.first == "(" {
      guard let end = rest.firstIndex(of: ")") else { return nil }
      return String(rest[...end])
    }
    return String(rest.prefix { $0 != "," && $0 != "}" })
  }

  private static func damage(_ path: String, _ name: String) -> LogError {
    LogError(
      path: path, problem: "the array \(name.prefix(40).filter { !$0.isNewline }) is cut off or damaged",
      remedy: "fetch or write the archive again")
  }
}
