internal import Dispatch
internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
internal import InertialRecognition
internal import InertialRotations
internal import InertialSystem
internal import Synchronization

/// The metadata of a dataset: its origin, its inputs, and the meaning of its values. All formats use the same names.
final class DatasetMetadata: Sendable {
  /// The kind of the dataset, in a few words.
  let content: String
  let facts: [HDF5Attribute]
  let columns: [TableColumn]
  let input: String
  /// The checksum of the input, complete if `checksumGroup` is empty.
  private let checksum = Mutex<[String]>([])
  private let checksumGroup = DispatchGroup()
  /// The UNIX time of the log's time 0, if the log specifies it.
  private let logEpoch: Double?
  /// Whether the dataset's time begins at 0.
  let startsAtZero: Bool
  /// The log's time that is 0 in the dataset, in seconds, or `nil` until it is known.
  private let origin = Mutex<Double?>(nil)

  /// The UNIX time of the dataset's time 0, or `nil` if unknown.
  var epoch: Double? {
    guard startsAtZero else { return logEpoch }
    guard let logEpoch, let origin = origin.withLock({ $0 }) else { return nil }
    return logEpoch + origin
  }

  /// The log's time that is 0 in the dataset, or `nil` if it is unknown or the dataset has the log's times.
  var timeOrigin: Double? { origin.withLock { $0 } }

  /// Converts a time of the log to a time of the dataset. If the dataset begins at 0, the first time is the origin.
  func time(_ time: Double) -> Double {
    guard startsAtZero else { return time }
    return origin.withLock { origin in
      let first = origin ?? time
      origin = first
      return time - first
    }
  }

  static let generator = "inertial \(ToolVersion.current)"
  static let conventions =
    "Core Motion's units, signs and axes. Quaternions are Hamilton's, x, y, z, w, device to reference frame; "
    + "reference frames have Z up; with north, X points there and Y west. NaN = no value."

  /// Creates the metadata of a fused dataset.
  ///
  /// - Parameters:
  ///   - declination: The declination in the frame of true north.
  ///   - input: The path of the log in this process, or `nil` for the path in its description.
  convenience init(
    log: LogDescription, options: FusionOptions, declination: MagneticDeclination? = nil, needsChecksum: Bool,
    input: String? = nil
  ) {
    var placed = options
    if let declination { (placed.location, placed.date) = (declination.place, declination.year) }
    let columns = options.columns(of: log).map { column in
      TableColumn(
        name: column.name, unit: column.unit, meaning: column.meaning,
        isWhole: FusedColumn.wholeNames.contains(column.name))
    }
    self.init(
      content: "fused dataset of an inertial recording: attitude, gravity, user acceleration, rotation rate, field",
      recipe: placed.datasetFacts + (declination?.datasetFacts ?? []), columns: columns, log: log,
      startsAtZero: options.startsAtZero, needsChecksum: needsChecksum, input: input)
  }

  /// - Parameters:
  ///   - startsAtZero: Whether the dataset's time begins at 0.
  ///   - needsChecksum: Whether the complete facts will be read.
  ///   - input: The path of the log in this process, or `nil` for the path in its description.
  init(
    content: String, recipe: [HDF5Attribute], columns: [TableColumn], log: LogDescription, startsAtZero: Bool = false,
    needsChecksum: Bool = true, input: String? = nil
  ) {
    (self.content, self.columns) = (content, columns)
    self.input = log.path
    logEpoch = log.epoch
    self.startsAtZero = startsAtZero
    facts =
      [.init("columns", .texts(columns.map(\.name)))] + recipe
      + [
        .init("input", log.path), .init("inputFormat", log.format), .init("inputDescription", log.summary),
        .init("inputNotes", .texts(log.notes)),
      ]
    // Only the log reader may read standard input.
    if needsChecksum, case let path = input ?? log.path, path != "-" { startChecksum(of: path) }
  }

  /// Computes the checksum of the input, concurrently with the fusion if possible.
  private func startChecksum(of path: String) {
    @Sendable func find() {
      let found = CyclicChecksum.lines(of: path)
      checksum.withLock { $0 = found }
    }
    if BackgroundThreads.areAvailable {
      DispatchQueue.global(qos: .utility).async(group: checksumGroup) { find() }
    } else {
      find()
    }
  }

