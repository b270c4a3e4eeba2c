internal import InertialSystem

// The checksums by which a dataset identifies its inputs.
extension CyclicChecksum {
  /// Returns the checksum as eight hexadecimal digits, or `nil` if the path is not a file that can be read again.
  package static func ofFile(_ path: String) -> String? {
    guard let file = try? InputFile(path: path), file.size != nil else { return nil }
    var checksum = CyclicChecksum()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while let count = try? file.read(into: buffer) {
      if count == 0 { return checksum.text }
      checksum.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return nil
  }

  /// Returns the checksum of a file or, for a folder, of the list of its files and their checksums, or `nil` if a file
  /// is missing or cannot be read again.
  package static func ofOutput(_ path: String) -> String? {
    guard AtomicFolder.isFolder(path) else { return ofFile(path) }
    var all = CyclicChecksum()
    for file in LogFeed.files(of: path).sorted() {
      guard let own = ofFile(file) else { return nil }
      all.add(Array("\(file.dropFirst(path.count)) \(own)\n".utf8))
    }
    return all.text
  }

  /// Returns `name crc32` for a file, or for every file of a folder, sorted by name.
  package static func lines(of path: String) -> [String] {
    let names = (try? LogFolder(path: path))?.names
    guard let names else {
      return ofFile(path).map { ["\(path.lastPathPart) \($0)"] } ?? []
    }
    return names.compactMap { name in ofFile("\(path)/\(name)").map { "\(name) \($0)" } }
  }
}
