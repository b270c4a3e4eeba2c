public import Foundation

/// A folder in the temporary directory that is deleted with its owner.
public final class TemporaryFolder: Sendable {
  public let url: URL

  /// - Parameter inMemory: Whether to use a file system in memory if available, for tests that write many small files.
  public init(inMemory: Bool = true) {
    let memory = "/dev/shm"
    let isWritable = inMemory && FileManager.default.isWritableFile(atPath: memory)
    let parent = isWritable ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("inertial-\(UUID().uuidString)")
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  public var path: String { url.path }

  /// Returns the path of a file in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The names in the folder, sorted, including hidden ones.
  public var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  /// Returns a file's text, or a remark if it cannot be read, which a comparison then shows.
  public func text(_ name: String) -> String {
    (try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)) ?? "(\(name) cannot be read)"
  }

  /// Returns a CSV file's table.
  public func table(_ name: String, separator: Character = ",") -> TextTable {
    TextTable(text(name), separator: separator)
  }

  @discardableResult
  public func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

  /// Writes a file and returns its path. Uses C functions for speed: the mutation tests write some hundred thousand
  /// files.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) -> String {
    let path = url.path + "/" + name
    let file = fopen(path, "w") ?? inNewFolder(path)!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return path
  }

  private func inNewFolder(_ path: String) -> UnsafeMutablePointer<FILE>? {
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
    try! FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    return fopen(path, "w")
  }
}
