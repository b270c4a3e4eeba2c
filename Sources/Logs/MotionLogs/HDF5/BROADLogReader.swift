package import InertialSensors

#if HDF5
  /// Reads an HDF5 recording of BROAD, the Berlin Robust Orientation Estimation Assessment Dataset (Laidig et al.,
  /// "BROAD", Data 6(7), 2021).
  ///
  /// The root contains datasets with one row per sample: `imu_acc` (m/s², specific force) and `imu_gyr` (rad/s), and
  /// optionally `imu_mag` (µT), `opt_quat` (w, x, y, z; sensor to ENU; NaN if not tracked) and `movement` (boolean).
  /// The attribute `sampling_rate` is in Hz. Row i has the time i / sampling_rate, in seconds.
  ///
  /// Rows are read in blocks, so memory does not grow with the length of the recording. It holds one row of the file's
  /// chunks, which is a whole dataset in the published files.
  package struct BROADLogReader: LogReader {
    package private(set) var description: LogDescription
    package private(set) var emptyCounts: [SensorChannel: Int] = [:]

    /// The number of rows read together.
    private static let blockSize = 1024

    private let acceleration: HDF5Dataset
    private let rotation: HDF5Dataset
    private let field: HDF5Dataset?
    private let reference: HDF5Dataset?
    private let movement: HDF5Dataset?
    private let rate: Double
    /// The factor from the file's unit and sign to g with Core Motion's sign.
    private let accelerationScale: Double
    private let rotationScale: Double
    private var row = 0
    private var block = Block()

    private struct Block {
      var acceleration: [Double] = []
      var rotation: [Double] = []
      var field: [Double] = []
      var reference: [Double] = []
      var movement: [Double] = []
    }

    /// Opens a recording. Units, signs and the rate are the format's unless the options specify otherwise.
    package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
      let size = try HDF5Signature.checkedSize(path: path)
      try HDF5Structure.check(
        path: path, size: size, datasets: ["imu_acc", "imu_gyr", "imu_mag", "opt_quat", "movement"])
      self = try HDF5Library.exclusively { () throws(LogError) in
        try BROADLogReader(file: HDF5File(path: path, size: size), options: options)
      }
    }

    private init(file: HDF5File, options: LogOptions) throws(LogError) {
      func optional(_ name: String, columns: Int) throws(LogError) -> HDF5Dataset? {
        file.contains(name) ? try file.dataset(name, columns: columns) : nil
      }
      for name in ["imu_acc", "imu_gyr"] where !file.contains(name) {
        let found = file.memberNames()
        throw LogError(
          path: file.path,
          problem: "no dataset \(name) (found: \(found.isEmpty ? "nothing" : found.joined(separator: ", ")))",
          remedy: "a BROAD recording has imu_acc and imu_gyr at the root, and imu_mag, opt_quat and movement")
      }
      acceleration = try file.dataset("imu_acc", columns: 3)
      rotation = try file.dataset("imu_gyr", columns: 3)
      field = try optional("imu_mag", columns: 3)
      reference = try optional("opt_quat", columns: 4)
      movement = try optional("movement", columns: 1)
      let others = [
        ("imu_gyr", rotation), ("imu_mag", field), ("opt_quat", reference), ("movement", movement),
      ]
      for case (let name, let dataset?) in others where dataset.rows != acceleration.rows {
        throw LogError(
          path: file.path,
          problem: "imu_acc has \(acceleration.rows) rows and \(name) has \(dataset.rows)",
          remedy: "a BROAD recording has one row per sample in every dataset")
      }
      guard acceleration.rows > 0 else {
        throw LogError(
          path: file.path, problem: "the datasets have no rows", remedy: "give a recording with samples")
      }
      guard let rate = options.sampleRate ?? file.attribute("sampling_rate") else {
        throw LogError(
          path: file.path, problem: "no attribute sampling_rate with one number",
          remedy: "give the rate with --sample-rate HZ")
      }
      guard rate.isFinite, rate > 0 else {
        throw LogError(
          path: file.path, problem: "the sampling rate \(rate) Hz is not valid",
          remedy: "give the rate with --sample-rate HZ")
      }
      self.rate = rate

      let unit = options.accelerationUnit ?? .metersPerSecondSquared
      let sign = options.accelerationSign ?? .specificForce
      accelerationScale = (sign == .gravity ? 1 : -1) * unit.scale
      rotationScale = options.rotationScale

      description = LogDescription(format: "broad-hdf5", summary: "BROAD recording (HDF5)", path: file.path)
      description.declaredRate = rate
      description.clock = LogClock(.rows, rate: rate)
      description.notes = [
        "acceleration: \(unit.title) of "
          + (sign == .gravity ? "Core Motion's sign to g" : "specific force to g, sign inverted"),
        "time: row number divided by \(rate) Hz",
      ]
      if field != nil {
        description.notes.append(
          "magnetic field: the dataset is published calibrated")
      }
      if reference != nil { description.referenceFrame = "enu" }
      for (name, dataset) in others where dataset == nil {
        description.notes.append("no dataset \(name)")
      }
    }

    package var progress: Double { Double(row) / Double(acceleration.rows) }

    package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
      let range = row..<min(row + Self.blockSize, acceleration.rows)
      guard !range.isEmpty else { return false }
      try HDF5Library.exclusively { () throws(LogError) in
        try acceleration.read(range, into: &block.acceleration)
        try rotation.read(range, into: &block.rotation)
        try field?.read(range, into: &block.field)
        try reference?.read(range, into: &block.reference)
        try movement?.read(range, into: &block.movement)
      }
      for offset in 0..<range.count {
        append(offset, time: Double(range.lowerBound + offset) / rate, to: &batch)
      }
      row = range.upperBound
      return true
    }

    private mutating func append(_ offset: Int, time: Double, to batch: inout [SensorSample]) {
      let i = 3 * offset
      batch.append(
        SensorSample(
          time: time, channel: .gyroscope, x: block.rotation[i] * rotationScale,
          y: block.rotation[i + 1] * rotationScale, z: block.rotation[i + 2] * rotationScale))
      batch.append(
        SensorSample(
          time: time, channel: .accelerometer, x: block.acceleration[i] * accelerationScale,
          y: block.acceleration[i + 1] * accelerationScale, z: block.acceleration[i + 2] * accelerationScale))
      if field != nil {
        batch.append(
          SensorSample(
            time: time, channel: .calibratedMagneticField, x: block.field[i], y: block.field[i + 1],
            z: block.field[i + 2], w: .nan))
      }
      if reference != nil {
        let (w, x) = (block.reference[4 * offset], block.reference[4 * offset + 1])
        let (y, z) = (block.reference[4 * offset + 2], block.reference[4 * offset + 3])
        if w.isNaN || x.isNaN || y.isNaN || z.isNaN {
          emptyCounts[.referenceAttitude, default: 0] += 1
        } else {
          batch.append(SensorSample(time: time, channel: .referenceAttitude, x: x, y: y, z: z, w: w))
        }
      }
      if movement != nil {
        batch.append(SensorSample(time: time, channel: .movement, x: block.movement[offset]))
      }
    }
  }
#else
  /// A placeholder for the reader of BROAD's HDF5 recordings in builds without the trait `HDF5`.
  package struct BROADLogReader: LogReader {
    package let description: LogDescription
    package let emptyCounts: [SensorChannel: Int] = [:]
    package let progress = 1.0

    /// Throws an error that describes how to obtain the reader.
    package init(path: String, options: LogOptions = LogOptions()) throws(LogError) {
      _ = try HDF5Signature.checkedSize(path: path)
      throw LogError(
        path: path, problem: "this build of Inertial cannot read HDF5",
        remedy: "install libhdf5-dev and build with the trait HDF5 (on by default; swift build --traits HDF5)"
      )
    }

    package mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool { false }
  }
#endif
