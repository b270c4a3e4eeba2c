internal import CInertialCompression

/// CRC-32 of an input, by which a dataset says what it was made of (ISO 3309, as in gzip and zip).
package enum InputChecksum {
  /// The checksum as eight hexadecimal digits; nil if the input is no file that can be read again.
  package static func crc32(path: String) -> String? {
    guard let file = try? InputFile(path: path), file.size != nil else { return nil }
    var checksum = CInertialCompression.crc32(0, nil, 0)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while let count = try? file.read(into: buffer) {
      if count == 0 {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
      }
      checksum = CInertialCompression.crc32(checksum, buffer.bindMemory(to: UInt8.self).baseAddress, UInt32(count))
    }
    return nil
  }

  /// The checksum of a file or, of a folder, of the list of the files below it with their checksums; nil as above, and where
  /// nothing is there.
  package static func ofOutput(_ path: String) -> String? {
    guard PartialName.isFolder(path) else { return crc32(path: path) }
    var all = CyclicChecksum()
    for file in LogFiles.paths(of: path).sorted() {
      guard let own = crc32(path: file) else { return nil }
      all.add(Array("\(file.dropFirst(path.count)) \(own)\n".utf8))
    }
    let digits = String(all.value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// `name crc32` of a file, or of every file of a folder, in the order of names.
  package static func lines(path: String) -> [String] {
    let names = (try? LogFolder(path: path))?.names
    guard let names else {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return crc32(path: path).map { ["\(name) \($0)"] } ?? []
    }
    return names.compactMap { name in crc32(path: "\(path)/\(name)").map { "\(name) \($0)" } }
  }
}
