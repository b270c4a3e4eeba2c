internal import InertialSensors

extension MatrixLogReader {
  /// Opens an HDF5 recording of BROAD. Units, signs and the rate are the format's unless the options specify otherwise.
  ///
  /// The root contains `imu_acc` and `imu_gyr`, and optionally `imu_mag`, `opt_quat` and `movement`; `sampling_rate` is
  /// an attribute. Memory does not grow with the length of the recording. It holds one row of the file's chunks, which
  /// is a whole dataset in the published files.
  package init(broad path: String, options: LogOptions = LogOptions()) throws(LogError) {
    #if HDF5
      let size = try checkedHDF5Size(path: path)
      try HDF5Structure.check(
        path: path, size: size, datasets: ["imu_acc", "imu_gyr", "imu_mag", "opt_quat", "movement"])
      self = try withHDF5 { () throws(LogError) in
        try MatrixLogReader(HDF5File(path: path, size: size), options: options)
      }
    #else
      _ = try checkedHDF5Size(path: path)
      throw LogError.missingHDF5(path)
    #endif
  }

  #if HDF5
    private init(_ file: HDF5File, options: LogOptions) throws(LogError) {
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
      let acceleration = try file.dataset("imu_acc", columns: 3)
      let rotation = try file.dataset("imu_gyr", columns: 3)
      let field = try optional("imu_mag", columns: 3)
      let reference = try optional("opt_quat", columns: 4)
      let movement = try optional("movement", columns: 1)
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
      try Self.checkRate(rate, path: file.path)

      var description = LogDescription(format: "broad-hdf5", summary: "BROAD recording (HDF5)", path: file.path)
      description.declaredRate = rate
      description.clock = LogClock(.rows, rate: rate)
      description.notes = [options.specificForceConversion, "time: row number divided by \(rate) Hz"]
      if field != nil { description.notes.append("magnetic field: the dataset is published calibrated") }
      if reference != nil { description.referenceFrame = "enu" }
      for (name, dataset) in others where dataset == nil { description.notes.append("no dataset \(name)") }

      let matrices: [(SensorChannel, Double, HDF5Dataset?)] = [
        (.gyroscope, options.rotationScale, rotation), (.accelerometer, options.specificForceScale, acceleration),
        (.calibratedMagneticField, 1, field), (.referenceAttitude, 1, reference), (.movement, 1, movement),
      ]
      var sources: [Source] = []
      for case (let channel, let scale, let dataset?) in matrices {
        sources.append(
          (
            channel, scale,
            { (rows, values) throws(LogError) in
              try withHDF5 { () throws(LogError) in try dataset.read(rows, into: &values) }
            }
          ))
      }
      self.init(sources, rowCount: acceleration.rows, rate: rate, description: description)
    }
  #endif
}
