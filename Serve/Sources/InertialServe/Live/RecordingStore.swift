internal import InertialEssentials
internal import InertialJobs
internal import InertialLogs
internal import InertialSystem

/// The folder of recordings, with one growing file per device. A new file begins when a named recording begins or ends.
///
/// Every acknowledged message is in exactly one file.
struct RecordingStore {
  /// The name and label that a user has given to a recording.
  struct Title: Equatable, Codable {
    var name: String
    var label: String
    /// The start time in seconds since 1970.
    var begun: Double
  }

  let folder: String
  /// The current named recording, or `nil` between recordings.
  private(set) var title: Title?
  private var files: [String: RecordingFile] = [:]
  private let lock: FolderLock
  private let names = Names()

  /// - Throws: `FusionError` if another server records in the folder.
  init(folder: String) throws(FusionError) {
    self.folder = folder
    lock = FolderLock(folder)
    guard !lock.isTaken else {
      throw .badData(
        "\(folder.isEmpty ? "." : folder): another server records in this folder; end it, or use --recordings FOLDER")
    }
    // A server that was ended during a named recording continues it.
    if let data = FileManager.default.contents(atPath: titlePath), data.count < Self.maximumTitleSize {
      title = try? JSONDecoder().decode(Title.self, from: data)
    }
  }

  /// Lets another server record in the folder.
  func unlock() { lock.release() }

  /// Returns the file of a device, or `nil` before its first message.
  func file(of device: LiveDevice) -> RecordingFile? { files[device.identifier] }

  mutating func begin(_ title: Title) {
    (self.title, files) = (title, [:])
    keepTitle()
  }

  mutating func end() {
    (title, files) = (nil, [:])
    keepTitle()
  }

  /// Stores the title in the folder for a restart of the server. A failure is not reported: without the file, a
  /// recording after a restart has no name.
  private func keepTitle() {
    guard let title, let data = try? JSONEncoder().encode(title) else {
      unlink(titlePath)
      return
    }
    do throws(OutputError) {
      let file = try AtomicFile(path: titlePath, force: true)
      try file.write(String(decoding: data, as: UTF8.self))
      try file.commit()
    } catch {}
  }

  private var titlePath: String { folder.appendingPathPart(".inertial-recording.json") }
  private static let maximumTitleSize = 10_000
  /// Removes and returns the device's file.
  mutating func detach(_ device: LiveDevice) -> RecordingFile? { files.removeValue(forKey: device.identifier) }
  /// Lets a device continue a file.
  mutating func attach(_ file: RecordingFile, to device: LiveDevice) { files[device.identifier] = file }
  /// Marks a file as failed: the next message of its device begins a new one.
  mutating func abandon(_ file: RecordingFile) {
    file.hasFailed = true
    files = files.filter { $0.value !== file }
  }

  /// Appends a message of a device to its file, which is created if needed.
  mutating func append(_ body: [UInt8], of device: LiveDevice, now: Double) throws(RecordingFile.Failure)
    -> RecordingFile
  {
    let file: RecordingFile
    if let open = files[device.identifier], !open.hasFailed { file = open } else { file = try begin(device, now) }
    files[device.identifier] = file
    try file.append(body)
    return file
  }

  private func begin(_ device: LiveDevice, _ now: Double) throws(RecordingFile.Failure) -> RecordingFile {
    let date = Date(timeIntervalSince1970: now).formatted(.iso8601)
    var facts = [("inertial", "\"recording\""), ("version", "1"), ("tool", LiveJSON.text(ToolVersion.current))]
    facts += [("device", LiveJSON.text(device.name)), ("session", LiveJSON.text(device.session))]
    if let title { facts += [("name", LiveJSON.text(title.name)), ("label", LiveJSON.text(title.label))] }
    facts.append(("begun", LiveJSON.text(date)))
    if let unit = device.log.accelerationUnit { facts.append(("accelerationUnit", LiveJSON.text(unit.text))) }
    if let sign = device.log.accelerationSign { facts.append(("accelerationSign", LiveJSON.text(sign.rawValue))) }
    let header = LiveJSON.object(facts)
    let words = [date.filter { $0 != ":" }, title.map { Self.plain($0.name) } ?? "", Self.plain(device.name)]
    let stem = words.filter { !$0.isEmpty }.joined(separator: "_")
    for number in 1...1000 {
      let name = stem + (number > 1 ? "_\(number)" : "") + Self.ending
      var status = stat()
      // A dangling link occupies the name, too.
      if lstat(folder.appendingPathPart(name), &status) == 0 { continue }
      do throws(RecordingFile.Failure) {
        return try RecordingFile(folder: folder, name: name, header: header)
      } catch {
        // Another program has created the file meanwhile.
        if !error.isTaken { throw error }
      }
    }
    throw RecordingFile.Failure(isFull: false, text: "\(folder): has too many recordings in the same second")
  }

