#if HDF5
  /// Checks of single messages of object headers: all lengths lie inside the message, and all values are known.
  enum HDF5MessageCheck {
    /// Returns the extents of a data space, of rank 0 (one value) to 2 (IV.A.2.b).
    static func dataspace(_ message: HDF5Cursor) throws(LogError) -> [UInt64] {
      var message = message
      let version = try message.one(of: 1...2)
      let rank = try message.one(of: 0...32)
      let hasMaximum = try message.one(of: 0...1) == 1
      if version == 1 {
        try message.skip(5)
      } else {
        let type = try message.one(of: 0...2)
        guard (type == 1) == (rank > 0) else { throw message.damaged }
      }
      guard rank <= 2 else { throw message.file.unsupported("data of more than two dimensions") }
      var extents: [UInt64] = []
      for _ in 0..<rank { extents.append(try message.number(8)) }
      if hasMaximum {
        for extent in extents {
          guard try message.number(8) >= extent else { throw message.damaged }
        }
      }
      return extents
    }

    struct Datatype {
      /// The size of one value, in bytes.
      var size: Int
    }

    /// Reads a type, up to its last byte (IV.A.2.d).
    static func datatype(_ message: inout HDF5Cursor, depth: Int = 0) throws(LogError) -> Datatype {
      let head = try message.one(of: 0...255)
      let version = head >> 4
      guard (1...3).contains(version), depth < 3 else { throw message.damaged }
      let bits = try message.int(3)
      let size = try message.one(of: 1...(1 << 20), 4)
      switch head & 0x0F {
      case 0:
        try checkPrecision(&message, size: size)
      case 1:
        try checkPrecision(&message, size: size)
        let exponentPlace = try message.int(1)
        let exponentSize = try message.int(1)
        let fractionPlace = try message.int(1)
        let fractionSize = try message.int(1)
        try message.skip(4)
        let total = 8 * size
        guard exponentSize > 0, fractionSize > 0, exponentPlace + exponentSize <= total,
          fractionPlace + fractionSize <= total, bits >> 8 & 0xFF < total
        else { throw message.damaged }
      case 3:
        break
      case 7:
        guard bits & 0x0F <= 1, size <= 16 else { throw message.damaged }
      case 8:
        try checkEnumeration(
          &message, version: version, memberCount: bits & 0xFFFF, size: size, depth: depth)
      case 9:
        guard bits & 0x0F <= 1, bits >> 4 & 0x0F <= 2, bits >> 8 & 0x0F <= 1, size == 16 else {
          throw message.damaged
        }
        _ = try datatype(&message, depth: depth + 1)
      default:
        throw message.file.unsupported("values of type class \(head & 0x0F)")
      }
      return Datatype(size: size)
    }

    private static func checkPrecision(_ message: inout HDF5Cursor, size: Int) throws(LogError) {
      let position = try message.int(2)
      let precision = try message.int(2)
      guard precision > 0, position + precision <= 8 * size else { throw message.damaged }
    }

    private static func checkEnumeration(
      _ message: inout HDF5Cursor, version: Int, memberCount: Int, size: Int, depth: Int
    ) throws(LogError) {
      // Values have an integer type, class 0.
      guard let head = message.bytes.first, head & 0x0F == 0, memberCount > 0 else { throw message.damaged }
      let base = try datatype(&message, depth: depth + 1)
      guard base.size == size else { throw message.damaged }
      for _ in 0..<memberCount {
        guard let end = message.bytes.firstIndex(of: 0) else { throw message.damaged }
        let length = end - message.bytes.startIndex + 1
        // Up to version 2, names are padded to multiples of eight bytes.
        try message.skip(version < 3 ? (length + 7) / 8 * 8 : length)
      }
      try message.skip(memberCount * size)
    }

    /// Checks the fill value of unwritten elements (IV.A.2.f).
    static func fillValue(_ message: HDF5Cursor, elementSize: Int) throws(LogError) {
      var message = message
      let version = try message.one(of: 1...3)
      let hasValue: Bool
      if version < 3 {
        try message.one(of: 0...3)
        try message.one(of: 0...2)
        hasValue = try message.one(of: 0...1) == 1 || version == 1
      } else {
        let flags = try message.number(1)
        guard flags & 0xC0 == 0, flags & 0x30 != 0x30, flags & 0x03 > 0 else { throw message.damaged }
        hasValue = flags & 0x20 != 0
      }
      if hasValue { try oldFillValue(message, elementSize: elementSize) }
    }

    /// Checks the old form of the fill value (IV.A.2.e, and the end of IV.A.2.f).
    static func oldFillValue(_ message: HDF5Cursor, elementSize: Int) throws(LogError) {
      var message = message
      let size = try message.int(4)
      guard size == 0 || size == elementSize else { throw message.damaged }
      try message.skip(size)
    }

    /// Checks the modification time (IV.A.2.s).
    static func modificationTime(_ message: HDF5Cursor) throws(LogError) {
      var message = message
      try message.one(of: 1...1)
      try message.skip(7)
    }

    /// Returns whether chunks are filtered (IV.A.2.l). Deflate, shuffle and Fletcher's checksum are supported.
    static func filters(_ message: HDF5Cursor) throws(LogError) -> Bool {
      var message = message
      let version = try message.one(of: 1...2)
      let count = try message.one(of: 0...8)
      if version == 1 { try message.skip(6) }
      for _ in 0..<count {
        let filter = try message.number(2)
        guard (1...3).contains(filter) else {
          throw message.file.unsupported("data compressed by filter \(filter)")
        }
        let nameLength = version == 1 ? try message.int(2) : 0
        try message.one(of: 0...1, 2)
        let valueCount = try message.one(of: 0...1, 2)
        guard nameLength % 8 == 0, (filter == 3) == (valueCount == 0) else { throw message.damaged }
        var name = try message.part(nameLength, "filter's name")
        guard nameLength == 0 || name.bytes.contains(0) else { throw name.damaged }
        try name.skip(nameLength)
        for _ in 0..<valueCount {
          let value = try message.number(4)
          guard filter == 1 ? value <= 9 : (1...8).contains(value) else { throw message.damaged }
        }
        if version == 1, valueCount == 1 { try message.skip(4) }
      }
      return count > 0
    }

    /// Checks an attribute with its name, type, space and value (IV.A.2.m).
    static func attribute(_ message: HDF5Cursor) throws(LogError) {
      var message = message
      let version = try message.one(of: 1...3)
      try message.one(of: 0...0)
      let nameSize = try message.one(of: 1...1024, 2)
      let typeSize = try message.int(2)
      let spaceSize = try message.int(2)
      if version == 3 { try message.one(of: 0...1) }
      func padded(_ size: Int) -> Int { version == 1 ? (size + 7) / 8 * 8 : size }
      let name = try message.part(padded(nameSize), "attribute's name")
      guard name.bytes.prefix(nameSize).last == 0 else { throw name.damaged }
      var type = try message.part(padded(typeSize), "attribute's type")
      let space = try message.part(padded(spaceSize), "attribute's space")
      let size = try datatype(&type).size
      let count = try dataspace(space).reduce(UInt64(1)) {
        $0.multipliedReportingOverflow(by: $1).overflow ? .max : $0 * $1
      }
      guard count <= UInt64(message.count / size) else { throw message.damaged }
    }
  }
#endif
