import Foundation
import Inertial

/// Which logs to fuse, and where each dataset goes.
struct FusionPlan {
  /// A log and its dataset.
  struct Item: Equatable {
    var input: String
    var output: String
  }

  private(set) var items: [Item] = []
  /// Whether the inputs stand for several logs, so that one that fails does not end the rest.
  let isBatch: Bool

  /// - Parameters:
  ///   - inputs: files, folders that are logs, folders with logs in them, patterns of names (`*`, `?`, `[...]`), "-".
  ///   - output: a file for one log, a folder for a batch; nil: each dataset beside its log.
  ///   - format: of the datasets, for names that are not given.
  init(inputs: [String], output: String?, format: DatasetFormat = .csv) throws(FusionError) {
    let paths = inputs.flatMap(Self.matches)
    var logs: [(path: String, name: String)] = []
    var isBatch = paths.count > 1 || paths != inputs
    for path in paths {
      // A folder that nothing is found in is told like any other log that cannot be read.
      let found = (try? LogFinder.logs(at: path)) ?? [path]
      if found != [path] { isBatch = true }
      logs += found.map { ($0, Self.name(of: $0, below: path)) }
    }
    self.isBatch = isBatch
    var seen: Set<String> = []
    logs = logs.filter { seen.insert($0.path).inserted }
    if isBatch, output == "-" { throw .usage("several inputs need a folder for -o") }
    for (path, name) in logs {
      let own = FusionJob.defaultOutput(for: path, format: format)
      guard let output else {
        items.append(Item(input: path, output: own))
        continue
      }
      let file = FusionJob.defaultOutput(for: name, format: format)
      items.append(
        Item(input: path, output: isBatch ? (output as NSString).appendingPathComponent(file) : output))
    }
    // Names that would collide are refused before anything is written.
    var outputs: Set<String> = []
    for item in items where !outputs.insert(item.output).inserted {
      throw .usage("two inputs would be written to \(item.output); fuse them into different folders")
    }
  }

  /// Makes the folders that datasets of a batch go to, where they are not there.
  func makeFolders() throws(FusionError) {
    guard isBatch else { return }
    for folder in Set(items.map { ($0.output as NSString).deletingLastPathComponent }) where !folder.isEmpty {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw .badData("\(folder): the output folder cannot be made; give another path")
      }
    }
  }

  /// A log's path below the folder it was found in, so that logs of one name in several folders stay apart; else its
  /// last part.
  private static func name(of log: String, below folder: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return log.hasPrefix(prefix) ? String(log.dropFirst(prefix.count)) : (log as NSString).lastPathComponent
  }

  /// The files that a pattern stands for, in order of their names. A path that is there, or that no file matches, stands
  /// for itself.
  private static func matches(_ path: String) -> [String] {
    guard path.contains(where: { "*?[".contains($0) }), !FileManager.default.fileExists(atPath: path) else {
      return [path]
    }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(path, 0, nil, &found) == 0, let names = found.gl_pathv else { return [path] }
    let paths = (0..<Int(found.gl_pathc)).compactMap { names[$0].map { String(cString: $0) } }
    // Datasets of an earlier run are no logs that were meant.
    return paths.filter { !DatasetFormat.isOurs($0) }
  }
}
