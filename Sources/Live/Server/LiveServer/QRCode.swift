/// A QR code of a short text (ISO/IEC 18004): byte mode, error correction M, versions 1 to 10.
///
/// For addresses that a phone's camera reads from the page, up to 213 bytes.
package struct QRCode: Equatable, Sendable {
  /// The number of modules per side.
  package let size: Int
  /// The modules row by row, `true` for dark, without the surrounding quiet zone of four modules.
  package let modules: [Bool]

  /// The block structure for M, by version from 1: data bytes per block, number of blocks, number of blocks in the
  /// second group (with one more byte each), check bytes per block.
  private static let blocks: [(data: Int, count: Int, more: Int, check: Int)] = [
    (16, 1, 0, 10), (28, 1, 0, 16), (44, 1, 0, 26), (32, 2, 0, 18), (43, 2, 0, 24), (27, 4, 0, 16), (31, 4, 0, 18),
    (38, 2, 2, 22), (36, 3, 2, 22), (43, 4, 1, 26),
  ]
  /// The centres of the alignment patterns, by version from 1.
  private static let alignment: [[Int]] = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
  ]

  /// Encodes a string, or returns `nil` if it is too long.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let found = Self.blocks.indices.first { position in
      bytes.count <= Self.capacity(position) - (position + 1 < 10 ? 2 : 3)
    }
    guard let position = found else { return nil }
    let version = position + 1
    let words = Self.interleaved(Self.data(bytes, version: version), version: version)
    let best = (0..<8).map { Self.matrix(version: version, words: words, mask: $0) }
      .min { $0.penalty < $1.penalty }!
    (size, modules) = (best.size, best.dark)
  }

  private static func capacity(_ position: Int) -> Int {
    let block = blocks[position]
    return block.data * block.count + (block.data + 1) * block.more
  }

  /// Returns the code's data: mode, length, text and padding.
  private static func data(_ bytes: [UInt8], version: Int) -> [UInt8] {
    var bits: [Bool] = []
    func add(_ value: Int, _ count: Int) {
      for shift in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> shift & 1 == 1) }
    }
    add(4, 4)
    add(bytes.count, version < 10 ? 8 : 16)
    for byte in bytes { add(Int(byte), 8) }
    let capacity = capacity(version - 1)
    add(0, min(4, 8 * capacity - bits.count))
    while bits.count % 8 != 0 { bits.append(false) }
    var words = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var pad: UInt8 = 0xEC
    while words.count < capacity {
      words.append(pad)
      pad ^= 0xEC ^ 0x11
    }
    return words
  }

  // MARK: Error correction

  /// The powers of 2 in the field of 256 elements, x⁸ + x⁴ + x³ + x² + 1.
  private static let powers: [Int] = {
    var (powers, value) = ([Int](), 1)
    for _ in 0..<255 {
      powers.append(value)
      value <<= 1
      if value > 255 { value ^= 0x11D }
    }
    return powers
  }()
  private static let logarithms: [Int] = {
    var logarithms = [Int](repeating: 0, count: 256)
    for (exponent, value) in powers.enumerated() { logarithms[value] = exponent }
    return logarithms
  }()

  private static func product(_ a: Int, _ b: Int) -> Int {
    a == 0 || b == 0 ? 0 : powers[(logarithms[a] + logarithms[b]) % 255]
  }

  /// Returns the remainder of the data divided by the polynomial whose roots are the first powers of 2 (Reed and
  /// Solomon).
  static func check(_ data: [UInt8], count: Int) -> [UInt8] {
    var divisor = [1]
    for root in 0..<count {
      var next = divisor + [0]
      for (position, factor) in divisor.enumerated() { next[position + 1] ^= product(factor, powers[root]) }
      divisor = next
    }
    var rest = data.map(Int.init) + [Int](repeating: 0, count: count)
    for position in data.indices {
      let factor = rest[position]
      for (offset, value) in divisor.enumerated() { rest[position + offset] ^= product(value, factor) }
    }
    return rest.suffix(count).map(UInt8.init)
  }

  private static func interleaved(_ data: [UInt8], version: Int) -> [UInt8] {
    let plan = blocks[version - 1]
    var parts: [[UInt8]] = []
    var start = 0
    for position in 0..<(plan.count + plan.more) {
      let count = plan.data + (position < plan.count ? 0 : 1)
      parts.append(Array(data[start..<start + count]))
      start += count
    }
    let checks = parts.map { check($0, count: plan.check) }
    var words: [UInt8] = []
    for position in 0...plan.data { for part in parts where position < part.count { words.append(part[position]) } }
    for position in 0..<plan.check { for check in checks { words.append(check[position]) } }
    return words
  }

  // MARK: Modules

  fileprivate struct Matrix {
    let size: Int
    var dark: [Bool]
    /// Whether a module belongs to a fixed pattern, which holds no data.
    var isFixed: [Bool]

    init(version: Int) {
      size = 17 + 4 * version
      (dark, isFixed) = (Array(repeating: false, count: size * size), Array(repeating: false, count: size * size))
    }

    subscript(row: Int, column: Int) -> Bool {
      get { dark[row * size + column] }
      set { dark[row * size + column] = newValue }
    }

    mutating func fix(_ row: Int, _ column: Int, _ value: Bool) {
      guard (0..<size).contains(row), (0..<size).contains(column) else { return }
      self[row, column] = value
      isFixed[row * size + column] = true
    }
  }

  private static func matrix(version: Int, words: [UInt8], mask: Int) -> Matrix {
    var matrix = Matrix(version: version)
    addPatterns(&matrix, version)
    addFormat(&matrix, mask)
    if version >= 7 { addVersion(&matrix, version) }
    addData(&matrix, words, mask)
    return matrix
  }

  private static func addPatterns(_ matrix: inout Matrix, _ version: Int) {
    let size = matrix.size
    for position in 0..<size where !(0..<8).contains(position) && position < size - 8 {
      matrix.fix(6, position, position % 2 == 0)
      matrix.fix(position, 6, position % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] {
      for y in -4...4 {
        for x in -4...4 {
          let ring = max(abs(x), abs(y))
          matrix.fix(row + y, column + x, ring != 2 && ring != 4)
        }
      }
    }
    let centres = alignment[version - 1]
    for row in centres {
      for column in centres {
        let isAtFinder = (row == 6 && (column == 6 || column == centres.last)) || (column == 6 && row == centres.last)
        if isAtFinder { continue }
        for y in -2...2 { for x in -2...2 { matrix.fix(row + y, column + x, max(abs(x), abs(y)) != 1) } }
      }
    }
    matrix.fix(size - 8, 8, true)
  }

  /// Adds the level and the mask with ten check bits, in two places.
  private static func addFormat(_ matrix: inout Matrix, _ mask: Int) {
    // Level M is 00.
    var rest = mask << 10
    for shift in stride(from: 14, through: 10, by: -1) where rest >> shift & 1 == 1 {
      rest ^= 0b101_0011_0111 << (shift - 10)
    }
    let bits = (mask << 10 | rest) ^ 0b101_0100_0001_0010
    let size = matrix.size
    func bit(_ position: Int) -> Bool { bits >> position & 1 == 1 }
    for position in 0...5 { matrix.fix(position, 8, bit(position)) }
    matrix.fix(7, 8, bit(6))
    matrix.fix(8, 8, bit(7))
    matrix.fix(8, 7, bit(8))
    for position in 9...14 { matrix.fix(8, 14 - position, bit(position)) }
    for position in 0...7 { matrix.fix(8, size - 1 - position, bit(position)) }
    for position in 8...14 { matrix.fix(size - 15 + position, 8, bit(position)) }
  }

  private static func addVersion(_ matrix: inout Matrix, _ version: Int) {
    var rest = version << 12
    for shift in stride(from: 17, through: 12, by: -1) where rest >> shift & 1 == 1 { rest ^= 0x1F25 << (shift - 12) }
    let bits = version << 12 | rest
    for position in 0..<18 {
      let value = bits >> position & 1 == 1
      matrix.fix(position / 3, matrix.size - 11 + position % 3, value)
      matrix.fix(matrix.size - 11 + position % 3, position / 3, value)
    }
  }

  private static func addData(_ matrix: inout Matrix, _ words: [UInt8], _ mask: Int) {
    let size = matrix.size
    var next = 0
    var isUpward = true
    var right = size - 1
    while right > 0 {
      // The column of the timing pattern holds no data.
      if right == 6 { right = 5 }
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !matrix.isFixed[row * size + column] {
          let value = next < 8 * words.count && words[next / 8] >> UInt8(7 - next % 8) & 1 == 1
          matrix[row, column] = value != isMasked(mask, row, column)
          next += 1
        }
      }
      isUpward.toggle()
      right -= 2
    }
  }

  private static func isMasked(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }
}

