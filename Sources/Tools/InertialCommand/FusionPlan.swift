import Inertial
import InertialEssentials
import InertialSystem

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
  ///   - partitions: keys of the folders that the logs lie in, which the outputs' names then have.
  init(
    inputs: [String], output: String?, format: DatasetFormat = .csv, partitions: PartitionedFolder? = nil
  ) throws(FusionError) {
    let inputs = LogInputs(inputs)
    // A folder with one log in it is one log, where the output's name is that of a file.
    let isOneFile =
      inputs.logs.count == 1 && output.map { DatasetFormat.isNameOfFile($0) && !Self.isFolder($0) } ?? false
    isBatch = inputs.logs.count > 1 || inputs.areExpanded && !isOneFile || partitions != nil
    if isBatch, output == "-" { throw .usage("several inputs need a folder for -o") }
    if isBatch, let output, DatasetFormat.isNameOfFile(output), !Self.isFolder(output) {
      throw .usage(
        "\(output): \(counted(inputs.logs.count, "log")) need a folder for -o, and that is the name of a file")
    }
    for log in inputs.logs {
      let own = FusionJob.defaultOutput(for: log.path, format: format)
      guard let output else {
        items.append(Item(input: log.path, output: own))
        continue
      }
      let file =
        try partitions?.place(of: log.name, format: format) ?? FusionJob.defaultOutput(for: log.name, format: format)
      items.append(
        Item(input: log.path, output: isBatch ? output.appendingPathPart(file) : output))
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
    for folder in Set(items.map { $0.output.pathOfFolder }) where !folder.isEmpty {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw .badData("\(folder): the output folder cannot be made; give another path")
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
