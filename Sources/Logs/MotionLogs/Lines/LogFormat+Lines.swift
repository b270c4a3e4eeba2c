extension LogFormat {
  /// Walks of Microsoft's indoor location competition.
  static var indoorWalk: LogFormat {
    LogFormat(
      id: "indoor-walk", title: "Microsoft indoor location walk",
      recognition: "lines of UNIX milliseconds, TYPE_ACCELEROMETER ... and values, separated by tabs",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; UNIX milliseconds "
        + "become seconds since the first sample; the rotation vector is converted to north, west, up",
      isFolder: false,
      recognizes: { $0.folder == nil && IndoorWalkReader.recognizes($0.head, name: $0.path) },
      open: { path, options throws(LogError) in try IndoorWalkReader(path: path, options: options) })
  }

  /// Logs of Google's GnssLogger.
  static var gnssLogger: LogFormat {
    LogFormat(
      id: "gnss-logger", title: "GnssLogger log",
      recognition: "comments that describe lines of UncalAccel, UncalGyro ... with the column elapsedRealtimeNanos",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; nanoseconds since "
        + "the phone's start become seconds; OrientationDeg is converted to north, west, up",
      isFolder: false,
      recognizes: { $0.folder == nil && GnssLoggerReader.recognizes($0.head, name: $0.path) },
      open: { path, options throws(LogError) in try GnssLoggerReader(path: path, options: options) })
  }

  /// Logs of GetSensorData and of the IPIN competitions.
  static var getSensorData: LogFormat {
    LogFormat(
      id: "get-sensor-data", title: "GetSensorData log",
      recognition: "lines of ACCE, GYRO or MAGN and numbers, separated by semicolons",
      units: "m/s² of specific force, rad/s and µT become g with Core Motion's sign, rad/s and µT; the sensors' own "
        + "seconds are shifted to the app's; the rotation vector is converted to north, west, up",
      isFolder: false,
      recognizes: { $0.folder == nil && GetSensorDataReader.recognizes($0.head, name: $0.path) },
      open: { path, options throws(LogError) in try GetSensorDataReader(path: path, options: options) })
  }

  /// ArduPilot's logs as text.
  static var arduPilot: LogFormat {
    LogFormat(
      id: "ardupilot", title: "ArduPilot log as text (DataFlash .log)",
      recognition: "a first line of FMT, and lines of FMT that describe those of IMU",
      units:
        "m/s² of specific force, rad/s and mG become g with Core Motion's sign, rad/s and µT; µs since the start; axes "
        + "forward, right, down",
      isFolder: false,
      recognizes: { ArduPilotReader.recognizes($0) },
      open: { path, options throws(LogError) in try ArduPilotReader(path: path, options: options) })
  }

  /// VectorNav's sentences.
  static var vectorNav: LogFormat {
    LogFormat(
      id: "vectornav", title: "VectorNav's sentences ($VNIMU, $VNYMR ...)",
      recognition: "sentences that begin with $VN and end with the right checksum",
      units: "m/s² of specific force, rad/s and gauss become g with Core Motion's sign, rad/s and µT; no clock: "
        + "--sample-rate; axes forward, right, down",
      isFolder: false,
      recognizes: { VectorNavReader.recognizes($0) },
      open: { path, options throws(LogError) in try VectorNavReader(path: path, options: options) })
  }
}
