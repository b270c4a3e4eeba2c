internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem
internal import Synchronization

/// The progress of a batch, as lines of a file in the folder of datasets, so that an interrupted batch can be resumed.
///
/// One line is written before a dataset is begun and another when it is complete. A dataset with only the first line
/// was incomplete or was renamed just before the interruption; it is created again. The last line counts only if it is
/// complete. At the end of the batch the journal is merged into the folder's manifest.
final class FusionJournal: Sendable {
  static let fileName = ".inertial-journal"

  private enum Line: Codable {
    case recipe(JSONValue)
    case begun(String)
    case ended(FusionManifest.Entry)
  }

  let isResuming: Bool
  private let folder: String
  private let manifestPath: String
  private let recipe: JSONValue
  /// The descriptor of the file, whose lock is held by one process at a time.
  private let descriptor: Int32
  /// The manifest before this run.
  private let earlier: FusionManifest
  /// The recordings of `earlier` by output.
  private let earlierEntries: [String: FusionManifest.Entry]
  /// The indices of the recipes in `earlier` that equal this run's.
  private let sameRecipes: Set<Int>
  private let begunEarlier: Set<String>
  private let entries: Mutex<[FusionManifest.Entry]>

  /// - Throws: ``FusionError`` if the folder is in use or contains an interrupted batch that is not to be resumed or
  ///   has another recipe.
  init(
    folder: String, manifestName: String, recipe: JSONValue, isResuming: Bool, force: Bool
  ) throws(FusionError) {
    self.folder = folder
    manifestPath = folder + "/" + manifestName
    (self.recipe, self.isResuming) = (recipe, isResuming)
    let path = folder + "/" + Self.fileName
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      throw .badData("\(folder): the folder is not writable; check its permissions, or use another folder")
    }
    do throws(FusionError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw .usage("\(folder): another run is writing datasets to it; wait for it, or use another folder")
      }
      var earlier = try FusionManifest.read(at: manifestPath)
      let lines = try Self.lines(of: descriptor, path)
      if !lines.isEmpty, !isResuming {
        guard force else {
          throw .usage(
            "\(folder): contains the work of an interrupted run; use --resume to continue it, or --force to start from scratch"
          )
        }
        ftruncate(descriptor, 0)
      }
      var begun: Set<String> = []
      if isResuming {
        for line in lines {
          switch line {
          case .recipe(let old):
            let differences = old.differences(from: recipe)
            guard differences.isEmpty else {
              throw .usage(
                "\(folder): the interrupted run differs in \(differences.joined(separator: ", ")); "
                  + "use the same options, another folder, or --force without --resume to start from scratch")
            }
          case .begun(let output): begun.insert(output)
          case .ended(let entry): earlier.set(entry, recipe: recipe)
          }
        }
      }
      self.earlier = earlier
      earlierEntries = Dictionary(earlier.recordings.map { ($0.output, $0) }, uniquingKeysWith: { first, _ in first })
      sameRecipes = Set(earlier.recipes.indices.filter { earlier.recipes[$0].differences(from: recipe).isEmpty })
      begunEarlier = begun
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    entries = Mutex([])
    if Self.isEmpty(descriptor) { try append(.recipe(recipe)) }
  }

  deinit { close(descriptor) }

  /// Returns whether the dataset of a job can be kept. The recipe must be the same. The sizes, times and
  /// checksums of input files and outputs must be unchanged.
  func isFinished(_ job: FusionJob) -> Bool {
    guard
      let entry = earlierEntries[name(of: job)], entry.failure == nil, entry.input == job.input,
      sameRecipes.contains(entry.recipe),
      let bytes = entry.outputBytes, bytes == job.outputs[0].bytes,
      furtherOutputs(of: job) == entry.furtherOutputs ?? [:]
    else { return false }
    let now = InputFingerprint.stamps(of: job.input, checksums: false)
    let isSame = zip(now, entry.inputFiles).allSatisfy { $0.isSameState(as: $1) }
    // The quick checks precede those that read files.
    guard isSame, now.count == entry.inputFiles.count, !now.isEmpty, checksums(of: job) == entry.outputChecksums else {
      return false
    }
    let contents = InputFingerprint.stamps(of: job.input, checksums: true)
    return zip(contents, entry.inputFiles).allSatisfy { $0.crc32 == $1.crc32 }
  }

  private func checksums(of job: FusionJob) -> [String: String]? {
    let found = job.outputs.compactMap { output in
      CyclicChecksum.ofOutput(output.path).map { (name(of: output.path), $0) }
    }
    return found.isEmpty ? nil : Dictionary(found) { first, _ in first }
  }

  /// Returns whether the existing outputs of a job, and the files next to them, were written by an earlier run.
  func isOwn(_ job: FusionJob) -> Bool {
    let output = name(of: job)
    if begunEarlier.contains(output) { return true }
    guard let entry = earlierEntries[output], entry.failure == nil else { return false }
    return isResuming || job.outputs.contains { $0.bytes != nil }
  }

  func begin(_ job: FusionJob) throws(FusionError) {
    for output in job.outputs { output.removeLeftovers() }
    try append(.begun(name(of: job)))
  }

  func end(_ job: FusionJob, _ report: FusionJob.Report) throws(FusionError) {
    try end(
      FusionManifest.Entry(
        input: job.input, inputFiles: InputFingerprint.stamps(of: job.input, checksums: true), output: name(of: job),
        recipe: 0, outputBytes: report.outputs[0].bytes,
        furtherOutputs: report.outputs.count > 1 ? furtherOutputs(of: job) : nil, outputChecksums: checksums(of: job),
        rows: report.rowCount,
        format: report.log.description.format, epoch: report.epoch,
        alignment: report.alignment, decisions: report.decisions.isEmpty ? nil : report.decisions,
        warnings: report.log.warnings))
  }

  func end(_ job: FusionJob, failure: String) throws(FusionError) {
    try end(
      FusionManifest.Entry(
        input: job.input, inputFiles: InputFingerprint.stamps(of: job.input, checksums: false), output: name(of: job),
        recipe: 0, warnings: [], failure: failure))
  }

  /// Merges the results into the manifest and removes the journal. This includes a batch that ended with an error, as
  /// it has no incomplete datasets.
  func conclude() throws(FusionError) {
    var manifest = earlier
    for entry in entries.withLock({ $0 }) { manifest.set(entry, recipe: recipe) }
    if !manifest.recordings.isEmpty {
      manifest.tidy()
      try manifest.write(at: manifestPath)
    }
    guard unlink(folder + "/" + Self.fileName) == 0 || errno == ENOENT else {
      throw .badData("\(folder)/\(Self.fileName): cannot be removed; check the folder's permissions")
    }
  }

  // MARK: Lines

  private func end(_ entry: FusionManifest.Entry) throws(FusionError) {
    try append(.ended(entry))
    entries.withLock { $0.append(entry) }
  }

  /// Returns the path of the first output, relative to the folder.
  private func name(of job: FusionJob) -> String { name(of: job.outputs[0].path) }

  private func name(of path: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  /// Returns the sizes in bytes of the existing outputs after the first.
  private func furtherOutputs(of job: FusionJob) -> [String: Int] {
    let present = job.outputs.dropFirst().compactMap { output in output.bytes.map { (name(of: output.path), $0) } }
    return Dictionary(present) { first, _ in first }
  }

  /// Appends a line with one call, so that lines of several threads do not mix. An interruption leaves an incomplete
  /// last line.
  private func append(_ line: Line) throws(FusionError) {
    guard var bytes = try? FusionManifest.encoder.encode(line) else {
      throw .badData("\(folder)/\(Self.fileName): a line cannot be written as JSON")
    }
    bytes.append(0x0A)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    // The journal must be correct even after a power failure.
    guard count == bytes.count, fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
      throw .badData("\(folder)/\(Self.fileName): cannot be written; free some space, or use another folder")
    }
  }

  private static func isEmpty(_ descriptor: Int32) -> Bool { lseek(descriptor, 0, SEEK_END) == 0 }

  /// Returns the complete lines and truncates the file after them.
  private static func lines(of descriptor: Int32, _ path: String) throws(FusionError) -> [Line] {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let whole = data.lastIndex(of: 0x0A).map { data[...$0] } ?? Data()
    ftruncate(descriptor, off_t(whole.count))
    var lines: [Line] = []
    for bytes in whole.split(separator: 0x0A) {
      guard let line = try? FusionManifest.decoder.decode(Line.self, from: bytes) else {
        throw .badData("\(path): is not a journal of 'inertial fuse'; move it away, or use another folder")
      }
      lines.append(line)
    }
    return lines
  }
}
