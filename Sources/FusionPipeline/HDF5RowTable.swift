internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import Dispatch
internal import MotionLogs
internal import Rotations
internal import Synchronization

/// The rows of a fused dataset in an HDF5 file: a group by the recording's name, a dataset by each column's name.
///
/// The group's attributes say what the dataset was made of and how; a dataset's attributes are its unit and meaning.
final class HDF5RowTable: TableWriter {
  private let writer: HDF5TableWriter
  private let facts: [HDF5Attribute]
  private let checksum: InputChecksumTask

  init(output: String, input: String, log: LogDescription, options: FusionOptions) throws(FusionError) {
    guard output != "-" else { throw Self.standardOutput }
    guard options.digits == nil else {
      throw .usage("--digits is for text: HDF5 keeps every number as it is; leave it out")
    }
    let columns = options.columns(of: log).map { column in
      HDF5TableWriter.Column(
        name: column.name, attributes: [.init("unit", column.unit), .init("meaning", column.meaning)])
    }
    do throws(OutputError) {
      writer = try HDF5TableWriter(
        path: output, group: Self.groupName(of: input), columns: columns, force: options.force)
    } catch {
      throw FusionError(error)
    }
    facts = Self.facts(log: log, options: options)
    checksum = InputChecksumTask(path: input)
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) { try writer.append(rows) }

  func flush() throws(OutputError) { try writer.flush() }

  func close() throws(OutputError) {
    try writer.describe(file: Self.fileFacts, group: facts + [.init("inputCRC32", .texts(checksum.value()))])
    try writer.close()
  }

  private static let standardOutput = FusionError.usage(
    "HDF5 cannot be written to standard output; give a file with -o FILE.h5, or --format csv")

  /// The recording's name: that of the input without what follows its last dot.
  static func groupName(of input: String) -> String {
    guard input != "-" else { return "standard input" }
    var name = input.split(separator: "/").last.map(String.init) ?? ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    // "." and ".." are no names in HDF5 either.
    return name.allSatisfy { $0 == "." } ? "recording" : name
  }

  // MARK: Facts

  private static let fileFacts: [HDF5Attribute] = [
    .init("content", "fused datasets of inertial recordings: a group for each, a dataset for each column"),
    .init("generator", "inertial \(ToolVersion.current)"),
    .init(
      "conventions",
      "Core Motion's units, signs and axes. Quaternions are Hamilton's, x, y, z, w, device to reference frame; "
        + "reference frames have Z up; with north, X points there and Y west. NaN = no value."),
  ]

  private static func facts(log: LogDescription, options: FusionOptions) -> [HDF5Attribute] {
    var facts: [HDF5Attribute] = [
      .init("columns", .texts(options.columns(of: log).map(\.name))),
      .init("frame", options.motion.frame.name),
      .init("filter", options.filter),
      .init("filterForm", options.smooths ? "offline" : "online"),
      .init("magneticFieldSource", options.motion.field.rawValue),
      .init("input", log.path), .init("inputFormat", log.format), .init("inputDescription", log.summary),
      .init("inputNotes", .texts(log.notes)),
    ]
    if let epoch = log.epoch { facts.append(.init("epoch", epoch)) }
    if let rate = options.rate { facts.append(.init("outputRate", rate)) }
    if let gaps = options.gaps { facts.append(.init("gaps", gaps.rawValue)) }
    facts.append(.init("gap", options.gap))
    if let location = options.location {
      facts += [
        .init("latitude", location.latitude), .init("longitude", location.longitude),
        .init("altitude", location.altitude),
      ]
    }
    if let date = options.date { facts.append(.init("decimalYear", date)) }
    let parameters = FilterKind.named(options.filter)?.values(options.filterSettings, smoothing: options.smooths) ?? [:]
    facts += parameters.sorted { $0.key < $1.key }.map { .init("parameter.\($0.key)", $0.value) }
    return facts
  }
}

/// An input's checksum, worked out beside the fusion.
private final class InputChecksumTask: Sendable {
  private let lines = Mutex<[String]>([])
  private let group = DispatchGroup()

  init(path: String) {
    DispatchQueue.global(qos: .utility).async(group: group) { [self] in
      let found = InputChecksum.lines(path: path)
      lines.withLock { $0 = found }
    }
  }

  /// Waits for it.
  func value() -> [String] {
    group.wait()
    return lines.withLock { $0 }
  }
}
