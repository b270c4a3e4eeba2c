#if HDF5
  // Checks of single messages of object headers: all lengths lie inside the message, and all values are known.

  extension HDF5Cursor {
    /// Returns the extents of a data space, of rank 0 (one value) to 2 (IV.A.2.b).
    mutating func dataspace() throws(LogError) -> [UInt64] {
      let version = try one(of: 1...2)
      let rank = try one(of: 0...32)
      let hasMaximum = try one(of: 0...1) == 1
      if version == 1 {
        try skip(5)
      } else {
        let type = try one(of: 0...2)
        guard (type == 1) == (rank > 0) else { throw damaged }
      }
      guard rank <= 2 else { throw file.unsupported("data of more than two dimensions") }
      var extents: [UInt64] = []
      for _ in 0..<rank { extents.append(try number(8)) }
      if hasMaximum {
        for extent in extents {
          guard try number(8) >= extent else { throw damaged }
        }
      }
      return extents
    }

    /// Reads a type, up to its last byte, and returns the size of one value, in bytes (IV.A.2.d).
    mutating func datatype(depth: Int = 0) throws(LogError) -> Int {
      let head = try one(of: 0...255)
      let version = head >> 4
      guard (1...3).contains(version), depth < 3 else { throw damaged }
      let bits = try int(3)
      let size = try one(of: 1...(1 << 20), 4)
      switch head & 0x0F {
      case 0:
        try checkPrecision(size: size)
      case 1:
        try checkPrecision(size: size)
        let exponentPlace = try int(1)
        let exponentSize = try int(1)
        let fractionPlace = try int(1)
        let fractionSize = try int(1)
        try skip(4)
        let total = 8 * size
        guard exponentSize > 0, fractionSize > 0, exponentPlace + exponentSize <= total,
          fractionPlace + fractionSize <= total, bits >> 8 & 0xFF < total
        else { throw damaged }
      case 3:
        break
      case 7:
        guard bits & 0x0F <= 1, size <= 16 else { throw damaged }
      case 8:
        try checkEnumeration(version: version, memberCount: bits & 0xFFFF, size: size, depth: depth)
      case 9:
        guard bits & 0x0F <= 1, bits >> 4 & 0x0F <= 2, bits >> 8 & 0x0F <= 1, size == 16 else {
          throw damaged
        }
        _ = try datatype(depth: depth + 1)
      default:
        throw file.unsupported("values of type class \(head & 0x0F)")
      }
      return size
    }

    private mutating func checkPrecision(size: Int) throws(LogError) {
      let position = try int(2)
      let precision = try int(2)
      guard precision > 0, position + precision <= 8 * size else { throw damaged }
    }

    private mutating func checkEnumeration(
      version: Int, memberCount: Int, size: Int, depth: Int
    ) throws(LogError) {
      // Values have an integer type, class 0.
      guard let head = bytes.first, head & 0x0F == 0, memberCount > 0 else { throw damaged }
      guard try datatype(depth: depth + 1) == size else { throw damaged }
      for _ in 0..<memberCount {
        guard let end = bytes.firstIndex(of: 0) else { throw damaged }
        let length = end - bytes.startIndex + 1
        // Up to version 2, names are padded to multiples of eight bytes.
        try skip(version < 3 ? (length + 7) / 8 * 8 : length)
      }
      try skip(memberCount * size)
    }

    /// Checks the fill value of unwritten elements (IV.A.2.f).
    mutating func checkFillValue(elementSize: Int) throws(LogError) {
      let version = try one(of: 1...3)
      let hasValue: Bool
      if version < 3 {
        try one(of: 0...3)
        try one(of: 0...2)
        hasValue = try one(of: 0...1) == 1 || version == 1
      } else {
        let flags = try number(1)
        guard flags & 0xC0 == 0, flags & 0x30 != 0x30, flags & 0x03 > 0 else { throw damaged }
        hasValue = flags & 0x20 != 0
      }
      if hasValue { try checkOldFillValue(elementSize: elementSize) }
    }

    /// Checks the old form of the fill value (IV.A.2.e, and the end of IV.A.2.f).
    mutating func checkOldFillValue(elementSize: Int) throws(LogError) {
      let size = try int(4)
      guard size == 0 || size == elementSize else { throw damaged }
      try skip(size)
    }

    /// Checks the modification time (IV.A.2.s).
    mutating func checkModificationTime() throws(LogError) {
      try one(of: 1...1)
      try skip(7)
    }

    /// Returns whether chunks are filtered (IV.A.2.l). Deflate, shuffle and Fletcher's checksum are supported.
    mutating func isFiltered() throws(LogError) -> Bool {
      let version = try one(of: 1...2)
      let count = try one(of: 0...8)
      if version == 1 { try skip(6) }
      for _ in 0..<count {
        let filter = try number(2)
        guard (1...3).contains(filter) else {
          throw file.unsupported("data compressed by filter \(filter)")
        }
        let nameLength = version == 1 ? try int(2) : 0
        try one(of: 0...1, 2)
        let valueCount = try one(of: 0...1, 2)
        guard nameLength % 8 == 0, (filter == 3) == (valueCount == 0) else { throw damaged }
        var name = try part(nameLength, "filter's name")
        guard nameLength == 0 || name.bytes.contains(0) else { throw name.damaged }
        try name.skip(nameLength)
        for _ in 0..<valueCount {
          let value = try number(4)
          guard filter == 1 ? value <= 9 : (1...8).contains(value) else { throw damaged }
        }
        if version == 1, valueCount == 1 { try skip(4) }
      }
      return count > 0
    }

    /// Checks an attribute with its name, type, space and value (IV.A.2.m).
    mutating func checkAttribute() throws(LogError) {
      let version = try one(of: 1...3)
      try one(of: 0...0)
      let nameSize = try one(of: 1...1024, 2)
      let typeSize = try int(2)
      let spaceSize = try int(2)
      if version == 3 { try one(of: 0...1) }
      func padded(_ size: Int) -> Int { version == 1 ? (size + 7) / 8 * 8 : size }
      let name = try part(padded(nameSize), "attribute's name")
      guard name.bytes.prefix(nameSize).last == 0 else { throw name.damaged }
      var type = try part(padded(typeSize), "attribute's type")
      var space = try part(padded(spaceSize), "attribute's space")
      let size = try type.datatype()
      let valueCount = try space.dataspace().reduce(UInt64(1)) {
        $0.multipliedReportingOverflow(by: $1).overflow ? .max : $0 * $1
      }
      guard valueCount <= UInt64(count / size) else { throw damaged }
    }
  }
#endif
