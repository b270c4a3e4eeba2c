internal import InertialLogs

/// A row of `*_channels.tsv`, which describes a column of a BIDS-Motion recording.
struct BIDSChannel {
  var name: String
  /// The component: x, y, z, quat_x, quat_y, quat_z, quat_w or n/a.
  var component = "n/a"
  /// The type: ACCEL, GYRO, MAGN, ORNT, LATENCY or MISC.
  var type = "MISC"
  var units: String
  /// The reference frame of the values: the device's or the attitude's.
  var frame = "n/a"
  var description: String
  /// The sampling rate in Hz, or `nil` for the rate of the recording.
  var rate: Double?

  static let deviceFrame = "device"
  static let header = [
    "name", "component", "type", "tracked_point", "units", "reference_frame", "sampling_frequency", "description",
  ].joined(separator: "\t")

  /// - Parameter frame: The name of the attitude's reference frame.
  init(_ column: TableColumn, frame: String) {
    name = column.name
    units = ["1": "n/a", "µT": "uT"][column.unit] ?? column.unit
    description = column.meaning
    if name == "time" {
      (name, type, description) = ("latency", "LATENCY", "time since the first sample")
      return
    }
    if let axis = ["roll": "y", "pitch": "x", "yaw": "z"][name] {
      (component, type, self.frame) = (axis, "ORNT", frame)
      return
    }
    guard let axis = name.last.map({ $0.lowercased() }), ["x", "y", "z", "w"].contains(axis) else { return }
    switch String(name.dropLast()) {
    case "quaternion": (component, type, self.frame) = ("quat_" + axis, "ORNT", frame)
    case "gravity", "userAcceleration", "acceleration":
      (component, type, self.frame) = (axis, "ACCEL", Self.deviceFrame)
    case "rotationRate": (component, type, self.frame) = (axis, "GYRO", Self.deviceFrame)
    case "magneticField", "calibratedMagneticField":
      (component, type, self.frame) = (axis, "MAGN", Self.deviceFrame)
    default: return
    }
  }

  var line: String {
    [name, component, type, "device", units, frame, rate.map { "\($0)" } ?? "n/a", description]
      .map { $0.replacing("\t", with: " ") }.joined(separator: "\t")
  }
}
