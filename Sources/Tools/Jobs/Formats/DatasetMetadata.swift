internal import Dispatch
internal import InertialFusion
internal import InertialLogs
internal import InertialNumerics
internal import InertialRecognition
internal import InertialRotations
internal import InertialSystem
internal import Synchronization

/// What a dataset says of itself: how it was made, of what, and what its numbers mean. Every format takes it from here,
/// by the same names.
final class DatasetMetadata: Sendable {
  /// A column of the dataset.
  struct Column: Sendable {
    var name: String
    var unit: String
    var meaning: String
  }

  /// What kind of dataset it is, in a few words.
  let content: String
  let facts: [HDF5Attribute]
  let columns: [Column]
  let input: String
  private let checksum: InputChecksumTask
  /// UNIX time of the log's time 0, where it says.
  private let logEpoch: Double?
  /// Whether the dataset's time begins at 0.
  let startsAtZero: Bool
  /// The log's time that is 0 in the dataset, seconds; nil as long as it is not known.
  private let origin = Mutex<Double?>(nil)

  /// UNIX time of the dataset's time 0, where that is known.
  var epoch: Double? {
    guard startsAtZero else { return logEpoch }
    guard let logEpoch, let origin = origin.withLock({ $0 }) else { return nil }
    return logEpoch + origin
  }

  /// The log's time that is 0 in the dataset; nil where that is not known, or none is.
  var timeOrigin: Double? { origin.withLock { $0 } }

  /// Takes a time of the log, where it is the first one of a dataset that begins at 0, and gives that of the dataset.
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

  /// Of a fused dataset.
  ///
  /// - Parameters:
  ///   - declination: in the frame of true north.
  ///   - input: the log's path in this process; nil for the one in its description.
  convenience init(
    log: LogDescription, options: FusionOptions, declination: MagneticDeclination? = nil, needsChecksum: Bool,
    input: String? = nil
  ) {
    var placed = options
    if let declination { (placed.location, placed.date) = (declination.place, declination.year) }
    let columns = options.columns(of: log).map { Column(name: $0.name, unit: $0.unit, meaning: $0.meaning) }
    self.init(
      content: "fused dataset of an inertial recording: attitude, gravity, user acceleration, rotation rate, field",
      recipe: placed.datasetFacts + (declination?.datasetFacts ?? []), columns: columns, log: log,
      startsAtZero: options.startsAtZero, needsChecksum: needsChecksum, input: input)
  }

  /// - Parameters:
  ///   - startsAtZero: whether the dataset's time begins at 0.
  ///   - needsChecksum: whether anybody will ask for the complete facts.
  ///   - input: the log's path in this process; nil for the one in its description.
  init(
    content: String, recipe: [HDF5Attribute], columns: [Column], log: LogDescription, startsAtZero: Bool = false,
    needsChecksum: Bool = true, input: String? = nil
  ) {
    self.content = content
    self.columns = columns
    self.input = log.path
    logEpoch = log.epoch
    self.startsAtZero = startsAtZero
    checksum = InputChecksumTask(path: needsChecksum ? input ?? log.path : nil)
    facts =
      [.init("columns", .texts(columns.map(\.name)))] + recipe
      + [
        .init("input", log.path), .init("inputFormat", log.format), .init("inputDescription", log.summary),
        .init("inputNotes", .texts(log.notes)),
      ]
  }

  /// The columns' names as a header has them, with the unit behind each that has one where that is asked for.
  func columnNames(withUnits: Bool) -> [String] {
    columns.map { withUnits && $0.unit != "1" ? "\($0.name) [\($0.unit)]" : $0.name }
  }

  /// The facts, with those that are known at the end, and the checksum of the input, which is waited for.
  func completeFacts() -> [HDF5Attribute] {
    var facts = facts
    if let epoch { facts.append(.init("epoch", epoch)) }
    if let origin = origin.withLock({ $0 }) { facts.append(.init("timeOrigin", origin)) }
    return facts + [.init("inputCRC32", .texts(checksum.value()))]
  }

