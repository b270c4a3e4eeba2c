internal import InertialFusion
internal import InertialLogs
internal import InertialRotations

/// Writes the attitudes of a dataset as a trajectory. Values that the dataset does not have are 0, such as
/// the position without a path. Rows of a path without a known position are omitted.
///
/// The format TUM (RGB-D benchmark) has text lines `timestamp tx ty tz qx qy qz qw`. The timestamp is UNIX time in
/// seconds if the log specifies its date, otherwise the log's own time. It begins at 0 if this is requested.
///
/// The format EuRoC is the estimate of an ASL data set: `mav0/state_groundtruth_estimate0/data.csv` (Burri et al., IJRR
/// 2016), with the metadata in `metadata.json`. q_RS rotates from the device (S) to the reference frame (R); b_w is the
/// gyroscope's bias. The accelerometer's bias is always 0, as readers of the layout do not accept empty fields.
final class TrajectoryTableWriter: TableWriter {
  private static let position = ["positionX", "positionY", "positionZ"]
  private static let velocity = ["velocityX", "velocityY", "velocityZ"]
  private static let bias = ["gyroscopeBiasX", "gyroscopeBiasY", "gyroscopeBiasZ"]

  /// Returns the required columns of a dataset, in order.
  ///
  /// - Parameter format: TUM or EuRoC.
  static func neededColumns(_ format: DatasetFormat, _ options: FusionOptions) -> [String] {
    var columns = ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
    if options.hasTrack { columns += position }
    guard format == .euroc else { return columns }
    return columns + (options.hasTrack ? velocity : []) + bias
  }

  private let writer: NumberTableWriter
  private let metadata: DatasetMetadata
  private let hasTrack: Bool
  /// The folder of the format EuRoC, or `nil` for TUM.
  private let folder: AtomicFolder?
  /// The UNIX time that is added to times, or `nil` if the writer adds it or it is unknown.
  private let epoch: Double?
  private let neededCount: Int
  /// The indices of a row's values in a row of the dataset; `nil` is 0.
  private let places: [Int?]
  private var row: [Double]
  private var isFinished = false

  /// Creates a table of the format TUM.
  init(
    output: String, metadata: DatasetMetadata, options: FusionOptions, force: Bool, isOverlapped: Bool
  ) throws(OutputError) {
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
    let needed = Self.neededColumns(.tum, options)
    places = (["time"] + Self.position + needed[1..<5]).map { needed.firstIndex(of: $0) }
    row = Array(repeating: 0, count: places.count)
    (self.metadata, hasTrack, folder, epoch) = (metadata, options.hasTrack, nil, metadata.epoch)
    neededCount = needed.count
  }

  /// Creates a table of the format EuRoC.
  init(output: String, metadata: DatasetMetadata, options: FusionOptions, force: Bool) throws(OutputError) {
    let folder = try AtomicFolder(path: output, force: force)
    let folderPath = try folder.makeFolder("mav0/state_groundtruth_estimate0")
    let columns =
      ["x", "y", "z"].map { "p_RS_R_\($0) [m]" } + ["w", "x", "y", "z"].map { "q_RS_\($0) []" }
      + ["x", "y", "z"].map { "v_RS_R_\($0) [m s^-1]" } + ["x", "y", "z"].map { "b_w_RS_S_\($0) [rad s^-1]" }
      + ["x", "y", "z"].map { "b_a_RS_S_\($0) [m s^-2]" }
    writer = try NumberTableWriter(nanoseconds: folderPath + "/data.csv", columns: columns, epoch: metadata.epoch)
    let needed = Self.neededColumns(.euroc, options)
    let names: [String] = ["time"] + Self.position + [needed[4]] + needed[1..<4] + Self.velocity + Self.bias
    places = names.map { needed.firstIndex(of: $0) } + [nil, nil, nil]
    row = Array(repeating: 0, count: places.count)
    (self.metadata, hasTrack, self.folder, epoch) = (metadata, options.hasTrack, folder, nil)
    neededCount = needed.count
  }

  var rowCount: Int { writer.rowCount }

  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    for start in stride(from: 0, to: rows.count, by: neededCount) {
      for (index, place) in places.enumerated() {
        if let place { row[index] = rows[start + place] }
      }
      if row[1].isNaN { continue }
      // A `Double` resolves UNIX time to a quarter of a microsecond.
      if let epoch { row[0] = ((epoch + row[0]) * 1e6).rounded() / 1e6 }
      try writer.append(row)
    }
  }

  func flush() throws(OutputError) { try writer.flush() }

  func finish() throws(OutputError) {
    guard let folder else { return try writer.finish() }
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
    guard let folder else { return try writer.close() }
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
