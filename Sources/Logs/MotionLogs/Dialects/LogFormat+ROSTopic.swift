internal import InertialSensors

extension LogFormat {
  /// CSV files from `rostopic echo -b BAG -p /imu` of ROS 1: sensor_msgs/Imu, with one message per row.
  ///
  /// Units are rad/s and m/s² of specific force. The quaternion x, y, z, w rotates from the body (x forward, y left, z
  /// up: REP 103) to the earth (ENU: REP 145). A covariance that begins with −1 marks the quantity as missing
  /// (sensor_msgs/Imu).
  static var rosTopic: LogFormat {
    LogFormat(
      id: "ros-topic-csv", title: "ROS 1 topic as CSV (rostopic echo -p)",
      recognition: "a header with field.linear_acceleration.x or field.angular_velocity.x",
      units: "nanoseconds become seconds since the first message; m/s² of specific force and rad/s; orientation x, y, "
        + "z, w, body to ENU; a covariance of -1 marks a missing value",
      recognizes: { table($0) != nil },
      dialect: { candidate, _ in table(candidate).map(topicDialect) })
  }

  private static let marks = ["field.linear_acceleration.x", "field.angular_velocity.x"]
  private static let stamp = "field.header.stamp"
  private static let absences = [
    "field.orientation_covariance0", "field.angular_velocity_covariance0", "field.linear_acceleration_covariance0",
  ]

  private static func table(_ candidate: LogCandidate) -> HeadTable? {
    HeadTable(candidate) { names in marks.contains(where: names.contains) }
  }

  private static func topicDialect(_ table: HeadTable) -> CSVDialect {
    var dialect = CSVDialect(id: "ros-topic-csv", summary: "ROS topic as CSV (rostopic echo -p, sensor_msgs/Imu)")
    dialect.accelerationSign = .specificForce
    dialect.loneAttitude = .deviceAttitude
    dialect.referenceFrame = "enu"
    // The sensor's own timestamps, unless the driver leaves them at 0.
    let hasStamp = table.column(stamp).map { table.numbers($0).contains { $0 > 0 } } ?? false
    dialect.notes.append(
      hasStamp
        ? "time: from the messages' headers, not of their arrival"
        : "time: of the messages' arrival, as their headers lack it")
    let lacksOrientation = table.column(absences[0]).map { table.numbers($0).allSatisfy { $0 == -1 } } ?? false
    if lacksOrientation {
      dialect.notes.append("orientation: absent, as its covariance is -1")
    } else {
      dialect.notes.append("orientation: body to earth with z up (ENU), as in REP 145")
    }
    dialect.meaning = { name in
      if name == stamp || name == "%time" || name == "time" {
        let isUsed = (name == stamp) == hasStamp
        return isUsed ? ColumnMeaning(quantity: .time, unit: .written("ns")) : nil
      }
      if let axis = absences.firstIndex(of: name) {
        return axis == 0 && lacksOrientation
          ? nil : ColumnMeaning(quantity: .absence, axis: axis, unit: .fixed(.identity))
      }
      if name.hasPrefix("field.orientation."), lacksOrientation { return nil }
      let meaning = ColumnName(name).meaning
      return meaning?.quantity == .time ? nil : meaning
    }
    return dialect
  }
}
