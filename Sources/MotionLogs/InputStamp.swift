internal import SystemLibrary

/// A file as it was when something was made of it.
package struct InputStamp: Sendable, Codable, Equatable {
  /// The name in the log's folder; the last part of the path of a log that is a file.
  package var name: String
  package var bytes: Int
  /// UNIX time of the last change, nanoseconds.
  package var modified: Int64
  /// CRC-32 in hexadecimal digits (ISO 3309); nil where it was not asked for or cannot be had.
  package var crc32: String?

  /// Stamps of a log: of the file, or of every file of the folder, in the order of names. Empty for what cannot be looked
  /// at again, such as standard input.
  ///
  /// - `checksums`: whether to read the files for their checksums.
  package static func stamps(of path: String, checksums: Bool) -> [InputStamp] {
    guard let folder = try? LogFolder(path: path) else {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return stamp(name, path, checksums).map { [$0] } ?? []
    }
    return folder.names.compactMap { stamp($0, folder.path(of: $0), checksums) }
  }

  /// Whether two are of one state of a file, as far as size and time tell.
  package func isSameState(as other: InputStamp) -> Bool {
    name == other.name && bytes == other.bytes && modified == other.modified
  }

  private static func stamp(_ name: String, _ path: String, _ checksums: Bool) -> InputStamp? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return InputStamp(
      name: name, bytes: Int(status.st_size), modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
      crc32: checksums ? InputChecksum.crc32(path: path) : nil)
  }
}