  /// All of it by name, for JSON.
  func document() -> JSONFact {
    var members: [String: JSONFact] = [
      "generator": .text(Self.generator), "conventions": .text(Self.conventions),
      "units": .object(Dictionary(columns.map { ($0.name, .text($0.unit)) }) { first, _ in first }),
      "meanings": .object(Dictionary(columns.map { ($0.name, .text($0.meaning)) }) { first, _ in first }),
    ]
    for fact in completeFacts() { members[fact.name] = JSONFact(fact.value) }
    return .object(members)
  }

  /// A fact that is a text, by its name; nil where there is none.
  func text(_ name: String) -> String? {
    guard case .text(let text)? = facts.first(where: { $0.name == name }).map({ JSONFact($0.value) }) else {
      return nil
    }
    return text
  }

  /// The same as text.
  func json() -> String { document().text }

  /// The recording's name: that of the input without what follows its last dot.
  static func recordingName(of input: String) -> String {
    guard input != "-" else { return "standard input" }
    var name = input.split(separator: "/").last.map(String.init) ?? ""
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
    // "." and ".." are no names in HDF5 either.
    return name.allSatisfy { $0 == "." } ? "recording" : name
  }
}

extension MagneticDeclination {
  /// Degrees, and where it comes from.
  fileprivate var datasetFacts: [HDF5Attribute] {
    [
      .init("declination", degrees), .init("magneticModel", model), .init("placeOrigin", placeOrigin.rawValue),
      .init("dateOrigin", yearOrigin.rawValue),
    ]
  }
}

extension FusionOptions {
  /// What a dataset says of how it was made.
  var datasetFacts: [HDF5Attribute] {
    var facts: [HDF5Attribute] = [
      .init("frame", motion.frame.name), .init("filter", filter), .init("filterForm", smooths ? "offline" : "online"),
      .init("magneticFieldSource", motion.field.rawValue), .init("headingOf", motion.pointingAxis.rawValue),
    ]
    if let rate { facts.append(.init("outputRate", rate)) }
    if let gaps { facts.append(.init("gaps", gaps.rawValue)) }
    if gap != FusionOptions().gap { facts.append(.init("gap", gap)) }
    if aligns { facts.append(.init("isAligned", 1)) }
    if let channels = channels.text { facts.append(.init("channels", channels)) }
    if !recognitions.isEmpty {
      facts.append(.init("recognitions", recognitions.map(\.rawValue).joined(separator: ",")))
    }
    if let placement { facts.append(.init("placement", placement.rawValue)) }
    if let sound { facts.append(.init("sound", sound.text)) }
    if let location {
      facts += [
        .init("latitude", location.latitude), .init("longitude", location.longitude),
        .init("altitude", location.altitude),
      ]
    }
    if let date { facts.append(.init("decimalYear", date)) }
    if strict { facts.append(.init("isStrict", 1)) }
    facts += log.datasetFacts
    return facts + parameters.sorted { $0.key < $1.key }.map { .init("parameter.\($0.key)", $0.value) }
  }
}

extension LogOptions {
  /// What was said of a log, as facts of what is made of it.
  var datasetFacts: [HDF5Attribute] {
    JSONFact(encoding: self).leaves().sorted { $0.key < $1.key }.map { .init("log.\($0.key)", $0.value) }
  }
}

/// An input's checksum, worked out beside the fusion.
private final class InputChecksumTask: Sendable {
  private let lines = Mutex<[String]>([])
  private let group = DispatchGroup()

  init(path: String?) {
    // What comes by standard input is the reader's alone.
    guard let path, path != "-" else { return }
    @Sendable func find() {
      let found = InputChecksum.lines(path: path)
      lines.withLock { $0 = found }
    }
    if BackgroundThreads.areAvailable {
      DispatchQueue.global(qos: .utility).async(group: group) { find() }
    } else {
      find()
    }
  }

  /// Waits for it.
  func value() -> [String] {
    group.wait()
    return lines.withLock { $0 }
  }
}
