internal import InertialSystem

/// A file as it was when something was made of it.
package struct InputStamp: Sendable, Codable, Equatable {
  /// The place in the log's folder, such as `mav0/imu0/data.csv`; the last part of the path of a log that is a file.
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
    let start = folder.path(of: "").count
    return LogFiles.paths(of: path).compactMap { file in
      let name = String(file.dropFirst(start))
      // Pictures and the like lie in folders of their own.
      guard !name.contains("/") || tables.contains(where: name.lowercased().hasSuffix) else { return nil }
      return stamp(name, file, checksums)
    }
  }

  /// Whether two are of one content, as far as both have a checksum.
  package func hasSameContent(as other: InputStamp) -> Bool {
    guard let crc32, let others = other.crc32 else { return crc32 == nil && other.crc32 == nil }
    return crc32 == others
  }

  private static let tables = [".csv", ".tsv", ".txt", ".json", ".yaml"]

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
