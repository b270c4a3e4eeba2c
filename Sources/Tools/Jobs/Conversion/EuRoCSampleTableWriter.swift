internal import InertialLogs
internal import InertialNumerics
internal import InertialSensors

/// A table that writes samples as the inertial sensor of an ASL data set (Burri et al., IJRR 2016):
/// `mav0/imu0/data.csv` and `sensor.yaml`, and Kalibr's `imu.yaml`.
///
/// A row has a rate and an acceleration with the same timestamp. If the gyroscope and the accelerometer have separate
/// timestamps, the acceleration is interpolated to the gyroscope's, and this is reported. A gap has no rows.
final class EuRoCSampleTableWriter: TableWriter {
  /// The maximum time between two accelerations that are interpolated, in seconds.
  private static let maximumInterpolationInterval = 0.1
  private static let columns =
    ["x", "y", "z"].map { "w_RS_S_\($0) [rad s^-1]" } + ["x", "y", "z"].map { "a_RS_S_\($0) [m s^-2]" }

  private let folder: AtomicFolder
  private let writer: NumberTableWriter
  private let noise: InertialNoise
  private let rate: Double?
  private let metadata: DatasetMetadata
  /// The rates without a subsequent acceleration so far.
  private var pending: [(time: Double, rate: Vector3)] = []
  private var previous: (time: Double, acceleration: Vector3)?
  private var interpolatedCount = 0
  private var leftOutCount = 0
  private var isFinished = false

  init(
    output: String, noise: InertialNoise, rate: Double?, metadata: DatasetMetadata, force: Bool
  ) throws(OutputError) {
    folder = try AtomicFolder(path: output, force: force)
    let folderPath = try folder.makeFolder("mav0/imu0")
    writer = try NumberTableWriter(
      nanoseconds: folderPath + "/data.csv", columns: Self.columns, epoch: metadata.epoch)
    (self.noise, self.rate, self.metadata) = (noise, rate, metadata)
  }

  var rowCount: Int { writer.rowCount }

  /// Appends rows with a time in seconds, a rate in rad/s and an acceleration in g with Core Motion's sign; NaN means no sample.
  func append(_ rows: UnsafeBufferPointer<Double>) throws(OutputError) {
    for start in stride(from: 0, to: rows.count, by: 7) {
      let time = rows[start]
      if !rows[start + 1].isNaN { try add(time, rate: Vector3(rows[start + 1], rows[start + 2], rows[start + 3])) }
      guard !rows[start + 4].isNaN else { continue }
      let acceleration = Vector3(rows[start + 4], rows[start + 5], rows[start + 6])
      for (rateTime, rate) in pending { try pair(rateTime, rate, with: time, acceleration) }
      pending.removeAll(keepingCapacity: true)
      previous = (time, acceleration)
    }
  }

  private func add(_ time: Double, rate: Vector3) throws(OutputError) {
    if let previous, previous.time == time {
      try write(time, rate, previous.acceleration)
    } else {
      pending.append((time, rate))
    }
    // After this time, the next acceleration is too late for interpolation.
    while let first = pending.first, time - first.time > Self.maximumInterpolationInterval {
      pending.removeFirst()
      leftOutCount += 1
    }
  }

  private func pair(
    _ time: Double, _ rate: Vector3, with nextTime: Double, _ next: Vector3
  ) throws(OutputError) {
    if time == nextTime { return try write(time, rate, next) }
    guard let previous, previous.time < time, nextTime - previous.time <= Self.maximumInterpolationInterval else {
      leftOutCount += 1
      return
    }
    let fraction = (time - previous.time) / (nextTime - previous.time)
    interpolatedCount += 1
    try write(time, rate, previous.acceleration + fraction * (next - previous.acceleration))
  }

  /// Writes a row. The acceleration has the common sign: specific force, up at rest.
  private func write(_ time: Double, _ rate: Vector3, _ acceleration: Vector3) throws(OutputError) {
    let force = -standardGravity * acceleration
    try writer.append([time, rate.x, rate.y, rate.z, force.x, force.y, force.z])
  }

  func flush() throws(OutputError) { try writer.flush() }

  func finish() throws(OutputError) {
    guard !isFinished else { return }
    isFinished = true
    leftOutCount += pending.count
    pending.removeAll()
    try writer.close()
    let hertz = rate.map { "\($0)" } ?? "0"
    try folder.writeSensor(
      "imu0", type: "imu",
      comment: "made by \(DatasetMetadata.generator); axes are the device's, specific force in m/s^2",
      facts: "rate_hz: \(hertz)\n" + noise.lines, metadata)
    try folder.write(
      "# Kalibr's description of the sensor\nrostopic: /imu0\nupdate_rate: \(hertz)\n" + noise.lines, to: "imu.yaml")
  }

  func close() throws(OutputError) {
    try finish()
    try folder.commit()
  }

  /// The changes of the samples for the format, one sentence each; complete after `finish`.
  var remarks: [String] {
    var remarks: [String] = []
    if interpolatedCount > 0 {
      remarks.append(
        "acceleration was interpolated to \(interpolatedCount) timestamps of the gyroscope, as the format has one clock for both"
      )
    }
    if leftOutCount > 0 {
      remarks.append(
        "\(leftOutCount) rates were omitted, as they are not between two accelerations at most \(Self.maximumInterpolationInterval) s apart"
      )
    }
    return remarks
  }
}
