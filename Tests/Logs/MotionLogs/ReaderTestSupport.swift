import Foundation
import InertialSensors
import Testing

@testable import InertialLogs

/// A folder in the temporary directory that is deleted with its owner.
final class TemporaryFolder {
  let url: URL

  /// Uses a file system in memory if available, for tests that write many files.
  init() {
    let memory = "/dev/shm"
    let isWritable = FileManager.default.isWritableFile(atPath: memory)
    let parent = isWritable ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("inertial-\(UUID().uuidString)")
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  @discardableResult
  func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

  /// Writes a file and returns its path. Uses C functions for speed: the mutation tests write some hundred thousand
  /// files.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> String {
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

/// Reads a log to its end.
func readAll(_ reader: some LogReader) throws(LogError) -> [SensorSample] {
  var reader = reader
  var samples: [SensorSample] = []
  while try reader.read(into: &samples) {}
  return samples
}

extension [SensorSample] {
  subscript(channel: SensorChannel) -> [SensorSample] { filter { $0.channel == channel } }

  /// The sample rate between the first and the last sample, without pauses of more than half a second, in Hz.
  var rate: Double {
    let pauses = zip(dropFirst(), self).map { $0.time - $1.time }.filter { $0 > 0.5 }
    return Double(count - 1 - pauses.count) / (last!.time - first!.time - pauses.reduce(0, +))
  }
}

/// Returns the error of opening or reading a log, or `nil` if there is no error.
func logError(_ read: () throws(LogError) -> some Any) -> LogError? {
  do throws(LogError) {
    _ = try read()
    return nil
  } catch {
    return error
  }
}
