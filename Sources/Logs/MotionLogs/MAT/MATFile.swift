internal import CInertialCompression

/// A numeric matrix of a MAT file.
struct MATArray {
  let name: String
  let rows: Int
  let columns: Int
  /// Column by column.
  let values: [Double]

  subscript(row: Int, column: Int) -> Double { values[column * rows + row] }

  /// With rows and columns exchanged.
  var transposed: MATArray {
    var turned: [Double] = []
    turned.reserveCapacity(values.count)
    for row in 0..<rows { for column in 0..<columns { turned.append(self[row, column]) } }
    return MATArray(name: name, rows: columns, columns: rows, values: turned)
  }
}

/// Reads real numeric matrices of a MAT file of level 5, versions 5 to 7 ("MAT-File Format", The MathWorks).
///
/// Nothing that a file says is believed before it is checked against the bytes that are there: a matrix takes memory for
/// what its bytes can hold, and what is not wanted, or is a cell or an object, is passed over unread. The fields of a single
/// structure are variables whose names begin with the structure's: `IMU.Acc`.
struct MATFile {
  /// Bytes; a variable of version 7 cannot have more.
  private static let largestFile = 1 << 31
  /// What deflate can make of a byte.
  private static let largestExpansion = 1032
  private static let mostVariables = 10_000
  private static let deepest = 4
  /// The most bytes that all compressed structures may expand to.
  private static let largestStructures = 1 << 30

  /// The matrices that were wanted, by name.
  private(set) var arrays: [String: MATArray] = [:]
  /// Names of all variables, for messages.
  private(set) var names: [String] = []

  /// Whether the beginning of a file is that of a MAT file of level 5.
  static func begins(_ head: some Collection<UInt8>) -> Bool {
    guard head.count >= 128, head.starts(with: "MATLAB 5.0 MAT-file".utf8) else { return false }
    let end = Array(head.dropFirst(124).prefix(4))
    return end == [0x00, 0x01, 0x49, 0x4D] || end == [0x01, 0x00, 0x4D, 0x49]
  }

  private var structureBytes = 0

  /// Reads the wanted matrices.
  ///
  /// - Parameter wanted: whether a variable is wanted, by its name without that of the structure that it is in.
  init(path: String, wanted: @escaping (String) -> Bool) throws(LogError) {
    let file = try InputFile(path: path)
    guard let size = file.size, size <= Self.largestFile else {
      throw LogError(path: path, problem: "is no file of at most 2 GiB", remedy: "give a MAT file of version 5 to 7")
    }
    let bytes = try file.readBytes(upTo: size)
    guard Self.begins(bytes) else {
      throw LogError(path: path, problem: "is no MAT file of version 5 to 7", remedy: "save it with '-v7'")
    }
    let isBig = bytes[126] == 0x4D
    var start = 128
    while start < bytes.count {
      guard let tag = MATElement(bytes[start...], isBig: isBig), tag.type == 14 || tag.type == 15, !tag.isSmall else {
        throw Self.damaged(path, "the element at byte \(start) is none, or is cut off")
      }
      guard names.count < Self.mostVariables else { throw Self.damaged(path, "there are too many variables") }
      if tag.type == 14 {
        try add(tag.data, isBig, wanted, path)
      } else {
        try addCompressed(tag.data, isBig, wanted, path)
      }
      // Compressed elements are not padded.
      start = tag.data.endIndex + (tag.type == 15 ? 0 : (8 - tag.data.count % 8) % 8)
    }
  }

  private static func damaged(_ path: String, _ problem: String) -> LogError {
    LogError(path: path, problem: "this MAT file is damaged: \(problem)", remedy: "fetch or save the file again")
  }

