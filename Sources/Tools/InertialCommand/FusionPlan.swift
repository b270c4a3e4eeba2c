import Inertial
import InertialEssentials
import InertialSystem

/// The logs to fuse, and the paths of their datasets.
struct FusionPlan {
  /// A log and its dataset.
  struct Item: Equatable {
    var input: String
    var output: String
  }

  private(set) var items: [Item] = []
  /// Whether the inputs represent several logs, so that the failure of one log does not end the others.
  let isBatch: Bool

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - inputs: Files, folders that are logs, folders that contain logs, name patterns (`*`, `?`, `[...]`), "-".
  ///   - output: A file for one log or a folder for a batch, or `nil` to write each dataset next to its log.
  ///   - format: The format of the datasets, for names that are not given.
  ///   - partitions: The keys of the logs' folders, which become part of the outputs' names.
  init(
    inputs: [String], output: String?, format: DatasetFormat = .csv, partitions: PartitionedFolder? = nil
  ) throws(FusionError) {
    let inputs = LogInputs(inputs)
    // A folder that contains a single log is treated as one log if the output's name is a file name.
    let isOneFile =
      inputs.logs.count == 1 && output.map { DatasetFormat.isNameOfFile($0) && !Self.isFolder($0) } ?? false
    isBatch = inputs.logs.count > 1 || inputs.areExpanded && !isOneFile || partitions != nil
    if isBatch, output == "-" { throw .usage("several inputs need a folder for -o") }
    if isBatch, let output, DatasetFormat.isNameOfFile(output), !Self.isFolder(output) {
      throw .usage(
        "\(output): \(counted(inputs.logs.count, "log")) need a folder for -o, but the path is a file")
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
    // Colliding names are rejected before writing.
    var outputs: Set<String> = []
    for item in items where !outputs.insert(item.output).inserted {
      throw .usage("two inputs would be written to \(item.output); fuse them into different folders")
    }
  }

  /// Creates the missing output folders of a batch.
  func makeFolders() throws(FusionError) {
    guard isBatch else { return }
    for folder in Set(items.map { $0.output.pathOfFolder }) where !folder.isEmpty {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw .badData("\(folder): the output folder cannot be created; use another path")
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
