/// A change to each line of a table whose rows contain more than fields and separators.
enum LineEdit: Equatable {
  /// Removes the time that a terminal wrote before each line: `14:07:31.012 -> `, `[2024-03-05 14:07:31.012] `.
  case removeStamp
  /// Makes the time that a terminal wrote before each line the first field.
  case stampField(FieldSeparator)
  /// Removes the name before each value: `ax:0.01 ay:-0.02`, `ax=0.01, ay=-0.02`.
  case removeLabels
  /// Removes the semicolon at the end.
  case removeTerminator
  /// Makes every second comma a decimal point: `0,05,9,81` is 0.05 and 9.81.
  case joinPairs

  /// Writes the changed line to a buffer; returns `false` if the line is unchanged.
  func apply(_ line: UnsafeRawBufferPointer, into buffer: inout [UInt8]) -> Bool {
    buffer.removeAll(keepingCapacity: true)
    switch self {
    case .removeStamp:
      guard let (_, rest) = Self.stamp(line) else { return false }
      buffer.append(contentsOf: line[rest...])
    case .stampField(let separator):
      guard let (stamp, rest) = Self.stamp(line) else { return false }
      buffer.append(0x22)
      buffer.append(contentsOf: line[stamp])
      buffer.append(contentsOf: [0x22, separator.rawValue])
      buffer.append(contentsOf: line[rest...])
    case .removeLabels: Self.removeLabels(line, &buffer)
    case .removeTerminator:
      guard line.last == 0x3B else { return false }
      buffer.append(contentsOf: line.dropLast())
    case .joinPairs:
      var count = 0
      for byte in line {
        count += byte == 0x2C ? 1 : 0
        buffer.append(byte == 0x2C && count % 2 == 1 ? 0x2E : byte)
      }
    }
    return true
  }

  // MARK: Terminal timestamps

  /// The maximum length of a prefix with a time.
  private static let maximumTimestampLength = 48

  /// Returns the range of the time that a terminal wrote before a line and the start of the rest, or `nil` without such
  /// a time.
  static func stamp(_ line: UnsafeRawBufferPointer) -> (stamp: Range<Int>, rest: Int)? {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = line.firstIndex(where: { !isBlank($0) }) else { return nil }
    let head = line[..<min(line.count, maximumTimestampLength)]
    let closing: UInt8? =
      switch line[first] {
      case 0x5B: 0x5D
      case 0x28: 0x29
      default: nil
      }
    var (stamp, rest): (Range<Int>, Int)
    if let closing {
      guard let end = head.firstIndex(of: closing) else { return nil }
      (stamp, rest) = (first + 1..<end, end + 1)
    } else {
      guard let arrow = head.firstIndex(of: 0x3E), arrow > first else { return nil }
      (stamp, rest) = (first..<(line[arrow - 1] == 0x2D ? arrow - 1 : arrow), arrow + 1)
      while stamp.upperBound > stamp.lowerBound, isBlank(line[stamp.upperBound - 1]) {
        stamp = stamp.lowerBound..<stamp.upperBound - 1
      }
    }
    let text = UnsafeRawBufferPointer(rebasing: line[stamp])
    guard text.withMemoryRebound(to: CChar.self, { DateText($0)?.nanoseconds }) != nil else { return nil }
    // Skips the direction and the port.
    while true {
      while rest < line.count, isBlank(line[rest]) { rest += 1 }
      let mark = marks.first { line[rest...].starts(with: $0) }
      guard let mark else { break }
      rest += mark.count
    }
    return (stamp, rest)
  }

  private static let marks = ["->", "<-", ">", "<", "|", "RX:", "RX ", "TX:", "rx:"].map { Array($0.utf8) }

  // MARK: Labels

  /// Returns the names before the values of a line, if it has at least three fields of a name, a colon or an equals
  /// sign, and a number.
  static func labels(_ line: UnsafeRawBufferPointer) -> [String]? {
    var names: [String] = []
    var rest = line[...]
    while let index = rest.firstIndex(where: { !isGap($0) }) {
      rest = rest[index...]
      guard isLetter(rest.first!), let mark = rest.firstIndex(where: { $0 == 0x3A || $0 == 0x3D }) else { return nil }
      let name = rest[..<mark]
      guard name.count <= 40, !name.contains(where: { $0 == 0x2C || $0 == 0x3B || $0 == 0x09 }) else { return nil }
      let bare = name.reversed().drop { $0 == 0x20 }.reversed()
      names.append(String(decoding: bare, as: UTF8.self))
      rest = rest[(mark + 1)...].drop { $0 == 0x20 }
      let value = rest.prefix { isNumeric($0) }
      guard !value.isEmpty, value.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
      rest = rest[value.endIndex...]
      guard rest.first.map(isGap) ?? true else { return nil }
    }
    return names.count >= 3 ? names : nil
  }

  private static func removeLabels(_ line: UnsafeRawBufferPointer, _ buffer: inout [UInt8]) {
    var rest = line[...]
    while let first = rest.first {
      // The letter of an exponent follows a digit.
      let isStart = buffer.last.map { isGap($0) } ?? true
      if isStart, isLetter(first), let mark = rest.firstIndex(where: { $0 == 0x3A || $0 == 0x3D }) {
        rest = rest[(mark + 1)...].drop { $0 == 0x20 }
      } else {
        buffer.append(first)
        rest = rest.dropFirst()
      }
    }
  }

  private static func isGap(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x2C || byte == 0x3B || byte == 0x7C
  }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F }
  private static func isNumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || byte == 0x2E || byte == 0x2D || byte == 0x2B || byte | 0x20 == 0x65
  }
}
