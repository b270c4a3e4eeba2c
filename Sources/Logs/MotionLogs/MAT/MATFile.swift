/// A numeric matrix of a MAT file.
struct MATArray {
  let name: String
  let rows: Int
  let columns: Int
  /// The elements in column-major order.
  let values: [Double]

  /// Replaces an array by the numbers of the given rows in row-major order; if `isTurned`, of the matrix's transpose.
  func read(_ range: Range<Int>, isTurned: Bool, into numbers: inout [Double]) {
    numbers.removeAll(keepingCapacity: true)
    for row in range {
      for column in 0..<(isTurned ? rows : columns) {
        numbers.append(values[isTurned ? row * rows + column : column * rows + row])
      }
    }
  }
}

/// Reads real numeric matrices of a MAT file of level 5, versions 5 to 7 ("MAT-File Format", The MathWorks).
///
/// Every size in the file is checked against the available bytes before it is used, so that a matrix never takes more
/// memory than its bytes can hold. Unwanted variables, cells and objects are skipped unread. The fields of a single
/// structure become variables with the structure's name as a prefix: `IMU.Acc`.
struct MATFile {
  /// The maximum size of a file, in bytes; a variable of version 7 cannot be larger.
  private static let largestFile = 1 << 31
  /// The maximum expansion factor of deflate.
  private static let largestExpansion = 1032
  private static let maximumVariableCount = 10_000
  private static let deepest = 4
  /// The maximum size of all compressed structures after expansion, in bytes.
  private static let largestStructures = 1 << 30

  /// The wanted matrices, by name.
  private(set) var arrays: [String: MATArray] = [:]
  /// The names of all variables, for messages.
  private(set) var names: [String] = []

  /// Whether a file begins with the header of a MAT file of level 5.
  static func begins(_ head: some Collection<UInt8>) -> Bool {
    guard head.count >= 128, head.starts(with: "MATLAB 5.0 MAT-file".utf8) else { return false }
    let end = Array(head.dropFirst(124).prefix(4))
    return end == [0x00, 0x01, 0x49, 0x4D] || end == [0x01, 0x00, 0x4D, 0x49]
  }

  private let path: String
  private let isBig: Bool
  private let wanted: (String) -> Bool
  private var structureBytes = 0

  /// Reads the wanted matrices.
  ///
  /// - Parameter wanted: Whether to read a variable, given its name without the name of its structure.
  init(path: String, wanted: @escaping (String) -> Bool) throws(LogError) {
    let file = try InputFile(path: path)
    guard let size = file.size, size <= Self.largestFile else {
      throw LogError(path: path, problem: "is not a file of at most 2 GiB", remedy: "give a MAT file of version 5 to 7")
    }
    let bytes = try file.readBytes(upTo: size)
    guard Self.begins(bytes) else {
      throw LogError(path: path, problem: "is not a MAT file of version 5 to 7", remedy: "save it with '-v7'")
    }
    (self.path, self.wanted, isBig) = (path, wanted, bytes[126] == 0x4D)
    var start = 128
    while start < bytes.count {
      guard let tag = MATElement(bytes[start...], isBig: isBig), tag.type == 14 || tag.type == 15, !tag.isSmall else {
        throw damaged("the element at byte \(start) is invalid or cut off")
      }
      guard names.count < Self.maximumVariableCount else { throw damaged("there are too many variables") }
      if tag.type == 14 {
        try add(tag.data)
      } else {
        try addCompressed(tag.data)
      }
      // Compressed elements are not padded.
      start = tag.data.endIndex + (tag.type == 15 ? 0 : (8 - tag.data.count % 8) % 8)
    }
  }

  private func damaged(_ problem: String) -> LogError {
    LogError(path: path, problem: "this MAT file is damaged: \(problem)", remedy: "fetch or save the file again")
  }

