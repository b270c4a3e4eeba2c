internal import InertialSensors

extension LogFormat {
  static var inertialNPZ: LogFormat {
    LogFormat(
      id: "inertial-npz", title: "Inertial dataset (NPZ)",
      recognition: "a zip archive whose first entry is a NumPy array (.npy)",
      units: "Inertial's own; for fused motion raw acceleration = gravity + userAcceleration",
      recognizes: { beginsWithArray($0) },
      open: { path, options throws(LogError) in try openNPZ(path, options) })
  }

  private static let ending = ".npy"

  /// Whether a file is a zip archive whose first entry is a NumPy array, according to its local header (APPNOTE 4.3.7).
  private static func beginsWithArray(_ candidate: LogCandidate) -> Bool {
    let head = candidate.head
    guard candidate.folder == nil, head.starts(with: [0x50, 0x4B, 0x03, 0x04]), head.count > 30 else { return false }
    let end = 30 + Int(head[26]) + Int(head[27]) << 8
    return end <= head.count && head[30..<end].reversed().starts(with: Array(ending.utf8).reversed())
  }

  /// Opens an `.npz` that `fuse` or `convert` wrote.
  ///
  /// - Throws: ``LogError`` if it cannot be read or has no arrays of an Inertial recording.
  private static func openNPZ(_ path: String, _ options: LogOptions) throws(LogError) -> any LogReader {
    let archive = try ZipArchive(path: path, kinds: [ending])
    var arrays: [NPYStream] = []
    for entry in archive.entries where entry.parts.count == 1 {
      if let array = try NPYStream(entry, in: archive) { arrays.append(array) }
    }
    let epoch = try epoch(in: archive)
    if let time = arrays.first(where: { $0.name == "time" && $0.width == 1 }) {
      let columns = arrays.filter { $0.rows == time.rows }
      return try DatasetTableReader(
        (
          columns.flatMap(\.columnNames), time.rows,
          { (rows, blocks) throws(LogError) in try columns.read(rows.count, into: &blocks) }
        ), format: "inertial-npz", kind: "NPZ", path: path, epoch: epoch, options: options)
    }
    let sources = SensorChannel.allCases.compactMap { channel in
      streams(of: channel, in: arrays).map { NPZStreamSource($0, channel) }
    }
    guard !sources.isEmpty else {
      let found = archive.entries.prefix(12).compactMap { entry in
        entry.parts.last.map { part in
          let name = String(part.dropLast(ending.count))
          let shape = arrays.first { $0.name == name }.map { " (\($0.rows)\($0.width > 1 ? " by \($0.width)" : ""))" }
          return name + (shape ?? "")
        }
      }.joined(separator: ", ")
      throw LogError(
        path: path,
        problem: "no arrays of an Inertial recording (arrays found: \(found.isEmpty ? "none" : found))",
        remedy:
          "save the sensors' arrays as columns of a CSV with names and units, such as numpy.savetxt(\"log.csv\", "
          + "numpy.c_[t, acc, gyr], delimiter=\",\", comments=\"\", header=\"time (s),acc_x (m/s^2),...,gyr_x (rad/s),...\")"
      )
    }
    var description = LogDescription(format: "inertial-npz", summary: "samples of a recording (NPZ)", path: path)
    description.clock = LogClock(.unstated, unit: .seconds)
    description.epoch = epoch
    return MergedLogReader(description, sources)
  }

  /// The maximum size of the metadata, in bytes. NumPy stores four bytes per character.
  private static let maximumTextLength: UInt64 = 1 << 22

  /// Returns the UNIX time of time 0 from the dataset's metadata, or `nil` if it is missing.
  private static func epoch(in archive: ZipArchive) throws(LogError) -> Double? {
    guard
      let entry = archive.entries.first(where: { $0.parts == ["metadata" + ending] && $0.size <= maximumTextLength })
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(entry.size))
    guard try archive.open(entry).fill(&bytes, bytes.count) else { return nil }
    // Only ASCII characters are kept. This removes the header and the zero bytes of each character.
    let text = String(decoding: bytes.filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self)
    guard let position = text.firstRange(of: "\"epoch\"") else { return nil }
    let rest = text[position.upperBound...].drop { $0 == " " || $0 == ":" }
    return Double(rest.prefix { "+-.0123456789eE".contains($0) }).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the arrays of a channel and then of its times, named after the first array, or `nil` if one is missing.
  private static func streams(of channel: SensorChannel, in arrays: [NPYStream]) -> [NPYStream]? {
    let layouts = NPZTableWriter.arrays(of: channel.columnNames)
    guard let time = arrays.first(where: { $0.name == layouts[0].name + "Time" && $0.width == 1 }) else { return nil }
    let own = layouts.compactMap { layout in
      arrays.first { $0.name == layout.name && $0.width == layout.width && $0.rows == time.rows }
    }
    return own.count == layouts.count ? own + [time] : nil
  }
}

/// A stream of samples in an `.npz` from `convert`: its arrays and the array of its times.
private struct NPZStreamSource: SampleSource {
  private static let blockSize = 1024

  private let arrays: [NPYStream]
  private let channel: SensorChannel
  private let rowCount: Int
  private var blocks: [[Double]]
  private var row = 0

  /// - Parameter arrays: The arrays of the channel and the array of its times, all with as many rows.
  init(_ arrays: [NPYStream], _ channel: SensorChannel) {
    (self.arrays, self.channel, rowCount) = (arrays, channel, arrays[0].rows)
    blocks = Array(repeating: [], count: arrays.reduce(0) { $0 + $1.width })
  }

  var remarks: [String] { [] }
  var progress: Double { Double(row) / Double(max(rowCount, 1)) }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let rows = row..<min(row + Self.blockSize, rowCount)
    guard !rows.isEmpty else { return false }
    try arrays.read(rows.count, into: &blocks)
    let times = blocks[blocks.count - 1]
    for index in 0..<rows.count {
      let numbers = blocks.dropLast().map { $0[index] } + [0, 0, 0]
      batch.append(
        SensorSample(
          time: times[index], channel: channel, x: numbers[0], y: numbers[1], z: numbers[2],
          w: blocks.count > 4 ? numbers[3] : 0))
    }
    row = rows.upperBound
    return true
  }
}

extension [NPYStream] {
  /// Replaces the blocks, one per column of the arrays, by those of the next rows.
  fileprivate func read(_ count: Int, into blocks: inout [[Double]]) throws(LogError) {
    var position = 0
    for array in self {
      try array.read(count, into: &blocks[position..<position + array.width])
      position += array.width
    }
  }
}
