internal import InertialEssentials
internal import InertialLogs
internal import InertialSystem

/// Writes a dataset of BIDS-Motion (Brain Imaging Data Structure 1.9), a folder with one recording.
///
/// The column `time` becomes the LATENCY channel: seconds since the first sample, whose UNIX time is in `scans.tsv` if
/// known. NaN is n/a.
final class BIDSTableWriter: TableWriter {
  static let version = "1.9.0"

  private let isRaw: Bool
  private let folder: AtomicFolder
  private let writer: NumberTableWriter
  private let metadata: DatasetMetadata
  /// The rows of `*_channels.tsv`, one for each column.
  private let channels: [(name: String, type: String, line: String)]
  private let about: DatasetAbout?
  private let frame: String?
  private let nominalRate: Double?
  private let labels: (subject: String, task: String, trackingSystem: String)
  private let timePlace: Int
  /// The path of the folder with the recording's files, relative to the dataset.
  private var motionFolder: String { "sub-\(labels.subject)/motion" }
  private let stem: String
  private var first = Double.nan
  private var last = Double.nan
  private var shifted: [Double] = []
  private var isFinished = false

  /// - Parameters:
  ///   - isRaw: Whether the dataset has the samples of sensors, otherwise a derivative.
  ///   - metadata: The metadata of the dataset. Its columns include the time.
  ///   - about: Facts that only the dataset's owner knows.
  ///   - frame: The name of the attitude's reference frame, or `nil` if no column uses it.
  ///   - rates: The rates of columns in Hz, by name, if they differ from the table's rate.
  ///   - nominalRate: The nominal rate in Hz, or `nil` for the measured rate.
  init(
    output: String, isRaw: Bool, metadata: DatasetMetadata, entities: BIDSEntities, about: DatasetAbout? = nil,
    frame: String?, rates: [String: Double] = [:], nominalRate: Double?, digits: Int = 17, force: Bool,
    isOverlapped: Bool = true
  ) throws(OutputError) {
    guard let timePlace = metadata.columns.firstIndex(where: { $0.name == "time" }) else {
      preconditionFailure("bids needs the column time")
    }
    (self.isRaw, self.metadata, self.frame, self.nominalRate) = (isRaw, metadata, frame, nominalRate)
    (self.about, self.timePlace) = (about, timePlace)
    channels = metadata.columns.map { $0.bidsChannel(frame: frame ?? "n/a", rate: rates[$0.name]) }
    labels = entities.resolved(for: metadata.input)
    stem = "sub-\(labels.subject)_task-\(labels.task)_tracksys-\(labels.trackingSystem)"
    folder = try AtomicFolder(path: output, force: force)
    let folderPath = try folder.makeFolder("sub-\(labels.subject)/motion")
    writer = try NumberTableWriter(
      path: "\(folderPath)/\(stem)_motion.tsv", columns: channels.map(\.name), digits: digits,
      exactColumns: metadata.exactColumns, isOverlapped: isOverlapped, style: .bids, header: "",
      plainColumns: [timePlace])
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    guard !rows.isEmpty else { return }
    if first.isNaN { first = rows[timePlace] }
    shifted.removeAll(keepingCapacity: true)
    shifted.append(contentsOf: rows)
    for folderPath in stride(from: timePlace, to: shifted.count, by: channels.count) {
      last = shifted[folderPath]
      shifted[folderPath] -= first
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
    try folder.write(Self.sidecar("the recorded participants"), to: "participants.json")
    try folder.write(
      "filename\tacq_time\nmotion/\(stem)_motion.tsv\t\(Self.dateTime(metadata.epoch.map { $0 + first }))\n",
      to: "sub-\(labels.subject)/sub-\(labels.subject)_scans.tsv")
    try folder.write(
      Self.sidecar("the time of the recording's first row, in UTC"),
      to: "sub-\(labels.subject)/sub-\(labels.subject)_scans.json")
    let table = ([TableColumn.bidsHeader] + channels.map(\.line)).joined(separator: "\n") + "\n"
    try folder.write(table, to: "\(motionFolder)/\(stem)_channels.tsv")
    try folder.write(frames.text, to: "\(motionFolder)/\(stem)_channels.json")
    try folder.write(recording.text, to: "\(motionFolder)/\(stem)_motion.json")
    if isRaw { try writeEvents() }
    try folder.prepare()
  }

  func close() throws(OutputError) {
    try finish()
    try folder.commit()
  }

  /// Writes the table of events that a task requires. It is empty, as the log contains no events of the task.
  private func writeEvents() throws(OutputError) {
    let name = "\(motionFolder)/sub-\(labels.subject)_task-\(labels.task)_events"
    try folder.write("onset\tduration\n", to: name + ".tsv")
    let sidecar: [String: JSONValue] = [
      "Description": .text("events of the task, to be filled in by the experimenter"),
      "StimulusPresentation": .object(["SoftwareName": .text("n/a")]),
    ]
    try folder.write(JSONValue.object(sidecar).text, to: name + ".json")
  }

  // MARK: Descriptions

  private var description: JSONValue {
    let own: [String: JSONValue] = [
      "Name": .text(DatasetMetadata.recordingName(of: metadata.input)), "BIDSVersion": .text(Self.version),
      "DatasetType": .text(isRaw ? "raw" : "derivative"),
      "GeneratedBy": .list([
        .object([
          "Name": .text("Inertial"), "Version": .text(ToolVersion.current), "Description": .text(metadata.content),
        ])
      ]),
    ]
    return .object(own.merging(about?.bidsMembers ?? [:]) { $1 })
  }

  /// Returns the content of a table's description file.
  private static func sidecar(_ description: String) -> String {
    JSONValue.object(["Description": .text(description)]).text
  }

  /// The properties that BIDS requires for raw recordings and that a log does not contain. The dataset's owner adds
  /// them.
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

  private var recording: JSONValue {
    let duration = last - first
    let effective = rowCount > 1 && duration > 0 ? Double(rowCount - 1) / duration : nil
    let rate = nominalRate ?? effective
    var members: [String: JSONValue] = [
      "TaskName": .text(labels.task), "TrackingSystemName": .text(labels.trackingSystem),
      "SamplingFrequency": rate.map(JSONValue.number) ?? .text("n/a"),
      "SamplingFrequencyEffective": effective.map(JSONValue.number) ?? .text("n/a"),
      "RecordingDuration": duration.isFinite ? .number(duration) : .number(0),
      "MotionChannelCount": .count(channels.count), "TrackedPointsCount": .count(1), "MissingValues": .text("n/a"),
      "SoftwareVersions": .text(DatasetMetadata.generator), "InertialMetadata": metadata.document(),
      "Description": .text(metadata.content),
    ]
    if isRaw { for key in Self.unknown { members[key] = .text("n/a") } }
    for type in ["ACCEL", "ANGACCEL", "GYRO", "JNTANG", "MAGN", "ORNT", "POS", "VEL", "LATENCY", "MISC"] {
      members[type + "ChannelCount"] = .count(channels.count { $0.type == type })
    }
    return .object(members)
  }

  /// The reference frames. Core Motion's angles are intrinsic Z-X'-Y'', which equals extrinsic Y, X, Z.
  private var frames: JSONValue {
    var levels: [String: JSONValue] = [
      TableColumn.bidsDeviceFrame: .object([
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
          "Core Motion's frame \(frame): Z up; X north and Y west if the frame is referenced to north, otherwise X as "
            + "at the start; quaternions and angles rotate from the device to this frame"),
      ])
    }
    return .object([
      "Description": .text("the columns of the recording's table, in their order"),
      "reference_frame": .object(["Levels": .object(levels)]),
    ])
  }

  /// Returns a UNIX time in BIDS style, in UTC with microseconds, or n/a if it is unknown.
  static func dateTime(_ time: Double?) -> String {
    // The limit is the end of the year 9999.
    guard let time, (0..<253_402_300_799).contains(time) else { return "n/a" }
    let microseconds = Int64((time * 1e6).rounded())
    let date = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
    let whole = date.formatted(.iso8601)
    let fraction = String(microseconds % 1_000_000)
    return "\(whole.dropLast()).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
  }
}
