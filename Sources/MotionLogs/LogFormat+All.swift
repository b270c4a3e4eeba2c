extension LogFormat {
  /// Every format that can be read, in the order in which a log is held against them.
  public static let all: [LogFormat] = [broad].compactMap { $0 } + csv

  private static var broad: LogFormat? {
    #if HDF5
      LogFormat(
        id: "broad", title: "BROAD recording (HDF5)",
        recognition: "an HDF5 file, by its first bytes",
        units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; "
          + "row i is at i / sampling_rate seconds",
        isFolder: false,
        recognizes: { HDF5Signature.begins($0.head) },
        open: { path, options throws(LogError) in try BROADLogReader(path: path, options: options) })
    #else
      nil
    #endif
  }

  private static var csv: [LogFormat] {
    let recognitions: [CSVFormat: String] = [
      .canonical: "a header with names of accelerationX ... rotationRateX ... magneticFieldX",
      .deviceMotion: "a header with gravityX ... userAccelerationX ... quaternionX or roll, pitch, yaw",
      .reference: "a header with a quaternion and nothing else but time and movement",
      .described: "a header that names quantities and units, such as Gyroscope X (deg/s)",
    ]
    let units: [CSVFormat: String] = [
      .canonical: "s, g with Core Motion's sign, rad/s, µT; time may be UNIX nanoseconds",
      .deviceMotion:
        "s, g with Core Motion's sign, rad/s, µT, rad; raw acceleration = gravity + userAcceleration",
      .reference: "s; unit quaternion x, y, z, w, device to reference",
      .described:
        "as the header or the options say; acceleration is taken as specific force unless they say otherwise",
    ]
    return CSVFormat.allCases.map { format in
      LogFormat(
        id: format.rawValue, title: format.summary, recognition: recognitions[format]!, units: units[format]!,
        isFolder: false,
        recognizes: { format.recognizes($0) },
        open: { path, options throws(LogError) in try CSVLogReader(path: path, options: options) })
    }
  }
}

extension CSVFormat {
  /// Whether a file's head has a header of this kind.
  func recognizes(_ candidate: LogCandidate) -> Bool {
    guard !candidate.isFolder, !candidate.head.isEmpty else { return false }
    let scanner = LineScanner(bytes: candidate.head, name: candidate.path)
    guard let header = try? CSVHeader(scanner, columns: nil),
      let layout = try? CSVLayoutBuilder.layout(of: header, options: LogOptions(), path: candidate.path)
    else { return false }
    return layout.format == self
  }
}