  private mutating func add(
    _ bytes: ArraySlice<UInt8>, prefix: String = "", field: String? = nil, depth: Int = 0
  ) throws(LogError) {
    guard let header = MATMatrixHeader(bytes, isBig: isBig, field: field) else {
      throw damaged("a variable has no header")
    }
    let name = prefix + header.name
    guard !header.isStructure else {
      return try addFields(bytes, header, prefix: name + ".", depth: depth)
    }
    names.append(name)
    guard wanted(header.name), header.isRealNumeric else { return }
    guard let data = MATElement(bytes[header.end...], isBig: isBig), let values = data.numbers(count: header.count)
    else {
      throw damaged("the size of variable \(name) does not match its numbers")
    }
    arrays[name] = MATArray(name: name, rows: header.rows, columns: header.columns, values: values)
  }

  /// Adds the matrix fields of a structure with one element; of any other structure only its name.
  private mutating func addFields(
    _ bytes: ArraySlice<UInt8>, _ header: MATMatrixHeader, prefix: String, depth: Int
  ) throws(LogError) {
    guard header.rows == 1, header.columns == 1, depth < Self.deepest,
      let length = MATElement(bytes[header.end...], isBig: isBig), length.type == 5,
      let size = length.numbers(count: 1).map({ Int($0[0]) }), (1...64).contains(size), length.end <= bytes.endIndex,
      let list = MATElement(bytes[length.end...], isBig: isBig), list.type == 1, list.data.count % size == 0
    else { return names.append(String(prefix.dropLast())) }
    var start = list.end
    for position in stride(from: list.data.startIndex, to: list.data.endIndex, by: size) {
      guard names.count < Self.maximumVariableCount else { throw damaged("there are too many variables") }
      guard start <= bytes.endIndex, let field = MATElement(bytes[start...], isBig: isBig), field.type == 14 else {
        throw damaged("the structure \(prefix.dropLast()) has fewer fields than names")
      }
      start = field.end
      // An empty field has no header.
      guard !field.data.isEmpty else { continue }
      let name = MATMatrixHeader.name(list.data[position..<position + size].prefix { $0 != 0 })
      try add(field.data, prefix: prefix, field: name, depth: depth + 1)
    }
  }

  private mutating func addCompressed(_ bytes: ArraySlice<UInt8>) throws(LogError) {
    let head = try inflate(bytes, upTo: 1024)
    // The matrix's own tag takes 8 bytes.
    guard head.count > 8, let header = MATMatrixHeader(head[8...], isBig: isBig) else {
      throw damaged("a compressed variable has no header")
    }
    guard !header.isStructure else {
      // The tag contains the length.
      let length = MATElement.word(head[...], 4, 4, isBig)
      guard length <= Self.largestExpansion * bytes.count, structureBytes + Int(length) <= Self.largestStructures else {
        throw damaged("structure \(header.name) is larger than its bytes can be")
      }
      structureBytes += Int(length)
      return try add(try inflate(bytes, upTo: 8 + Int(length))[8...])
    }
    guard wanted(header.name), header.isRealNumeric else {
      names.append(header.name)
      return
    }
    guard header.count <= Self.largestExpansion * bytes.count else {
      throw damaged("variable \(header.name) is larger than its bytes can be")
    }
    try add(try inflate(bytes, upTo: header.end + 8 + 8 * header.count)[8...])
  }

  /// Returns at most the first `limit` inflated bytes.
  private func inflate(_ bytes: ArraySlice<UInt8>, upTo limit: Int) throws(LogError) -> [UInt8] {
    let room = min(limit, Self.largestExpansion * bytes.count + 64)
    guard let output = ZlibStream.inflated(bytes, .zlib, upTo: room) else {
      throw damaged("a compressed variable cannot be inflated")
    }
    return output
  }
}

/// A data element: its type and its bytes.
struct MATElement {
  let type: Int
  let data: ArraySlice<UInt8>
  /// Whether type, size and data share eight bytes.
  let isSmall: Bool
  let isBig: Bool

