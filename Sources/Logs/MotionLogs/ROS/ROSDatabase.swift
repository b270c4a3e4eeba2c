/// Reads the messages of a ROS 2 recording in SQLite (rosbag2_storage_sqlite3), in CDR: the tables `topics` and
/// `messages` of one file, or of the files of a split recording.
struct ROSDatabase: ROSRecordSource {
  static let magic = Array("SQLite format 3\0".utf8)
  /// The name of a column of `topics`, which is part of the schema on the first page.
  private static let mark = Array("serialization_format".utf8)
  private static let maximumTopicCount = 1000

  /// The unread files.
  private var files: ArraySlice<String>
  private let fileCount: Int
  private var name: String
  private(set) var topics: [Int: String] = [:]
  /// The kinds of messages to read, by topic number in the file.
  private var kinds: [Int64: (topic: Int, kind: ROSMessage)] = [:]
  private(set) var hasLocation = false
  private var rows: SQLiteDatabase.Rows?
  private var (rowCount, readCount) = (0, 0)

  static func recognizes(_ head: [UInt8]) -> Bool { head.starts(with: magic) && !head.ranges(of: mark).isEmpty }

  /// Returns the databases of a recording's folder, in order, or an empty array if the folder is not a recording.
  static func files(in folder: LogFolder) -> [String] {
    guard folder.has("metadata.yaml") else { return [] }
    let names = folder.names.filter { $0.hasSuffix(".db3") && folder.has($0) }
    // Sorts walk_2.db3 before walk_10.db3.
    return names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { folder.path(of: $0) }
  }

  init(files: [String]) throws(LogError) {
    self.files = files[...]
    fileCount = files.count
    name = files.first ?? ""
    guard SQLiteDatabase.isAvailable else {
      throw LogError(
        path: name, problem: "a bag of ROS 2 in SQLite needs SQLite's library, which is not installed",
        remedy: "apt-get install libsqlite3-0, or convert the bag to MCAP: mcap convert \(name) walk.mcap")
    }
    // The topics of the first file must be known before its messages.
    do throws(ContainerError) { try openNext() } catch { throw logError(error) }
  }

  var progress: Double {
    let ofFile = rowCount > 0 ? min(1, Double(readCount) / Double(rowCount)) : 1
    return (Double(fileCount - files.count - 1) + ofFile) / Double(max(fileCount, 1))
  }

  func logError(_ error: ContainerError) -> LogError {
    error.logError(
      path: name, file: "bag", recovery: "copy the file again, or save what it has with sqlite3 \(name) .recover",
      conversion: "convert it to MCAP: mcap convert \(name) walk.mcap")
  }

  mutating func next() throws(ContainerError) -> ROSRecord? {
    while let rows {
      if try rows.next() { return try record(rows) }
      try openNext()
    }
    return nil
  }

  private mutating func record(_ rows: SQLiteDatabase.Rows) throws(ContainerError) -> ROSRecord {
    readCount += 1
    guard let (topic, kind) = kinds[rows.integer(0)] else { throw .damaged("a message has no topic") }
    return try ROSRecord(cdr: rows.bytes(2)[...], topic: topic, kind: kind, logTime: rows.integer(1))
  }

  /// Opens the next file and finds its topics.
  private mutating func openNext() throws(ContainerError) {
    (rows, rowCount, readCount, kinds) = (nil, 0, 0, [:])
    guard let file = files.popFirst() else { return }
    name = file
    let database = try SQLiteDatabase(path: file)
    // Views are excluded, as their computation may never end.
    let tables = try database.rows(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('topics', 'messages') "
        + "AND sql LIKE 'CREATE TABLE%'")
    guard try tables.next(), tables.integer(0) == 2 else { throw .damaged("it has no tables of topics and messages") }
    let found = try database.rows("SELECT id, name, type, serialization_format FROM topics ORDER BY id")
    while try found.next() {
      let name = String(found.text(1).prefix(256))
      let topic = topics.first { $0.value == name }?.key ?? topics.count
      guard topic < Self.maximumTopicCount else { break }
      topics[topic] = name
      guard let kind = ROSMessage(rawValue: found.text(2)), kind != .pose, found.text(3) == "cdr" else { continue }
      kinds[found.integer(0)] = (topic, kind)
      if kind == .position { hasLocation = true }
    }
    let wanted = kinds.keys.sorted().map(String.init).joined(separator: ", ")
    let count = try database.rows("SELECT count(*) FROM messages WHERE topic_id IN (\(wanted))")
    if try count.next() { rowCount = Int(clamping: count.integer(0)) }
    rows = try database.rows(
      "SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN (\(wanted)) ORDER BY timestamp, id")
  }
}

extension LogFormat {
  static var rosDatabase: LogFormat {
    LogFormat(
      id: "ros2-db3", title: "bag of ROS 2 (SQLite, .db3)",
      recognition: "a file of SQLite with the column serialization_format of rosbag2's table topics",
      units: ROSLogReader.units,
      recognizes: { ROSDatabase.recognizes($0.head) },
      open: { path, options throws(LogError) in
        try ROSLogReader(ROSDatabase(files: [path]), path: path, options: options)
      })
  }

  static var rosDatabaseFolder: LogFormat {
    LogFormat(
      id: "ros2-bag", title: "folder of a bag of ROS 2 (SQLite)",
      recognition: "a folder with metadata.yaml and .db3 files, which are read one after the other",
      units: ROSLogReader.units, isFolder: true,
      recognizes: { $0.folder.map { !ROSDatabase.files(in: $0).isEmpty } ?? false },
      open: { path, options throws(LogError) in
        try ROSLogReader(ROSDatabase(files: ROSDatabase.files(in: LogFolder(path: path))), path: path, options: options)
      })
  }
}

extension ROSLogReader {
  fileprivate init(_ source: ROSDatabase, path: String, options: LogOptions) throws(LogError) {
    try self.init(
      source, path: path, format: "ros2-db3", summary: "bag of ROS 2 (SQLite)", recorder: "ros2 bag record /imu",
      options: options)
  }
}
