extension LogFormat {
  /// All readable formats, in the order in which a log is matched against them.
  public static let all: [LogFormat] =
    byFirstBytes + [sensorLoggerJSON, sensorLoggerPush, sensorLoggerWearable, phyphoxFile, sensorLog]
    + [sensorLogger, iPhoneText, tyrex, phyphox, euroc, xIMU3, rosDatabaseFolder, csvFolder]
    + mixedLines + [motionRecords, browserMotion, motionSense, sensorPlay, xsens, rosTopic]
    + NamedTable.all.map(\.format) + [channelClocks]
    // A trajectory may name its columns in a comment; other tables have the same names as their header.
    + [tum] + csv
    // Files without a header are matched last.
    + [headerlessMotion, floatRows]

  private static let byFirstBytes: [LogFormat] = [
    inertialHDF5, broad, mat, inertialNPZ, parquet, mcap, rosBag, rosDatabase, uLog, zip,
  ]

  /// Text logs with several kinds of lines, and tables that companion files describe.
  private static let mixedLines: [LogFormat] = [
    indoorWalk, gnssLogger, getSensorData, arduPilot, vectorNav, bidsMotion,
  ]

  private static var broad: LogFormat {
    LogFormat(
      id: "broad-hdf5", title: "BROAD recording (HDF5)",
      recognition: "an HDF5 file, by its first bytes",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; "
        + "row i is at i / sampling_rate seconds",
      recognizes: { isHDF5($0.head) },
      open: { path, options throws(LogError) in try MatrixLogReader(broad: path, options: options) })
  }

  private static var csv: [LogFormat] {
    let recognitions: [CSVFormat: String] = [
      .canonical: "a header with names of accelerationX ... rotationRateX ... magneticFieldX",
      .deviceMotion: "a header with gravityX ... userAccelerationX ... quaternionX or roll, pitch, yaw",
      .reference: "a header with only a quaternion, time and movement",
      .described: "a header that names quantities and units, such as Gyroscope X (deg/s)",
    ]
    let units: [CSVFormat: String] = [
      .canonical: "s, g with Core Motion's sign, rad/s, µT; time may be UNIX nanoseconds",
      .deviceMotion:
        "s, g with Core Motion's sign, rad/s, µT, rad; raw acceleration = gravity + userAcceleration",
      .reference: "s; unit quaternion x, y, z, w, device to reference",
      .described:
        "from the header or the options; acceleration is specific force unless specified otherwise",
    ]
    return CSVFormat.allCases.map { format in
      LogFormat(
        id: format.rawValue, title: format.summary, recognition: recognitions[format]!, units: units[format]!,
        recognizes: { format.recognizes($0) },
        open: { path, options throws(LogError) in try CSVLogReader(path: path, options: options) })
    }
  }
}
