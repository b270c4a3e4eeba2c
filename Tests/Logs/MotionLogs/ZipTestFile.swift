import CZip
import Foundation

/// Writes zip archives for tests: valid archives and, by changing their bytes, invalid ones.
enum ZipTestFile {
  /// Writes an archive of files, sorted by name.
  static func write(_ files: [String: [UInt8]], to path: String) {
    var number: Int32 = 0
    let archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &number)!
    for name in files.keys.sorted() {
      let bytes = files[name]!
      // Freed by the library.
      let copy = malloc(max(bytes.count, 1))!
      bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: bytes.count) }
      let source = zip_source_buffer(archive, copy, UInt64(bytes.count), 1)
      let index = zip_file_add(archive, name, source, 0)
      precondition(index >= 0)
      // The same bytes in every run.
      zip_file_set_mtime(archive, UInt64(index), 1_700_000_000, 0)
    }
    precondition(zip_close(archive) == 0)
  }

  static func write(_ files: [String: String], to path: String) { write(files.mapValues { Array($0.utf8) }, to: path) }

  /// Changes bytes relative to each local header (`PK 3 4`) and each entry of the directory (`PK 1 2`).
  static func patch(_ path: String, local: Int, central: Int, _ bytes: [UInt8]) {
    var data = [UInt8](FileManager.default.contents(atPath: path)!)
    for start in data.indices.dropLast(4) where data[start] == 0x50 && data[start + 1] == 0x4B {
      let offset: Int
      switch (data[start + 2], data[start + 3]) {
      case (3, 4): offset = start + local
      case (1, 2): offset = start + central
      default: continue
      }
      data.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }
    _ = FileManager.default.createFile(atPath: path, contents: Data(data))
  }
}
