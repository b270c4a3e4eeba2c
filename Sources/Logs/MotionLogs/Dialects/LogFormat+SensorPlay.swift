extension LogFormat {
  /// CSV files from the iOS app SensorPlay, as in the raw part of the Oxford Inertial Odometry Dataset (OxIOD).
  ///
  /// The columns have names such as `attitude_roll(radians)`, `user_acc_x(G)` and `magnetic_field_x(microteslas)`. All
  /// come from Core Motion's device motion. `timestamp(unix)` or `Time` is UNIX time in seconds.
  static var sensorPlay: LogFormat {
    LogFormat(
      id: "sensorplay", title: "SensorPlay CSV (OxIOD, raw)",
      recognition: "a header with attitude_roll(radians), rotation_rate_x(radians/s) and user_acc_x(G)",
      units: "UNIX seconds, rad, g with Core Motion's sign, rad/s, µT; raw acceleration = gravity + user_acc",
      recognizes: { candidate in
        let marks = ["attitude_roll(radians)", "rotation_rate_x(radians/s)", "user_acc_x(G)"]
        return HeadTable(candidate) { names in marks.allSatisfy(names.contains) } != nil
      },
      dialect: { _, _ in
        var dialect = CSVDialect(id: "sensorplay", summary: "SensorPlay CSV (Core Motion's device motion)")
        dialect.isDeviceMotion = true
        dialect.accelerationSign = .gravity
        dialect.meaning = { name in
          var meaning = ColumnName(name).meaning
          // OxIOD writes the name of the clock without a unit.
          if meaning?.quantity == .time, meaning?.unit == .absent { meaning?.unit = .written("s") }
          return meaning
        }
        dialect.notes = ["magnetic field: interpreted as calibrated, as in device motion"]
        return dialect
      })
  }
}