  /// Reads the element at the start of the bytes, or returns `nil` if there are too few bytes.
  init?(_ bytes: ArraySlice<UInt8>, isBig: Bool) {
    guard bytes.count >= 8 else { return nil }
    let start = bytes.startIndex
    let word = Int(Self.word(bytes, start, 4, isBig))
    isSmall = word >> 16 != 0
    self.isBig = isBig
    if isSmall {
      type = word & 0xFFFF
      guard word >> 16 <= 4 else { return nil }
      data = bytes[(start + 4)..<(start + 4 + word >> 16)]
    } else {
      type = word
      let size = Int(Self.word(bytes, start + 4, 4, isBig))
      guard size <= bytes.count - 8 else { return nil }
      data = bytes[(start + 8)..<(start + 8 + size)]
    }
  }

  /// The start of the next element.
  var end: Int { isSmall ? data.startIndex + 4 : data.endIndex + (8 - data.count % 8) % 8 }

  static func word(_ bytes: ArraySlice<UInt8>, _ position: Int, _ count: Int, _ isBig: Bool) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<count { word = word << 8 | UInt64(bytes[position + (isBig ? index : count - 1 - index)]) }
    return word
  }

  /// Returns the element's numbers, or `nil` if their count differs or the type is not numeric.
  func numbers(count: Int) -> [Double]? {
    let sizes = [1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8]
    // Division avoids the overflow of a product with a size from the file.
    guard let size = sizes[type], data.count % size == 0, data.count / size == count else { return nil }
    return (0..<count).map { index in
      let word = Self.word(data, data.startIndex + index * size, size, isBig)
      return switch type {
      case 1: Double(Int8(truncatingIfNeeded: word))
      case 3: Double(Int16(truncatingIfNeeded: word))
      case 5: Double(Int32(truncatingIfNeeded: word))
      case 7: Double(Float(bitPattern: UInt32(word)))
      case 9: Double(bitPattern: word)
      case 12: Double(Int64(bitPattern: word))
      default: Double(word)
      }
    }
  }
}

/// The header of a matrix before its numbers: class, size and name.
struct MATMatrixHeader {
  let name: String
  /// Whether the matrix is a two-dimensional matrix of numbers or booleans without an imaginary part.
  let isRealNumeric: Bool
  let rows: Int
  let columns: Int
  /// Whether the matrix has named fields instead of numbers.
  let isStructure: Bool
  /// The start of the numbers.
  let end: Int

  var count: Int { rows * columns }

  /// Reads the header at the start of a matrix's bytes, or returns `nil` if the header is missing.
  ///
  /// - Parameter field: The name of a structure's field, whose own name is empty.
  init?(_ bytes: ArraySlice<UInt8>, isBig: Bool, field: String? = nil) {
    guard let flags = MATElement(bytes, isBig: isBig), flags.type == 6, flags.data.count == 8 else { return nil }
    let word = MATElement.word(flags.data, flags.data.startIndex, 4, isBig)
    // An object of one of MATLAB's classes, such as a timetable, has no size before its name.
    let isObject = word & 0xFF == 17
    var (rest, dimensions) = (bytes.dropFirst(16), [Double]())
    if !isObject {
      guard let size = MATElement(bytes.dropFirst(flags.end - bytes.startIndex), isBig: isBig), size.type == 5,
        size.end <= bytes.endIndex, let numbers = size.numbers(count: size.data.count / 4), numbers.count >= 2
      else { return nil }
      (rest, dimensions) = (bytes[size.end...], numbers)
    }
    guard let name = MATElement(rest, isBig: isBig), name.type == 1, isObject || name.end <= bytes.endIndex else {
      return nil
    }
    let isMatrix = dimensions.count == 2 && dimensions.allSatisfy { $0 >= 0 && $0 < 2_147_483_648 }
    self.name = field ?? Self.name(name.data)
    isStructure = word & 0xFF == 2
    end = name.end
    rows = isMatrix ? Int(dimensions[0]) : 0
    columns = isMatrix ? Int(dimensions[1]) : 0
    isRealNumeric = isMatrix && (6...15).contains(word & 0xFF) && word & 0x800 == 0
  }

  /// Returns a name from a file as printable ASCII, for messages.
  static func name(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(63).map { $0 < 0x20 || $0 > 0x7E ? 0x3F : $0 }, as: UTF8.self)
  }
}
