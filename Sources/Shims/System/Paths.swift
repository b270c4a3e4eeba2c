// File names are bytes, and a String is UTF-8. A byte that is not valid UTF-8 is represented by a character of
// Unicode's private use area, U+EF80 to U+EFFF, and converted back for every system call. These functions replace the
// functions of the C library with the same names for paths that are Strings.

extension String {
  /// Creates a path from the system's bytes; every byte that is not valid UTF-8 becomes a private-use character.
  package init(path bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.utf8.elementsEqual(bytes), !text.unicodeScalars.contains(where: Self.isByte) {
      self = text
      return
    }
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let byte = rest.first {
      // The length of the first valid character.
      let length = (1...4).first { count in
        guard rest.count >= count, let character = String(validating: rest.prefix(count), as: UTF8.self) else {
          return false
        }
        return !character.unicodeScalars.contains(where: Self.isByte)
      }
      if let length {
        scalars.append(contentsOf: String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars)
        rest = rest.dropFirst(length)
      } else {
        scalars.append(Unicode.Scalar(0xEF00 + UInt32(byte))!)
        rest = rest.dropFirst()
      }
    }
    self = String(scalars)
  }

  /// Creates the name of a directory entry.
  package init(nameOf entry: UnsafeMutablePointer<dirent>) {
    // An entry is as long as its name, so that its whole array must not be read.
    let name = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
    let length = strlen(name.assumingMemoryBound(to: CChar.self))
    self = String(path: UnsafeRawBufferPointer(start: name, count: length))
  }

  /// Returns whether a character represents a byte that is not valid UTF-8.
  package static func isByte(_ scalar: Unicode.Scalar) -> Bool { (0xEF80...0xEFFF).contains(scalar.value) }

  /// Calls a closure with the path as a C string for the system.
  package func withPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard unicodeScalars.contains(where: Self.isByte) else { return withCString(body) }
    let bytes = unicodeScalars.flatMap { scalar in
      Self.isByte(scalar) ? [UInt8(scalar.value - 0xEF00)] : Array(String(scalar).utf8)
    }
    return (bytes + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress!) }
    }
  }
}

#if canImport(Darwin)
  package typealias FolderStream = UnsafeMutablePointer<DIR>
#else
  package typealias FolderStream = OpaquePointer
#endif

package func open(_ path: String, _ flags: Int32) -> Int32 { path.withPath { open($0, flags) } }

package func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { path.withPath { open($0, flags, mode) } }

@discardableResult
package func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 { path.withPath { stat($0, status) } }

@discardableResult
package func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
  path.withPath { lstat($0, status) }
}

package func access(_ path: String, _ mode: Int32) -> Int32 { path.withPath { access($0, mode) } }

package func opendir(_ path: String) -> FolderStream? { path.withPath { opendir($0) } }

@discardableResult
package func unlink(_ path: String) -> Int32 { path.withPath { unlink($0) } }

@discardableResult
package func rmdir(_ path: String) -> Int32 { path.withPath { rmdir($0) } }

@discardableResult
package func mkdir(_ path: String, _ mode: mode_t) -> Int32 { path.withPath { mkdir($0, mode) } }

@discardableResult
package func rename(_ old: String, _ new: String) -> Int32 {
  old.withPath { old in new.withPath { rename(old, $0) } }
}

package func linkat(_ from: Int32, _ old: String, _ to: Int32, _ new: String, _ flags: Int32) -> Int32 {
  old.withPath { old in new.withPath { linkat(from, old, to, $0, flags) } }
}