extension QRCode.Matrix {
  /// The penalty for hard-to-read codes: runs, blocks, finder-like patterns, and an uneven fraction of dark modules.
  fileprivate var penalty: Int {
    var penalty = 0
    for isRow in [true, false] {
      for line in 0..<size {
        let values = (0..<size).map { isRow ? self[line, $0] : self[$0, line] }
        penalty += Self.runs(values) + Self.finders(values)
      }
    }
    for row in 0..<(size - 1) {
      for column in 0..<(size - 1) {
        let value = self[row, column]
        if self[row, column + 1] == value, self[row + 1, column] == value, self[row + 1, column + 1] == value {
          penalty += 3
        }
      }
    }
    let fraction = dark.reduce(0) { $0 + ($1 ? 1 : 0) } * 100 / dark.count
    return penalty + abs(fraction - 50) / 5 * 10
  }

  private static func runs(_ values: [Bool]) -> Int {
    var (penalty, run) = (0, 1)
    for position in 1..<values.count {
      run = values[position] == values[position - 1] ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    return penalty
  }

  private static let finder = [true, false, true, true, true, false, true]

  private static func finders(_ values: [Bool]) -> Int {
    let light = [false, false, false, false]
    var penalty = 0
    for start in 0...(values.count - 11) {
      let part = Array(values[start..<start + 11])
      if part == finder + light || part == light + finder { penalty += 40 }
    }
    return penalty
  }
}