  private mutating func add(
    _ bytes: ArraySlice<UInt8>, _ isBig: Bool, _ wanted: (String) -> Bool, _ path: String, prefix: String = "",
    field: String? = nil, depth: Int = 0
  ) throws(LogError) {
    guard let header = MATMatrixHeader(bytes, isBig: isBig, field: field) else {
      throw Self.damaged(path, "a variable has no header")
    }
    let name = prefix + header.name
    guard !header.isStructure else {
      return try addFields(bytes, header, isBig, wanted, path, prefix: name + ".", depth: depth)
    }
    names.append(name)
    guard wanted(header.name), header.isRealNumeric else { return }
    guard let data = MATElement(bytes[header.end...], isBig: isBig), let values = data.numbers(count: header.count)
    else {
      throw Self.damaged(path, "variable \(name) has not the numbers of its size")
    }
    arrays[name] = MATArray(name: name, rows: header.rows, columns: header.columns, values: values)
  }

  /// Takes the fields of a structure of one element, each a matrix; of any other structure nothing but its name.
  private mutating func addFields(
    _ bytes: ArraySlice<UInt8>, _ header: MATMatrixHeader, _ isBig: Bool, _ wanted: (String) -> Bool, _ path: String,
    prefix: String, depth: Int
  ) throws(LogError) {
    guard header.rows == 1, header.columns == 1, depth < Self.deepest,
      let length = MATElement(bytes[header.end...], isBig: isBig), length.type == 5,
      let size = length.numbers(count: 1).map({ Int($0[0]) }), (1...64).contains(size), length.end <= bytes.endIndex,
      let list = MATElement(bytes[length.end...], isBig: isBig), list.type == 1, list.data.count % size == 0
    else { return names.append(String(prefix.dropLast())) }
    var start = list.end
    for place in stride(from: list.data.startIndex, to: list.data.endIndex, by: size) {
      guard names.count < Self.mostVariables else { throw Self.damaged(path, "there are too many variables") }
      guard start <= bytes.endIndex, let field = MATElement(bytes[start...], isBig: isBig), field.type == 14 else {
        throw Self.damaged(path, "the structure \(prefix.dropLast()) has fewer fields than names")
      }
      start = field.end
      // A field that holds nothing has no header.
      guard !field.data.isEmpty else { continue }
      let name = MATMatrixHeader.name(list.data[place..<place + size].prefix { $0 != 0 })
      try add(field.data, isBig, wanted, path, prefix: prefix, field: name, depth: depth + 1)
    }
  }

  private mutating func addCompressed(
    _ bytes: ArraySlice<UInt8>, _ isBig: Bool, _ wanted: (String) -> Bool, _ path: String
  ) throws(LogError) {
    let head = try Self.inflate(bytes, upTo: 1024, path)
    // The matrix's own tag is of 8 bytes.
    guard head.count > 8, let header = MATMatrixHeader(head[8...], isBig: isBig) else {
      throw Self.damaged(path, "a compressed variable has no header")
    }
    guard !header.isStructure else {
      // How long it is stands in its tag.
      let length = MATElement.word(head[...], 4, 4, isBig)
      guard length <= Self.largestExpansion * bytes.count, structureBytes + Int(length) <= Self.largestStructures else {
        throw Self.damaged(path, "structure \(header.name) is larger than its bytes can be")
      }
      structureBytes += Int(length)
      return try add(try Self.inflate(bytes, upTo: 8 + Int(length), path)[8...], isBig, wanted, path)
    }
    guard wanted(header.name), header.isRealNumeric else {
      names.append(header.name)
      return
    }
    guard header.count <= Self.largestExpansion * bytes.count else {
      throw Self.damaged(path, "variable \(header.name) is larger than its bytes can be")
    }
    let whole = try Self.inflate(bytes, upTo: header.end + 8 + 8 * header.count, path)
    try add(whole[8...], isBig, wanted, path)
  }

