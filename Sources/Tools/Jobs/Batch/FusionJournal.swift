internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem
internal import Synchronization

/// What a batch has done so far, line by line in a file of the folder of datasets, so that it can go on after an end at
/// any moment.
///
/// A line is written before a dataset is begun and one when it is in its place. A dataset of which only the first is there
/// was being made, or was put in its place just before the end: it is made again. The last line counts only if it is whole.
/// At the end of the batch the journal becomes part of the folder's manifest.
final class FusionJournal: Sendable {
  static let fileName = ".inertial-journal"

  private enum Line: Codable {
    case recipe(FusionRecipe)
    case begun(String)
    case ended(FusionManifest.Entry)
  }

  let isResuming: Bool
  private let folder: String
  private let manifestPath: String
  private let recipe: FusionRecipe
  /// Held by one process at a time through a lock on the file.
  private let descriptor: Int32
  /// What was there before this run.
  private let earlier: FusionManifest
  /// Its recordings by their outputs.
  private let earlierEntries: [String: FusionManifest.Entry]
  /// Which of its recipes are this run's.
  private let sameRecipes: Set<Int>
  private let begunEarlier: Set<String>
  private let entries: Mutex<[FusionManifest.Entry]>

  /// - Throws: where the folder is in use, holds an interrupted batch that is not to be gone on with, or one of another
  ///   recipe.
  init(
    folder: String, manifestName: String, recipe: FusionRecipe, isResuming: Bool, force: Bool
  ) throws(FusionError) {
    self.folder = folder
    manifestPath = folder + "/" + manifestName
    self.recipe = recipe
    self.isResuming = isResuming
    let path = folder + "/" + Self.fileName
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      throw .badData("\(folder): nothing can be written there; check its permissions, or give another folder")
    }
    do throws(FusionError) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw .usage("\(folder): another run writes datasets there; wait for it, or give another folder")
      }
      var earlier = try FusionManifest.read(at: manifestPath)
      let lines = try Self.lines(of: descriptor, path)
      if !lines.isEmpty, !isResuming {
        guard force else {
          throw .usage(
            "\(folder): an interrupted run has left its work there; --resume goes on with it, --force begins anew")
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
                "\(folder): what was begun there differs in "
                  + differences.map(\.description).joined(separator: ", ") + "; "
                  + "give the same options, or another folder, or --force without --resume to begin anew")
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

  /// The entry of a dataset that need not be made again: made by the same recipe of the same files, and still there. Sizes,
  /// times and checksums of both must be those of then.
  func finished(_ job: FusionJob) -> FusionManifest.Entry? {
    guard
      let entry = earlierEntries[name(of: job)], entry.failure == nil, entry.input == job.input,
      sameRecipes.contains(entry.recipe),
      let bytes = entry.outputBytes, bytes == job.outputs[0].bytes,
      furtherOutputs(of: job) == entry.furtherOutputs ?? [:]
    else { return nil }
    let now = InputStamp.stamps(of: job.input, checksums: false)
    let isSame = zip(now, entry.inputFiles).allSatisfy { $0.isSameState(as: $1) }
    // What is quick to see comes before what has to be read.
    guard isSame, now.count == entry.inputFiles.count, !now.isEmpty, checksums(of: job) == entry.outputChecksums else {
      return nil
    }
    let contents = InputStamp.stamps(of: job.input, checksums: true)
    return zip(contents, entry.inputFiles).allSatisfy { $0.hasSameContent(as: $1) } ? entry : nil
  }

  private func checksums(of job: FusionJob) -> [String: String]? {
    let found = job.outputs.compactMap { output in
      InputChecksum.ofOutput(output.path).map { (name(of: output.path), $0) }
    }
    return found.isEmpty ? nil : Dictionary(found) { first, _ in first }
  }

  /// Whether what is there under an output's names, and those of the files beside it, was made by a run before.
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
        input: job.input, inputFiles: InputStamp.stamps(of: job.input, checksums: true), output: name(of: job),
        recipe: 0, outputBytes: report.outputs[0].bytes,
        furtherOutputs: report.outputs.count > 1 ? furtherOutputs(of: job) : nil, outputChecksums: checksums(of: job),
        rows: report.rowCount,
        format: report.log.description.format, epoch: report.epoch,
        alignment: report.alignment?.entries(isApplied: true), warnings: report.log.warnings))
  }

  func end(_ job: FusionJob, failure: String) throws(FusionError) {
    try end(
      FusionManifest.Entry(
        input: job.input, inputFiles: InputStamp.stamps(of: job.input, checksums: false), output: name(of: job),
        recipe: 0, warnings: [], failure: failure))
  }

  /// Makes what was done part of the manifest, and ends the journal: also of a batch that was ended by an error, since
  /// nothing is half done then.
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

  /// The first output's path below the folder.
  private func name(of job: FusionJob) -> String { name(of: job.outputs[0].path) }

  private func name(of path: String) -> String {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }

  /// The bytes of the outputs after the first, as far as they are there.
  private func furtherOutputs(of job: FusionJob) -> [String: Int] {
    let present = job.outputs.dropFirst().compactMap { output in output.bytes.map { (name(of: output.path), $0) } }
    return Dictionary(present) { first, _ in first }
  }

  /// One call for a line: lines of several threads do not mix, and an end in the middle leaves a part of the last.
  private func append(_ line: Line) throws(FusionError) {
    guard var bytes = try? FusionManifest.encoder.encode(line) else {
      throw .badData("\(folder)/\(Self.fileName): a line cannot be written as JSON")
    }
    bytes.append(0x0A)
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    // What the journal says is so must be so after the machine has lost its power, too.
    guard count == bytes.count, fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
      throw .badData("\(folder)/\(Self.fileName): cannot be written; free some space, or give another folder")
    }
  }

  private static func isEmpty(_ descriptor: Int32) -> Bool { lseek(descriptor, 0, SEEK_END) == 0 }

  /// The whole lines. What follows them is cut off.
  private static func lines(of descriptor: Int32, _ path: String) throws(FusionError) -> [Line] {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let whole = data.lastIndex(of: 0x0A).map { data[...$0] } ?? Data()
    ftruncate(descriptor, off_t(whole.count))
    var lines: [Line] = []
    for bytes in whole.split(separator: 0x0A) {
      guard let line = try? FusionManifest.decoder.decode(Line.self, from: bytes) else {
        throw .badData("\(path): is no journal of ours; move it away, or give another folder")
      }
      lines.append(line)
    }
    return lines
  }
}
