#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files of a log that is a folder.
struct LogFolder {
  let path: String
  /// The names in the folder, sorted, without those that begin with a dot.
  let names: [String]
  private let sizes: [String: Int]

  /// Lists a folder; an error where there is none or it cannot be read.
  init(path: String) throws(LogError) {
    self.path = path
    guard let directory = opendir(path) else {
      throw LogError(
        path: path, problem: "the folder cannot be read: \(String(cString: strerror(errno)))",
        remedy: "check the path and its permissions")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    self.names = names.sorted()
    var sizes: [String: Int] = [:]
    for name in names {
      var status = stat()
      guard stat("\(path)/\(name)", &status) == 0 else { continue }
      sizes[name] = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : -1
    }
    self.sizes = sizes
  }

  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

  /// Whether a file of this name is there with something in it.
  func has(_ name: String) -> Bool { (sizes[name] ?? 0) > 0 }

  /// Whether a file of this name is there with nothing in it: apps leave one for a sensor that was off.
  func hasEmpty(_ name: String) -> Bool { sizes[name] == 0 }

  /// Throws where something of this name is there that is not a file.
  func requireFile(_ name: String) throws(LogError) {
    guard let size = sizes[name], size < 0 else { return }
    throw LogError(
      path: path(of: name), problem: "is not a regular file", remedy: "remove it or put the log's file there")
  }

  /// The error for a folder that lacks what every log has: says what is there and what was looked for.
  func lacks(_ what: String, lookedFor: [String]) -> LogError {
    let listed = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", ..." : "")
    return LogError(
      path: path, problem: "no \(what) in this folder (found: \(names.isEmpty ? "nothing" : listed))",
      remedy: "looked for \(lookedFor.joined(separator: ", ")); give the folder that holds them")
  }

  /// The whole text of a small file, such as a description; an error beyond 64 KiB.
  func smallText(_ name: String) throws(LogError) -> String {
    try requireFile(name)
    let file = path(of: name)
    let descriptor = open(file, O_RDONLY)
    guard descriptor >= 0 else {
      throw LogError(
        path: file, problem: "cannot be opened: \(String(cString: strerror(errno)))",
        remedy: "check the path and its permissions")
    }
    defer { _ = close(descriptor) }
    let limit = 1 << 16
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 0, count <= limit else {
      throw LogError(
        path: file, problem: count < 0 ? "cannot be read" : "is too long for what it should be",
        remedy: "put the log's own file there")
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
