internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// The rows of a table as a dataset of BIDS-Motion (Brain Imaging Data Structure 1.9), a folder with one recording.
///
/// The first column is the time, which becomes the LATENCY channel: seconds since the first sample, whose UNIX time
/// `scans.tsv` has where it is known. NaN is n/a.
final class BIDSRowTable: TableWriter {
  static let version = "1.9.0"

  /// What kind of dataset it is.
  enum Kind: String {
    case raw, derivative
  }

  private let kind: Kind
  private let folder: AtomicFolder
  private let writer: NumberTableWriter
  private let metadata: DatasetMetadata
  private let channels: [BIDSChannel]
  private let about: DatasetAbout?
  private let frame: String?
  private let nominalRate: Double?
  private let labels: (subject: String, task: String, trackingSystem: String)
  private let timePlace: Int
  /// The folder of the recording's files, below the dataset.
  private var motionFolder: String { "sub-\(labels.subject)/motion" }
  private let stem: String
  private var first = Double.nan
  private var last = Double.nan
  private var shifted: [Double] = []
  private var isFinished = false

  /// - Parameters:
  ///   - about: what only the dataset's owner knows.
  ///   - frame: the name of the attitude's reference frame; nil where no column is in it.
  ///   - rates: rates of columns in Hz, by their names, where they are not the table's.
  ///   - nominalRate: Hz; nil = as measured.
  init(
    output: String, kind: Kind, metadata: DatasetMetadata, entities: BIDSEntities, about: DatasetAbout? = nil,
    frame: String?,
    rates: [String: Double] = [:], nominalRate: Double?, digits: Int? = nil, force: Bool, isOverlapped: Bool = true
  ) throws(FusionError) {
    guard let timePlace = metadata.columns.firstIndex(where: { $0.name == "time" }) else {
      throw .usage("bids needs the column time, which becomes its LATENCY channel; add it to --columns-out")
    }
    (self.kind, self.metadata, self.frame, self.nominalRate) = (kind, metadata, frame, nominalRate)
    self.about = about
    self.timePlace = timePlace
    channels = metadata.columns.map { column in
      var channel = BIDSChannel(column, frame: frame ?? "n/a")
      channel.rate = rates[column.name]
      return channel
    }
    labels = entities.resolved(for: metadata.input)
    stem = "sub-\(labels.subject)_task-\(labels.task)_tracksys-\(labels.trackingSystem)"
    do throws(OutputError) {
      folder = try AtomicFolder(path: output, force: force)
      let place = try folder.makeFolder("sub-\(labels.subject)/motion")
      writer = try NumberTableWriter(
        path: "\(place)/\(stem)_motion.tsv", columns: channels.map(\.name), digits: digits, exactColumns: [timePlace],
        isOverlapped: isOverlapped, style: .bids, header: "", plainColumns: [timePlace])
    } catch {
      throw FusionError(error)
    }
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    guard !rows.isEmpty else { return }
    if first.isNaN { first = rows[timePlace] }
    shifted.removeAll(keepingCapacity: true)
    shifted.append(contentsOf: rows)
    for place in stride(from: timePlace, to: shifted.count, by: channels.count) {
      last = shifted[place]
      shifted[place] -= first
    }
    try writer.append(shifted)
  }

  func flush() throws(OutputError) { try writer.flush() }

