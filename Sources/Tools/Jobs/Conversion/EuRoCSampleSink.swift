internal import InertialLogs
internal import InertialNumerics
internal import InertialSensors

/// A sink that writes samples as the inertial sensor of an ASL data set (Burri et al., IJRR 2016): `mav0/imu0/data.csv`
/// and `sensor.yaml`, and Kalibr's `imu.yaml`.
///
/// A row has a rate and an acceleration with the same timestamp. If the gyroscope and the accelerometer have separate
/// timestamps, the acceleration is interpolated to the gyroscope's, and this is reported. A gap has no rows.
final class EuRoCSampleSink: SampleSink {
  /// The maximum time between two accelerations that are interpolated, in seconds.
  private static let maximumInterpolationInterval = 0.1
  private static let columns =
    ["x", "y", "z"].map { "w_RS_S_\($0) [rad s^-1]" } + ["x", "y", "z"].map { "a_RS_S_\($0) [m s^-2]" }

  private let folder: AtomicFolder
  private let writer: NanosecondTableWriter
  private let noise: InertialNoise
  private let rate: Double?
  private let metadata: DatasetMetadata
  /// The rates without a subsequent acceleration so far.
  private var pending: [SensorSample] = []
  private var previous: SensorSample?
  private var interpolatedCount = 0
  private var leftOutCount = 0

  init(
    output: String, noise: InertialNoise, rate: Double?, metadata: DatasetMetadata, force: Bool
  ) throws(OutputError) {
    folder = try AtomicFolder(path: output, force: force)
    let folderPath = try folder.makeFolder("mav0/imu0")
    writer = try NanosecondTableWriter(path: folderPath + "/data.csv", columns: Self.columns, epoch: metadata.epoch)
    (self.noise, self.rate, self.metadata) = (noise, rate, metadata)
  }

  func append(_ sample: SensorSample) throws(OutputError) {
    switch sample.channel {
    case .gyroscope:
      if let previous, previous.time == sample.time {
        try write(sample, previous.vector)
      } else {
        pending.append(sample)
      }
      // After this time, the next acceleration is too late for interpolation.
      while let first = pending.first, sample.time - first.time > Self.maximumInterpolationInterval {
        pending.removeFirst()
        leftOutCount += 1
      }
    case .accelerometer:
      for rate in pending { try pair(rate, with: sample) }
      pending.removeAll(keepingCapacity: true)
      previous = sample
    default: break
    }
  }

  private func pair(_ rate: SensorSample, with next: SensorSample) throws(OutputError) {
    if rate.time == next.time { return try write(rate, next.vector) }
    guard let previous, previous.time < rate.time, next.time - previous.time <= Self.maximumInterpolationInterval else {
      leftOutCount += 1
      return
    }
    let fraction = (rate.time - previous.time) / (next.time - previous.time)
    interpolatedCount += 1
    try write(rate, previous.vector + fraction * (next.vector - previous.vector))
  }

  /// Writes a row. The acceleration has the common sign: specific force, up at rest.
  private func write(_ rate: SensorSample, _ acceleration: Vector3) throws(OutputError) {
    let force = -standardGravity * acceleration
    try writer.append(time: rate.time, [rate.x, rate.y, rate.z, force.x, force.y, force.z])
  }

  func close() throws(OutputError) -> [String] {
    leftOutCount += pending.count
    pending.removeAll()
    try writer.close()
    let hertz = rate.map { "\($0)" } ?? "0"
    try folder.write(
      """
      sensor_type: imu
      comment: made by \(DatasetMetadata.generator); axes are the device's, specific force in m/s^2
      T_BS:
        cols: 4
        rows: 4
        data: [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
      rate_hz: \(hertz)

      """ + noise.lines, to: "mav0/imu0/sensor.yaml")
    try folder.write(
      "# Kalibr's description of the sensor\nrostopic: /imu0\nupdate_rate: \(hertz)\n" + noise.lines, to: "imu.yaml")
    try folder.write(metadata.json(), to: "metadata.json")
    try folder.commit()
    return remarks
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if interpolatedCount > 0 {
      remarks.append(
        "acceleration was interpolated to \(interpolatedCount) timestamps of the gyroscope, as the format has one clock for both"
      )
    }
    if leftOutCount > 0 {
      remarks.append(
        "\(leftOutCount) rates were omitted, as there is no acceleration within \(Self.maximumInterpolationInterval) s of them"
      )
    }
    return remarks
  }
}