  static let ending = ".push.jsonl"

  /// Converts a string for use in a file name: ASCII letters and digits, and dashes in place of other characters.
  private static func plain(_ text: String) -> String {
    String(text.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
      .trimmed { $0 == "-" }
  }

  // MARK: Folder contents

  struct Entry {
    var name: String
    var size: Int
    /// The modification time in seconds since 1970.
    var changed: Double
  }

  /// The names of the recordings of a folder, the newest first, read again if the folder has changed. Used by one
  /// thread at a time.
  private final class Names: @unchecked Sendable {
    private var names: [String] = []
    private var state: timespec?

    func read(_ folder: String) -> [String] {
      let folder = folder.isEmpty ? "." : folder
      var status = stat()
      stat(folder, &status)
      #if canImport(Darwin)
        let changed = status.st_mtimespec
      #else
        let changed = status.st_mtim
      #endif
      if let state, (state.tv_sec, state.tv_nsec) == (changed.tv_sec, changed.tv_nsec) { return names }
      let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      names = all.filter(RecordingStore.isName).sorted(by: >)
      // A change soon after another one may have the same time.
      state = time(nil) - changed.tv_sec > 2 ? changed : nil
      return names
    }
  }

  private static func entries(_ names: [String], in folder: String, count: Int) -> [Entry] {
    var entries: [Entry] = []
    for name in names {
      guard entries.count < count else { break }
      if let entry = entry(name, in: folder) { entries.append(entry) }
    }
    return entries
  }

  private static func entry(_ name: String, in folder: String) -> Entry? {
    var status = stat()
    guard lstat(folder.appendingPathPart(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let changed = Double(status.st_mtimespec.tv_sec)
    #else
      let changed = Double(status.st_mtim.tv_sec)
    #endif
    return Entry(name: name, size: Int(status.st_size), changed: changed)
  }

  /// Returns the path of an existing recording, or `nil` for any other name.
  func path(of name: String) -> String? {
    guard Self.isName(name), Self.entry(name, in: folder) != nil else { return nil }
    return folder.appendingPathPart(name)
  }

  /// Returns whether a name is a valid recording name, which cannot lead out of the folder.
  static func isName(_ name: String) -> Bool {
    name.hasSuffix(ending) && name.first != "." && name.utf8.count < 200
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) } && !name.contains("..")
  }

  /// A function that returns the list of the newest recordings as JSON. Another thread may call it, one at a time; slow
  /// for a large folder.
  var list: @Sendable () -> String {
    let current = Set(files.values.map(\.name))
    let (folder, names) = (folder, names)
    return {
      let items = Self.entries(names.read(folder), in: folder, count: 200).map { entry in
        LiveJSON.object([
          ("name", LiveJSON.text(entry.name)), ("bytes", "\(entry.size)"),
          ("changed", LiveJSON.number(entry.changed, digits: 0)), ("isCurrent", "\(current.contains(entry.name))"),
        ])
      }
      return "[\(items.joined(separator: ","))]"
    }
  }

  /// The state of the current recording as JSON, for the page.
  var state: String {
    guard let title else { return "null" }
    return LiveJSON.object([
      ("name", LiveJSON.text(title.name)), ("label", LiveJSON.text(title.label)),
      ("begun", LiveJSON.number(title.begun, digits: 0)),
    ])
  }
}
