import Inertial
import InertialEssentials
import InertialSystem

extension FuseCommand {
  /// Returns the jobs for the logs that the inputs represent, and creates the missing output folders of a batch.
  ///
  /// - Parameter partitions: The keys of the logs' folders, which become part of the outputs' names.
  /// - Returns: The jobs, and whether the inputs represent several logs, so that the failure of one log does not end
  ///   the others.
  func jobs(
    _ options: FusionOptions, _ partitions: PartitionedFolder?
  ) throws(FusionError) -> (jobs: [FusionJob], isBatch: Bool) {
    let found = LogFeed.logs(of: inputs)
    let output = writing.file.output
    let isFile = output.map { DatasetFormat.isNameOfFile($0) && !LogFeed.isFolder($0) } ?? false
    // A folder that contains a single log, or one log given twice, is treated as one log if the output's name is a file
    // name.
    let isOne = found.logs.count == 1 && (isFile || !found.areExpanded && inputs.count == 1)
    let isBatch = found.logs.count > 1 || !isOne || partitions != nil
    if isBatch, output == "-" { throw .usage("several inputs need a folder for -o") }
    if isBatch, isFile, let output {
      throw .usage("\(output): \(counted(found.logs.count, "log")) need a folder for -o, but the path is a file")
    }
    let format = options.formats.first ?? .csv
    let jobs = try found.logs.map { (log) throws(FusionError) -> FusionJob in
      guard let output else { return FusionJob(input: log.path, options: options) }
      let file =
        try partitions?.place(of: log.name, format: format) ?? FusionJob.defaultOutput(for: log.name, format: format)
      return FusionJob(input: log.path, output: isBatch ? output.appendingPathPart(file) : output, options: options)
    }
    // Colliding names are rejected before writing.
    var outputs: Set<String> = []
    for job in jobs where !outputs.insert(job.output).inserted {
      throw .usage("two inputs would be written to \(job.output); fuse them into different folders")
    }
    for folder in isBatch ? Set(outputs.map(\.pathOfFolder)) : [] where !folder.isEmpty {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw .badData("\(folder): the output folder cannot be created; use another path")
      }
    }
    return (jobs, isBatch)
  }
}
