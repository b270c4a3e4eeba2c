#if HDF5
  /// The messages of an object header of version 1 (IV.A.1.a), which has no checksum.
  struct HDF5ObjectHeader {
    enum Kind: UInt64 {
      case null = 0x00
      case dataspace = 0x01
      case datatype = 0x03
      case oldFillValue = 0x04
      case fillValue = 0x05
      case layout = 0x08
      case filters = 0x0B
      case attribute = 0x0C
      case comment = 0x0D
      case continuation = 0x10
      case symbolTable = 0x11
      case modificationTime = 0x12
    }

    let address: UInt64
    private var messages: [(kind: Kind, body: HDF5Cursor)] = []

    init(file: HDF5Bytes, address: UInt64, walk: inout HDF5Structure) throws(LogError) {
      self.address = address
      var prefix = try file.read(16, at: address, "object header")
      try prefix.one(of: 1...1)
      try prefix.skip(1)
      let count = try prefix.one(of: 1...1024, 2)
      try prefix.one(of: 1...1024, 4)
      var blocks = [try file.read(prefix.int(4), at: address + 16, "object header")]
      var seen = 0
      while var block = blocks.popLast() {
        try walk.step(at: block.offset)
        guard block.count % 8 == 0 else { throw block.damaged }
        while block.count > 0 {
          seen += 1
          let kind = try Self.kind(&block)
          let size = try block.int(2)
          let flags = try block.number(1)
          try block.skip(3)
          guard size % 8 == 0 else { throw block.damaged }
          var body = try block.part(size, "object header's message")
          // Bit 0 marks a constant message, bit 2 a message that must not be shared. Other bits refer to other
          // structures.
          guard flags & ~0b101 == 0 else { throw file.unsupported("shared or unknown header messages") }
          if kind == .continuation {
            let offset = try body.number(8)
            blocks.append(try file.read(body.int(8), at: offset, "object header"))
          }
          messages.append((kind, body))
        }
      }
      guard seen == count else {
        throw file.damaged("the object header lacks messages", at: address)
      }
    }

    private static func kind(_ block: inout HDF5Cursor) throws(LogError) -> Kind {
      let number = try block.number(2)
      guard let kind = Kind(rawValue: number) else {
        throw block.file.unsupported("an object header's message of type \(number)")
      }
      return kind
    }

    func all(_ kind: Kind) -> [HDF5Cursor] { messages.filter { $0.kind == kind }.map(\.body) }
    func first(_ kind: Kind) -> HDF5Cursor? { messages.first { $0.kind == kind }?.body }
  }

  extension HDF5Structure {
    /// Checks all structures that the library decodes to open a dataset and read its numbers.
    mutating func checkDataset(_ header: HDF5ObjectHeader, name: String) throws(LogError) {
      func only(_ kind: HDF5ObjectHeader.Kind) throws(LogError) -> HDF5Cursor {
        let messages = header.all(kind)
        guard messages.count == 1 else {
          throw file.damaged("the header of \(name) is incomplete", at: header.address)
        }
        return messages[0]
      }
      var space = try only(.dataspace)
      let extents = try space.dataspace()
      var type = try only(.datatype)
      let elementSize = try type.datatype()
      for var fill in header.all(.fillValue) { try fill.checkFillValue(elementSize: elementSize) }
      for var fill in header.all(.oldFillValue) { try fill.checkOldFillValue(elementSize: elementSize) }
      for var time in header.all(.modificationTime) { try time.checkModificationTime() }
      var filters = header.all(.filters)
      guard filters.count <= 1, header.all(.symbolTable).isEmpty else {
        throw file.damaged("the header of \(name) contradicts itself", at: header.address)
      }
      let isFiltered = filters.isEmpty ? false : try filters[0].isFiltered()

      // IV.A.2.i: the layout.
      var byteCount = UInt64(elementSize)
      for extent in extents {
        let (product, overflow) = byteCount.multipliedReportingOverflow(by: extent)
        guard !overflow else { throw file.damaged("the shape of \(name) is not valid", at: header.address) }
        byteCount = product
      }
      var layout = try only(.layout)
      guard try layout.number(1) == 3 else { throw file.unsupported("a storage layout of another version") }
      switch try layout.one(of: 0...2) {
      case 0:
        let size = try layout.number(2)
        guard size == byteCount else { throw layout.damaged }
        try layout.skip(Int(size))
      case 1:
        let (address, size) = (try layout.number(8), try layout.number(8))
        guard size == byteCount else { throw layout.damaged }
        if address != Self.undefinedAddress {
          _ = try file.end(of: size, at: address, "data of \(name)")
        }
      default:
        let rank = try layout.one(of: 2...3)
        let tree = try layout.number(8)
        var chunk: [UInt64] = []
        for _ in 0..<rank { chunk.append(try layout.number(4)) }
        guard rank == extents.count + 1, !chunk.contains(0), chunk[rank - 1] == UInt64(elementSize) else {
          throw layout.damaged
        }
        if tree != Self.undefinedAddress {
          try checkChunks(tree: tree, extents: extents, chunk: chunk, isFiltered: isFiltered)
        }
      }
    }

    /// Checks the index of chunks (III.A.1, node type 1): their order, sizes and positions in the file.
    private mutating func checkChunks(
      tree: UInt64, extents: [UInt64], chunk: [UInt64], isFiltered: Bool
    ) throws(LogError) {
      let keySize = 8 + 8 * chunk.count
      // Four dimensions below 2³² may overflow, but no supported file contains such chunks.
      let chunkSize = chunk.reduce(UInt64(1)) { $0.multipliedReportingOverflow(by: $1).partialValue }
      var nodes = [try treeNode(at: tree, type: 1, keySize: keySize, k: chunkK, level: nil)]
      while var node = nodes.popLast() {
        var last: [UInt64]?
        for _ in 0..<node.entryCount {
          let size = try node.body.number(4)
          let skippedFilters = try node.body.number(4)
          var position: [UInt64] = []
          for _ in chunk { position.append(try node.body.number(8)) }
          let child = try node.body.number(8)
          let isOnGrid = zip(position, chunk).allSatisfy { $0 % $1 == 0 } && position.last == 0
          guard isOnGrid, zip(position, extents).allSatisfy({ $0 < $1 }),
            last.map({ $0.lexicographicallyPrecedes(position) }) ?? true
          else { throw node.body.damaged }
          last = position
          if node.level > 0 {
            nodes.append(try treeNode(at: child, type: 1, keySize: keySize, k: chunkK, level: node.level - 1))
            continue
          }
          try step(at: child)
          guard skippedFilters == 0, size > 0, isFiltered || size == chunkSize else {
            throw node.body.damaged
          }
          _ = try file.end(of: size, at: child, "chunk")
        }
      }
    }
  }
#endif
