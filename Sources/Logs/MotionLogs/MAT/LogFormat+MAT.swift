extension LogFormat {
  /// MAT files with one matrix per sensor, such as BROAD's.
  static var mat: LogFormat {
    LogFormat(
      id: "mat", title: "MAT file (versions 5 to 7)",
      recognition: "a MAT file, by its first bytes; matrices imu_acc, imu_gyr ... or Accelerometer, Gyroscope ...",
      units: "for BROAD's names m/s² of specific force, rad/s and µT; for other names from the options; row i is at "
        + "i / sampling_rate seconds",
      isFolder: false,
      recognizes: { $0.folder == nil && MATFile.begins($0.head) },
      open: { path, options throws(LogError) in try MATLogReader(path: path, options: options) })
  }
}