  func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    try writer.close()
    try folder.write(description.text, to: "dataset_description.json")
    try folder.write(readMe, to: "README")
    try folder.write("participant_id\nsub-\(labels.subject)\n", to: "participants.tsv")
    try folder.write(Self.sidecar("who was recorded"), to: "participants.json")
    try folder.write(
      "filename\tacq_time\nmotion/\(stem)_motion.tsv\t\(Self.dateTime(metadata.epoch.map { $0 + first }))\n",
      to: "sub-\(labels.subject)/sub-\(labels.subject)_scans.tsv")
    try folder.write(
      Self.sidecar("when the recording's first row was measured, in UTC"),
      to: "sub-\(labels.subject)/sub-\(labels.subject)_scans.json")
    let table = ([BIDSChannel.header] + channels.map(\.line)).joined(separator: "\n") + "\n"
    try folder.write(table, to: "\(motionFolder)/\(stem)_channels.tsv")
    try folder.write(frames.text, to: "\(motionFolder)/\(stem)_channels.json")
    try folder.write(recording.text, to: "\(motionFolder)/\(stem)_motion.json")
    if kind == .raw { try writeEvents() }
    try folder.prepare()
  }

  func close() throws(OutputError) {
    try finish()
    try folder.commit()
  }

  /// A task has a table of events; the log tells none that are the task's.
  private func writeEvents() throws(OutputError) {
    let name = "\(motionFolder)/sub-\(labels.subject)_task-\(labels.task)_events"
    try folder.write("onset\tduration\n", to: name + ".tsv")
    let sidecar: [String: JSONFact] = [
      "Description": .text("events of the task, for whoever knows them to fill in"),
      "StimulusPresentation": .object(["SoftwareName": .text("n/a")]),
    ]
    try folder.write(JSONFact.object(sidecar).text, to: name + ".json")
  }

  // MARK: Descriptions

  private var description: JSONFact {
    let own: [String: JSONFact] = [
      "Name": .text(DatasetMetadata.recordingName(of: metadata.input)), "BIDSVersion": .text(Self.version),
      "DatasetType": .text(kind.rawValue),
      "GeneratedBy": .list([
        .object([
          "Name": .text("Inertial"), "Version": .text(ToolVersion.current), "Description": .text(metadata.content),
        ])
      ]),
    ]
    return .object(own.merging(about?.bidsMembers ?? [:]) { $1 })
  }

  /// What a table is, for its file of descriptions.
  private static func sidecar(_ description: String) -> String {
    JSONFact.object(["Description": .text(description)]).text
  }

  /// What BIDS asks of a raw recording and a log does not tell: whoever shares the dataset fills it in.
  private static let unknown = [
    "DeviceSerialNumber", "Manufacturer", "ManufacturersModelName", "InstitutionName", "InstitutionAddress",
    "InstitutionalDepartmentName", "TaskDescription", "Instructions", "SubjectArtefactDescription",
  ]

  private var readMe: String {
    """
    Made by \(DatasetMetadata.generator) of \(metadata.input): \(metadata.content).
    \(DatasetMetadata.conventions)

    """
  }

  private var recording: JSONFact {
    let duration = last - first
    let effective = rowCount > 1 && duration > 0 ? Double(rowCount - 1) / duration : nil
    let rate = nominalRate ?? effective
    var members: [String: JSONFact] = [
      "TaskName": .text(labels.task), "TrackingSystemName": .text(labels.trackingSystem),
      "SamplingFrequency": rate.map(JSONFact.number) ?? .text("n/a"),
      "SamplingFrequencyEffective": effective.map(JSONFact.number) ?? .text("n/a"),
      "RecordingDuration": duration.isFinite ? .number(duration) : .number(0),
      "MotionChannelCount": .count(channels.count), "TrackedPointsCount": .count(1), "MissingValues": .text("n/a"),
      "SoftwareVersions": .text(DatasetMetadata.generator), "InertialMetadata": metadata.document(),
      "Description": .text(metadata.content),
    ]
    if kind == .raw { for key in Self.unknown { members[key] = .text("n/a") } }
    for type in ["ACCEL", "ANGACCEL", "GYRO", "JNTANG", "MAGN", "ORNT", "POS", "VEL", "LATENCY", "MISC"] {
      members[type + "ChannelCount"] = .count(channels.count { $0.type == type })
    }
    return .object(members)
  }

  /// Core Motion's angles are intrinsic Z-X'-Y'', and so extrinsic Y, X, Z.
  private var frames: JSONFact {
    var levels: [String: JSONFact] = [
      BIDSChannel.deviceFrame: .object([
        "RotationRule": .text("right-hand"),
        "Description": .text(
          "axes of the device: X to its right edge, Y to its top edge, Z out of its screen; accelerations have Core "
            + "Motion's sign, (0, 0, -1) g at rest face up"),
      ])
    ]
    if let frame {
      levels[frame] = .object([
        "SpatialAxes": .text("ALS"), "RotationOrder": .text("YXZ"), "RotationRule": .text("right-hand"),
        "Description": .text(
          "Core Motion's frame \(frame): Z up; X to north and Y to the west where the frame has a north, else X as at "
            + "the start; quaternions and angles turn from the device to this frame"),
      ])
    }
    return .object([
      "Description": .text("the columns of the recording's table, in their order"),
      "reference_frame": .object(["Levels": .object(levels)]),
    ])
  }

  /// UNIX time as BIDS writes it, in UTC with microseconds; n/a where it is not known.
  static func dateTime(_ time: Double?) -> String {
    // Up to the year 9999.
    guard let time, (0..<253_402_300_799).contains(time) else { return "n/a" }
    let microseconds = Int64((time * 1e6).rounded())
    let date = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
    let whole = date.formatted(.iso8601)
    let fraction = String(microseconds % 1_000_000)
    return "\(whole.dropLast()).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
  }
}
