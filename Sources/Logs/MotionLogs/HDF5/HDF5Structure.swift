#if HDF5
  /// A check of an HDF5 file's structure, before the HDF5 library opens it.
  ///
  /// The library trusts the metadata of the older file format, which has no checksums and which h5py and MATLAB still
  /// write: a flipped bit lets it read and write outside its memory. (Found by Inertial's mutation tests with 1.10.8:
  /// one damaged file in a hundred ended the process.) All structures that the library decodes are therefore checked
  /// here first, and invalid files are rejected. Files of the newer format (superblock 2 and later) have checksums in
  /// every structure, which the library verifies.
  ///
  /// Source: HDF5 File Format Specification 3.0. The section numbers below refer to it.
  struct HDF5Structure {
    static let undefinedAddress = UInt64.max

    let file: HDF5Bytes
    /// The half-node capacities: children in groups' B-trees, entries in symbol nodes, and children in chunk indices.
    private(set) var groupK = 0
    private(set) var symbolK = 0
    private(set) var chunkK = 32
    /// The number of steps before the check fails. A valid file of this size cannot have more structures.
    private var stepsLeft: Int

    /// Checks the root group, its attributes and the given datasets.
    static func check(path: String, size: Int, datasets: Set<String>) throws(LogError) {
      let file = try HDF5Bytes(path: path, size: size)
      var structure = HDF5Structure(file: file, stepsLeft: size / 8)
      try structure.checkFile(datasets: datasets)
    }

    private init(file: HDF5Bytes, stepsLeft: Int) {
      self.file = file
      self.stepsLeft = stepsLeft
    }

    mutating func step(at offset: UInt64) throws(LogError) {
      stepsLeft -= 1
      guard stepsLeft > 0 else { throw file.damaged("a structure leads back to itself", at: offset) }
    }

    /// Checks the superblock (II.A).
    private mutating func checkFile(datasets: Set<String>) throws(LogError) {
      var block = try file.read(min(file.size, 100), at: 0, "superblock")
      try block.skip(8)
      let version = try block.one(of: 0...3)
      if version >= 2 {
        try block.one(of: 8...8)
        try block.one(of: 8...8)
        try block.skip(1)
        try block.one(of: 0...0, 8)
        try block.skip(16)
        // The signature of an object header with a checksum. A newer file with an unprotected header is rejected.
        var root = try file.read(4, at: block.number(8), "root group")
        try root.signature("OHDR")
        return
      }
      try block.one(of: 0...0)
      try block.one(of: 0...0)
      try block.skip(1)
      try block.one(of: 0...0)
      try block.one(of: 8...8)
      try block.one(of: 8...8)
      try block.skip(1)
      symbolK = try block.one(of: 1...1024, 2)
      groupK = try block.one(of: 1...1024, 2)
      try block.skip(4)
      if version == 1 {
        chunkK = try block.one(of: 1...1024, 2)
        try block.skip(2)
      }
      try block.one(of: 0...0, 8)
      try block.one(of: Self.undefinedAddress...Self.undefinedAddress, 8)
      try block.one(of: 1...UInt64(file.size), 8)
      try block.one(of: Self.undefinedAddress...Self.undefinedAddress, 8)

      var entry = try block.part(40, "root group's entry")
      try entry.skip(8)
      let root = try HDF5ObjectHeader(file: file, address: entry.number(8), walk: &self)
      let cacheType = try entry.one(of: 0...1, 4)
      try entry.skip(4)
      guard var table = root.first(.symbolTable) else {
        throw file.unsupported("a root group of a newer kind in an older file")
      }
      let tree = try table.number(8)
      let heap = try HDF5LocalHeap(file: file, address: table.number(8))
      if cacheType == 1 {
        try entry.one(of: tree...tree, 8)
        try entry.one(of: heap.address...heap.address, 8)
      }
      for var attribute in root.all(.attribute) { try attribute.checkAttribute() }
      for (name, address) in try links(tree: tree, heap: heap) where datasets.contains(name) {
        let header = try HDF5ObjectHeader(file: file, address: address, walk: &self)
        try checkDataset(header, name: name)
      }
    }

    // MARK: Groups

    /// Returns the members of a group (III.A.1: B-tree, node type 0; III.B: symbol table nodes).
    private mutating func links(tree: UInt64, heap: HDF5LocalHeap) throws(LogError) -> [(String, UInt64)] {
      var links: [(String, UInt64)] = []
      var nodes = [try treeNode(at: tree, type: 0, keySize: 8, k: groupK, level: nil)]
      while var node = nodes.popLast() {
        for index in 0...node.entryCount {
          let key = try node.body.number(8)
          guard key < heap.size else { throw node.body.damaged }
          guard index < node.entryCount else { break }
          let child = try node.body.number(8)
          if node.level > 0 {
            nodes.append(try treeNode(at: child, type: 0, keySize: 8, k: groupK, level: node.level - 1))
          } else {
            try appendSymbols(at: child, heap: heap, to: &links)
          }
        }
      }
      return links
    }

    private mutating func appendSymbols(
      at address: UInt64, heap: HDF5LocalHeap, to links: inout [(String, UInt64)]
    ) throws(LogError) {
      try step(at: address)
      var node = try file.read(8 + 2 * symbolK * 40, at: address, "group's symbol node")
      try node.signature("SNOD")
      try node.one(of: 1...1)
      try node.skip(1)
      let count = try node.one(of: 0...UInt64(2 * symbolK), 2)
      for _ in 0..<count {
        let name = try heap.string(at: node.number(8))
        let header = try node.number(8)
        let cacheType = try node.one(of: 0...2, 4)
        try node.skip(4)
        if cacheType == 2 {
          // A soft link has no header. Its target's name is in the heap.
          _ = try heap.string(at: node.number(4))
          try node.skip(12)
        } else {
          try node.skip(16)
          links.append((name, header))
        }
      }
    }

    /// Reads a node of a B-tree; its body has the used keys and children, alternating, followed by a last key.
    mutating func treeNode(
      at address: UInt64, type: UInt64, keySize: Int, k: Int, level: Int?
    ) throws(LogError) -> (level: Int, entryCount: Int, body: HDF5Cursor) {
      try step(at: address)
      var node = try file.read(24 + 2 * k * (8 + keySize) + keySize, at: address, "B-tree node")
      try node.signature("TREE")
      try node.one(of: type...type)
      // A child is one level below its parent, which prevents cycles.
      let levels = level.map { UInt64($0)...UInt64($0) } ?? 0...32
      let ownLevel = try node.one(of: levels)
      let count = try node.one(of: 0...UInt64(2 * k), 2)
      for _ in 0..<2 {
        let sibling = try node.number(8)
        guard sibling == Self.undefinedAddress || (level != nil && sibling < UInt64(file.size)) else {
          throw node.damaged
        }
      }
      return (ownLevel, count, node)
    }
  }

  /// The local heap with the names of a group's members (III.D).
  struct HDF5LocalHeap {
    let address: UInt64
    private let data: HDF5Cursor

    init(file: HDF5Bytes, address: UInt64) throws(LogError) {
      var header = try file.read(32, at: address, "group's heap")
      try header.signature("HEAP")
      try header.one(of: 0...0)
      try header.skip(3)
      let size = try header.int(8)
      var free = try header.number(8)
      data = try file.read(size, at: header.number(8), "group's heap")
      self.address = address
      // The free list ends with 1. A block has at least 16 bytes, so a cycle exceeds the available bytes.
      var bytesLeft = size
      while free != 1 {
        guard free != 0, free % 8 == 0, free < UInt64(size) else { throw header.damaged }
        var block = data
        try block.skip(Int(free))
        let next = try block.number(8)
        let length = try block.int(8)
        guard length >= 16, length <= size - Int(free), length <= bytesLeft else { throw block.damaged }
        bytesLeft -= length
        free = next
      }
    }

    var size: UInt64 { UInt64(data.count) }

    func string(at offset: UInt64) throws(LogError) -> String {
      var text = data
      guard offset < size else { throw data.damaged }
      try text.skip(Int(offset))
      guard let end = text.bytes.firstIndex(of: 0) else { throw text.damaged }
      return String(decoding: text.bytes[..<end], as: UTF8.self)
    }
  }
#endif
