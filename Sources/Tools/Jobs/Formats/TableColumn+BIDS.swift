internal import InertialLogs

extension TableColumn {
  /// The frame of values in the device's axes.
  static let bidsDeviceFrame = "device"
  /// The header of `*_channels.tsv`.
  static let bidsHeader = [
    "name", "component", "type", "tracked_point", "units", "reference_frame", "sampling_frequency", "description",
  ].joined(separator: "\t")

  /// Returns the row of `*_channels.tsv` for this column of a BIDS-Motion recording, with the channel's name and type
  /// (ACCEL, GYRO, MAGN, ORNT, LATENCY or MISC).
  ///
  /// - Parameters:
  ///   - frame: The name of the attitude's reference frame.
  ///   - rate: The sampling rate in Hz, or `nil` for the rate of the recording.
  func bidsChannel(frame: String, rate: Double?) -> (name: String, type: String, line: String) {
    var (channel, component, type, ownFrame, description) = (name, "n/a", "MISC", "n/a", meaning)
    let axis = name.last.map { $0.lowercased() } ?? ""
    if name == "time" {
      (channel, type, description) = ("latency", "LATENCY", "time since the first sample")
    } else if let axis = ["roll": "y", "pitch": "x", "yaw": "z"][name] {
      (component, type, ownFrame) = (axis, "ORNT", frame)
    } else if ["x", "y", "z", "w"].contains(axis) {
      switch String(name.dropLast()) {
      case "quaternion": (component, type, ownFrame) = ("quat_" + axis, "ORNT", frame)
      case "gravity", "userAcceleration", "acceleration":
        (component, type, ownFrame) = (axis, "ACCEL", Self.bidsDeviceFrame)
      case "rotationRate": (component, type, ownFrame) = (axis, "GYRO", Self.bidsDeviceFrame)
      case "magneticField", "calibratedMagneticField":
        (component, type, ownFrame) = (axis, "MAGN", Self.bidsDeviceFrame)
      default: break
      }
    }
    let units = ["1": "n/a", "µT": "uT"][unit] ?? unit
    let fields = [channel, component, type, "device", units, ownFrame, rate.map { "\($0)" } ?? "n/a", description]
    return (channel, type, fields.map { $0.replacing("\t", with: " ") }.joined(separator: "\t"))
  }
}
