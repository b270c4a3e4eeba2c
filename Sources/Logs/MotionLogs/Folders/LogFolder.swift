internal import InertialSystem

/// The files of a log that is a folder.
struct LogFolder {
  let path: String
  /// The names in the folder, sorted, without hidden files.
  let names: [String]
  private let sizes: [String: Int]

  /// Lists a folder.
  ///
  /// - Throws: ``LogError`` if the folder does not exist or cannot be read.
  init(path: String) throws(LogError) {
    self.path = path
    guard let directory = opendir(path) else {
      throw LogError(
        path: path, problem: "the folder cannot be read: \(systemMessage(errno))",
        remedy: "check the path and its permissions")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = String(nameOf: entry)
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

  /// Returns the path of the folder that contains a file.
  static func parent(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "." }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : path + "/" + name }

  /// Whether the folder has a non-empty file with this name.
  func has(_ name: String) -> Bool { (sizes[name] ?? 0) > 0 }

  /// Whether the folder has an empty file with this name, as apps write for a sensor that was off.
  func hasEmpty(_ name: String) -> Bool { sizes[name] == 0 }

  /// - Throws: ``LogError`` if an item with this name exists and is not a file.
  func requireFile(_ name: String) throws(LogError) {
    guard let size = sizes[name], size < 0 else { return }
    throw LogError(
      path: path(of: name), problem: "is not a regular file", remedy: "remove it or put the log's file there")
  }

  /// Returns the error for a folder without a required file, with the names that exist and the names searched for.
  func lacks(_ what: String, lookedFor: [String]) -> LogError {
    let listed = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", ..." : "")
    return LogError(
      path: path, problem: "no \(what) in this folder (found: \(names.isEmpty ? "nothing" : listed))",
      remedy: "looked for \(lookedFor.joined(separator: ", ")); give the folder that holds them")
  }

  /// Returns the text of a small file, such as a description.
  ///
  /// - Throws: ``LogError`` if the file is larger than 64 KiB.
  func smallText(_ name: String) throws(LogError) -> String {
    try requireFile(name)
    let file = try InputFile(path: path(of: name))
    let limit = 1 << 16
    let bytes = try file.readBytes(upTo: limit + 1)
    guard bytes.count <= limit else {
      throw LogError(
        path: file.name, problem: "is larger than expected", remedy: "put the log's own file there")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension InputFile {
  /// Returns the next bytes, at most `limit`. Fewer bytes are returned only at the end of the file.
  func readBytes(upTo limit: Int) throws(LogError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
    defer { buffer.deallocate() }
    var count = 0
    while count < limit {
      let read = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      if read == 0 { break }
      count += read
    }
    return Array(buffer[..<count])
  }
}