  /// The first bytes of what was deflated, at most `limit`.
  private static func inflate(_ bytes: ArraySlice<UInt8>, upTo limit: Int, _ path: String) throws(LogError) -> [UInt8] {
    var stream = z_stream()
    let version = "1"
    guard inflateInit_(&stream, version, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw damaged(path, "zlib cannot begin")
    }
    defer { inflateEnd(&stream) }
    var input = Array(bytes)
    var output = [UInt8](repeating: 0, count: min(limit, largestExpansion * bytes.count + 64))
    let (capacity, available) = (output.count, input.count)
    let produced: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(available)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: capacity)
        let first = Int(stream.avail_out)
        let result = CInertialCompression.inflate(&stream, Z_SYNC_FLUSH)
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return nil }
        return first - Int(stream.avail_out)
      }
    }
    guard let produced else { throw damaged(path, "a compressed variable cannot be inflated") }
    output.removeLast(output.count - produced)
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

  /// Takes the element that the bytes begin with; nil where they are too few.
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

  /// Where the next element begins.
  var end: Int { isSmall ? data.startIndex + 4 : data.endIndex + (8 - data.count % 8) % 8 }

  static func word(_ bytes: ArraySlice<UInt8>, _ place: Int, _ count: Int, _ isBig: Bool) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<count { word = word << 8 | UInt64(bytes[place + (isBig ? index : count - 1 - index)]) }
    return word
  }

  /// Its numbers, which must be so many; nil where they are not, or it is of no numeric type.
  func numbers(count: Int) -> [Double]? {
    let sizes = [1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8]
    // Divided, as a product of what a file says may be too large for any number.
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

/// What a matrix says of itself before its numbers: class, size and name.
struct MATMatrixHeader {
  let name: String
  /// A matrix of numbers or booleans, without an imaginary part, of two dimensions.
  let isRealNumeric: Bool
  let rows: Int
  let columns: Int
  /// Whether it has named fields in place of numbers.
  let isStructure: Bool
  /// Where its numbers begin.
  let end: Int

  var count: Int { rows * columns }

  /// Takes the header that the bytes of a matrix begin with; nil where they have none.
  ///
  /// - Parameter field: the name of a structure's field, whose own is empty.
  init?(_ bytes: ArraySlice<UInt8>, isBig: Bool, field: String? = nil) {
    guard let flags = MATElement(bytes, isBig: isBig), flags.type == 6, flags.data.count == 8 else { return nil }
    let word = MATElement.word(flags.data, flags.data.startIndex, 4, isBig)
    // An object of MATLAB's own classes, such as a timetable, has no size before its name.
    guard word & 0xFF != 17 else {
      guard let name = MATElement(bytes.dropFirst(16), isBig: isBig), name.type == 1 else { return nil }
      self.init(name: name, field: field, rows: 0, columns: 0, isRealNumeric: false)
      return
    }
    guard let size = MATElement(bytes.dropFirst(flags.end - bytes.startIndex), isBig: isBig), size.type == 5,
      size.end <= bytes.endIndex, let name = MATElement(bytes[size.end...], isBig: isBig), name.type == 1,
      name.end <= bytes.endIndex, let dimensions = size.numbers(count: size.data.count / 4), dimensions.count >= 2
    else { return nil }
    let isMatrix = dimensions.count == 2 && dimensions.allSatisfy { $0 >= 0 && $0 < 2_147_483_648 }
    self.init(
      name: name, field: field, rows: isMatrix ? Int(dimensions[0]) : 0, columns: isMatrix ? Int(dimensions[1]) : 0,
      isRealNumeric: isMatrix && (6...15).contains(word & 0xFF) && word & 0x800 == 0, isStructure: word & 0xFF == 2)
  }

  private init(
    name: MATElement, field: String?, rows: Int, columns: Int, isRealNumeric: Bool, isStructure: Bool = false
  ) {
    self.name = field ?? Self.name(name.data)
    self.isStructure = isStructure
    end = name.end
    self.rows = rows
    self.columns = columns
    self.isRealNumeric = isRealNumeric
  }

  /// A name of a file, as a message can have it.
  static func name(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix(63).map { $0 < 0x20 || $0 > 0x7E ? 0x3F : $0 }, as: UTF8.self)
  }
}