  /// Returns the names of the columns for a header, optionally followed by the unit.
  func columnNames(withUnits: Bool) -> [String] {
    columns.map { withUnits && $0.unit != "1" ? "\($0.name) [\($0.unit)]" : $0.name }
  }

  /// The indices of the columns that are never rounded: a rounded time, latitude or longitude could equal a different
  /// one.
  var exactColumns: Set<Int> {
    let names: Set<String> = ["time", "latitude", "longitude", "trackLatitude", "trackLongitude"]
    return Set(columns.indices.filter { names.contains(columns[$0].name) })
  }

  /// Returns all facts, including those known only at the end. Blocks until the checksum of the input is computed.
  func completeFacts() -> [HDF5Attribute] {
    var facts = facts
    if let epoch { facts.append(.init("epoch", epoch)) }
    if let origin = origin.withLock({ $0 }) { facts.append(.init("timeOrigin", origin)) }
    checksumGroup.wait()
    return facts + [.init("inputCRC32", .texts(checksum.withLock { $0 }))]
  }

  /// Returns the metadata as a JSON object.
  func document() -> JSONValue {
    var members: [String: JSONValue] = [
      "generator": .text(Self.generator), "conventions": .text(Self.conventions),
      "units": .object(Dictionary(columns.map { ($0.name, .text($0.unit)) }) { first, _ in first }),
      "meanings": .object(Dictionary(columns.map { ($0.name, .text($0.meaning)) }) { first, _ in first }),
    ]
    for fact in completeFacts() { members[fact.name] = JSONValue(fact.value) }
    return .object(members)
  }

  /// Returns a fact that is a string, by name, or `nil` if it is missing.
  func text(_ name: String) -> String? {
    guard case .text(let text)? = facts.first(where: { $0.name == name })?.value else { return nil }
    return text
  }

  /// Returns the metadata as JSON text.
  func json() -> String { document().text }

  /// Returns the name of the recording: the input's name without its extension.
  static func recordingName(of input: String) -> String {
    guard input != "-" else { return "standard input" }
    var name = input.split(separator: "/").last.map(String.init) ?? ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    // The names "." and ".." are invalid in HDF5, too.
    return name.allSatisfy { $0 == "." } ? "recording" : name
  }
}

extension MagneticDeclination {
  /// The declination in degrees and its origin.
  fileprivate var datasetFacts: [HDF5Attribute] {
    [
      .init("declination", degrees), .init("magneticModel", model), .init("placeOrigin", placeOrigin.rawValue),
      .init("dateOrigin", yearOrigin.rawValue),
    ]
  }
}

extension FusionOptions {
  /// The options as metadata facts.
  var datasetFacts: [HDF5Attribute] {
    let facts: [(name: String, value: HDF5Attribute.Value?)] = [
      ("frame", .text(motion.frame.name)), ("filter", .text(filter)),
      ("filterForm", .text(smooths ? "offline" : "online")), ("magneticFieldSource", .text(motion.field.rawValue)),
      ("headingOf", .text(motion.pointingAxis.rawValue)), ("outputRate", rate.map { .number($0) }),
      ("gaps", gaps.map { .text($0.rawValue) }), ("gap", gap == FusionOptions().gap ? nil : .number(gap)),
      ("isAligned", aligns ? .number(1) : nil), ("channels", channels.text.map { .text($0) }),
      ("recognitions", recognitions.isEmpty ? nil : .text(recognitions.map(\.rawValue).joined(separator: ","))),
      ("recognitionForm", recognitions.isEmpty ? nil : .text(isCausal ? "online" : "offline")),
      ("placement", placement.map { .text($0.rawValue) }), ("sound", sound.map { .text($0.text) }),
      ("latitude", location.map { .number($0.latitude) }), ("longitude", location.map { .number($0.longitude) }),
      ("altitude", location.map { .number($0.altitude) }), ("decimalYear", date.map { .number($0) }),
      ("isStrict", strict ? .number(1) : nil), ("relativeTo", relativeAttitudes?.start.datasetFact),
    ]
    return facts.compactMap { name, value in value.map { HDF5Attribute(name, $0) } } + log.datasetFacts
      + parameters.sorted { $0.key < $1.key }.map { .init("parameter.\($0.key)", $0.value) }
  }
}

extension LogOptions {
  /// The options of a log as metadata facts.
  var datasetFacts: [HDF5Attribute] {
    JSONValue(encoding: self).leaves().sorted { $0.key < $1.key }.map { .init("log.\($0.key)", $0.value) }
  }
}
