internal import InertialFusion
internal import InertialLogs
internal import InertialRotations

/// A table that writes the attitudes of a dataset as a trajectory of the TUM RGB-D benchmark, in text lines `timestamp
/// tx ty tz qx qy qz qw`. The position is 0 without a path.
///
/// The timestamp is UNIX time in seconds if the log specifies its date, otherwise the log's own time. It begins at 0 if
/// this is requested.
final class TUMRowTable: TableWriter {
  /// Returns the required columns of a dataset, in order.
  static func neededColumns(_ options: FusionOptions) -> [String] {
    ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
      + (options.hasTrack ? ["positionX", "positionY", "positionZ"] : [])
  }

  private let writer: NumberTableWriter
  private let epoch: Double?
  private let count: Int
  private var row = [Double](repeating: 0, count: 8)

  init(
    output: String, metadata: DatasetMetadata, options: FusionOptions, force: Bool, isOverlapped: Bool
  ) throws(OutputError) {
    epoch = metadata.epoch
    count = Self.neededColumns(options).count
    let header = [
      "made by \(DatasetMetadata.generator), filter \(options.filter), frame \(options.motion.frame.name)",
      options.hasTrack
        ? "pose of the device in a frame with Z up; rows without a known position are omitted"
        : "orientation of the device in a frame with Z up; position is not estimated: tx ty tz are 0",
      metadata.startsAtZero
        ? "timestamp: seconds since the first row"
        : metadata.epoch == nil
          ? "timestamp: seconds on the log's clock" : "timestamp: UNIX time, seconds, to a microsecond",
      "timestamp tx ty tz qx qy qz qw",
    ].map { "# \($0)\n" }.joined()
    writer = try NumberTableWriter(
      path: output, columns: ["timestamp", "tx", "ty", "tz", "qx", "qy", "qz", "qw"], digits: options.digits,
      exactColumns: [0], force: force, isOverlapped: isOverlapped, style: .spaced, header: header, plainColumns: [0])
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    for start in stride(from: 0, to: rows.count, by: count) {
      if count > 5 {
        (row[1], row[2], row[3]) = (rows[start + 5], rows[start + 6], rows[start + 7])
        if row[1].isNaN { continue }
      }
      // A `Double` resolves UNIX time to a quarter of a microsecond.
      row[0] = epoch.map { (($0 + rows[start]) * 1e6).rounded() / 1e6 } ?? rows[start]
      for index in 1..<5 { row[3 + index] = rows[start + index] }
      try writer.append(row)
    }
  }

  func flush() throws(OutputError) { try writer.flush() }
  func finish() throws(OutputError) { try writer.finish() }
  func close() throws(OutputError) { try writer.close() }
}

/// A table that writes the attitudes of a dataset as the estimate of an ASL data set:
/// `mav0/state_groundtruth_estimate0/data.csv` (Burri et al., IJRR 2016), with the metadata in `metadata.json`.
///
/// q_RS rotates from the device (S) to the reference frame (R); b_w is the gyroscope's bias. Position and velocity are
/// 0 without a path. The accelerometer's bias is always 0, as readers of the layout do not accept empty fields.
final class EuRoCRowTable: TableWriter {
  /// Returns the required columns of a dataset, in order.
  static func neededColumns(_ options: FusionOptions) -> [String] {
    TUMRowTable.neededColumns(options) + (options.hasTrack ? ["velocityX", "velocityY", "velocityZ"] : [])
      + ["gyroscopeBiasX", "gyroscopeBiasY", "gyroscopeBiasZ"]
  }

  private static let columns =
    ["x", "y", "z"].map { "p_RS_R_\($0) [m]" } + ["w", "x", "y", "z"].map { "q_RS_\($0) []" }
    + ["x", "y", "z"].map { "v_RS_R_\($0) [m s^-1]" } + ["x", "y", "z"].map { "b_w_RS_S_\($0) [rad s^-1]" }
    + ["x", "y", "z"].map { "b_a_RS_S_\($0) [m s^-2]" }

  private let folder: AtomicFolder
  private let writer: NumberTableWriter
  private let metadata: DatasetMetadata
  private let hasTrack: Bool
  private var row = [Double](repeating: 0, count: EuRoCRowTable.columns.count)
  private var isFinished = false

  init(output: String, metadata: DatasetMetadata, options: FusionOptions, force: Bool) throws(OutputError) {
    hasTrack = options.hasTrack
    folder = try AtomicFolder(path: output, force: force)
    let folderPath = try folder.makeFolder("mav0/state_groundtruth_estimate0")
    writer = try NumberTableWriter(
      nanoseconds: folderPath + "/data.csv", columns: Self.columns, epoch: metadata.epoch)
    self.metadata = metadata
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    let count = hasTrack ? 14 : 8
    for start in stride(from: 0, to: rows.count, by: count) {
      (row[3], row[4], row[5], row[6]) = (rows[start + 4], rows[start + 1], rows[start + 2], rows[start + 3])
      if hasTrack {
        for axis in 0..<3 { (row[axis], row[7 + axis]) = (rows[start + 5 + axis], rows[start + 8 + axis]) }
        if row[0].isNaN { continue }
      }
      for axis in 0..<3 { row[10 + axis] = rows[start + count - 3 + axis] }
      try writer.append([rows[start]] + row)
    }
  }

  func flush() throws(OutputError) { try writer.flush() }

  func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    try writer.close()
    let unknown = hasTrack ? "" : "position, velocity and "
    try folder.writeSensor(
      "state_groundtruth_estimate0", type: "visual-inertial",
      comment: "by \(DatasetMetadata.generator); \(unknown)accelerometer bias not estimated: 0", metadata)
    try folder.prepare()
  }

  func close() throws(OutputError) {
    try finish()
    try folder.commit()
  }
}

extension AtomicFolder {
  /// Writes the description of a sensor of an ASL data set, `sensor.yaml`, and the metadata of the dataset.
  ///
  /// - Parameters:
  ///   - name: The name of the sensor's folder.
  ///   - facts: Further lines of the description, with their line ends.
  func writeSensor(
    _ name: String, type: String, comment: String, facts: String = "", _ metadata: DatasetMetadata
  ) throws(OutputError) {
    try write(
      """
      sensor_type: \(type)
      comment: \(comment)
      T_BS:
        cols: 4
        rows: 4
        data: [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]

      """ + facts, to: "mav0/\(name)/sensor.yaml")
    try write(metadata.json(), to: "metadata.json")
  }
}
