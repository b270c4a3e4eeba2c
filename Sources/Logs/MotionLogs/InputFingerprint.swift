internal import InertialSystem

/// The state of an input file when an output was derived from it.
package struct InputFingerprint: Sendable, Codable, Equatable {
  /// The path relative to the log's folder, such as `mav0/imu0/data.csv`, or the file name if the log is a file.
  package var name: String
  package var bytes: Int
  /// The UNIX time of the last change, in nanoseconds.
  package var modified: Int64
  /// The CRC-32 in hexadecimal digits (ISO 3309), or `nil` if it was not requested or is not available.
  package var crc32: String?

  /// Returns the state of the file, or of every file of a folder, sorted by name. Empty for inputs that cannot be read
  /// again, such as standard input.
  ///
  /// - Parameter checksums: Whether to read the files to compute their checksums.
  package static func stamps(of path: String, checksums: Bool) -> [InputFingerprint] {
    guard let folder = try? LogFolder(path: path) else {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return stamp(name, path, checksums).map { [$0] } ?? []
    }
    let start = folder.path(of: "").count
    return LogFeed.files(of: path).compactMap { file in
      let name = String(file.dropFirst(start))
      // Subfolders contain pictures and other data; only tables are recorded.
      guard !name.contains("/") || tables.contains(where: name.lowercased().hasSuffix) else { return nil }
      return stamp(name, file, checksums)
    }
  }

  private static let tables = [".csv", ".tsv", ".txt", ".json", ".yaml"]

  /// Whether name, size and modification time are equal.
  package func isSameState(as other: InputFingerprint) -> Bool {
    name == other.name && bytes == other.bytes && modified == other.modified
  }

  private static func stamp(_ name: String, _ path: String, _ checksums: Bool) -> InputFingerprint? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return InputFingerprint(
      name: name, bytes: Int(status.st_size), modified: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec),
      crc32: checksums ? CyclicChecksum.ofFile(path) : nil)
  }
}
