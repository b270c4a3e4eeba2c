import InertialNumerics

/// Damages files in realistic and unrealistic ways. The same seed yields the same damage.
struct LogMutator {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Byte sequences that are difficult for readers: delimiters, line ends, NUL, quotes, numbers at and beyond the
  /// limits.
  private static let insertions: [[UInt8]] = [
    ",", ";", "\t", " ", "\n", "\r", "\r\n", "\0", "\"", "#", "-", ".", "e", "nan", "inf", "-inf", "1e999",
    "-1e999", "1e-999", "9223372036854775808", "-9223372036854775809", "99999999999999999999999999999999",
    "\u{FEFF}", "µ", "0x10", "--1", "1..2", "null", "\u{1A}",
  ].map { Array($0.utf8) }

  mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  /// Applies one to three faults to a text or binary file.
  mutating func mutate(_ bytes: [UInt8], isText: Bool) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(3) where !bytes.isEmpty {
      switch below(isText ? 9 : 5) {
      case 0: bytes[below(bytes.count)] ^= UInt8(1 << below(8))
      case 1: bytes[below(bytes.count)] = UInt8(below(256))
      case 2: bytes.removeLast(below(bytes.count) + (below(20) == 0 ? 1 : 0))
      case 3:
        let start = below(bytes.count)
        let length = min(1 + below(8), bytes.count - start)
        let value = [UInt8](arrayLiteral: 0x00, 0xFF, 0x7F, 0x80)[below(4)]
        for index in start..<(start + length) { bytes[index] = value }
      case 4:
        let start = below(bytes.count)
        bytes.removeSubrange(start..<min(start + 1 + below(8), bytes.count))
      case 5: bytes.insert(contentsOf: Self.insertions[below(Self.insertions.count)], at: below(bytes.count + 1))
      case 6: bytes = mutateLines(bytes)
      case 7: bytes = swapFields(bytes)
      default: bytes = replaceField(bytes)
      }
    }
    return bytes
  }

  /// Duplicates, removes or exchanges lines.
  private mutating func mutateLines(_ bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let line = below(lines.count)
    switch below(3) {
    case 0: lines.insert(lines[line], at: below(lines.count + 1))
    case 1: lines.remove(at: line)
    default: lines.swapAt(line, below(lines.count))
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  private static let delimiters: Set<UInt8> = [0x2C, 0x20, 0x09, 0x3B]

  /// Returns the ranges of the fields of the whole file.
  private func fields(_ bytes: [UInt8]) -> [Range<Int>] {
    bytes.split { Self.delimiters.contains($0) || $0 == 0x0A }.map { $0.startIndex..<$0.endIndex }
  }

  private mutating func swapFields(_ bytes: [UInt8]) -> [UInt8] {
    let fields = fields(bytes)
    guard fields.count >= 2 else { return bytes }
    let picks = [below(fields.count), below(fields.count)].sorted()
    guard picks[0] != picks[1] else { return bytes }
    let (first, second) = (fields[picks[0]], fields[picks[1]])
    var swapped = Array(bytes[..<first.lowerBound])
    swapped += bytes[second]
    swapped += bytes[first.upperBound..<second.lowerBound]
    swapped += bytes[first]
    swapped += bytes[second.upperBound...]
    return swapped
  }

  private mutating func replaceField(_ bytes: [UInt8]) -> [UInt8] {
    let fields = fields(bytes)
    guard !fields.isEmpty else { return bytes }
    var bytes = bytes
    bytes.replaceSubrange(
      fields[below(fields.count)], with: below(5) == 0 ? [] : Self.insertions[below(Self.insertions.count)])
    return bytes
  }
}
