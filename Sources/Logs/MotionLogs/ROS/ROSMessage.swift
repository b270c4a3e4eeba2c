/// The supported ROS messages, named as in the ROS 2 packages `sensor_msgs` and `geometry_msgs`. ROS 1 omits `msg/` in
/// the names.
enum ROSMessage: String, CaseIterable {
  /// Orientation, rad/s, m/s² of specific force; a covariance that begins with −1 marks a missing quantity.
  case imu = "sensor_msgs/msg/Imu"
  /// Tesla.
  case magneticField = "sensor_msgs/msg/MagneticField"
  case pose = "geometry_msgs/msg/PoseStamped"
  /// Latitude and longitude in degrees, height above the ellipsoid in metres.
  case position = "sensor_msgs/msg/NavSatFix"

  /// Creates the message for a ROS 1 type, such as `sensor_msgs/Imu`, or `nil` for others.
  init?(ros1 type: String) {
    guard let slash = type.firstIndex(of: "/") else { return nil }
    self.init(rawValue: "\(type[..<slash])/msg\(type[slash...])")
  }

  /// Whether the message has samples of motion sensors.
  var isOfSensors: Bool { self == .imu || self == .magneticField }

  /// The definition including the definitions it depends on, in the format `ros2msg`.
  var definition: String {
    ([own] + parts.map { "MSG: \($0.name)\n\($0.fields)" }).joined(separator: String(repeating: "=", count: 80) + "\n")
  }

  private var own: String {
    switch self {
    case .imu:
      """
      std_msgs/Header header
      geometry_msgs/Quaternion orientation
      float64[9] orientation_covariance
      geometry_msgs/Vector3 angular_velocity
      float64[9] angular_velocity_covariance
      geometry_msgs/Vector3 linear_acceleration
      float64[9] linear_acceleration_covariance

      """
    case .magneticField:
      "std_msgs/Header header\ngeometry_msgs/Vector3 magnetic_field\nfloat64[9] magnetic_field_covariance\n"
    case .pose: "std_msgs/Header header\ngeometry_msgs/Pose pose\n"
    case .position:
      """
      std_msgs/Header header
      sensor_msgs/NavSatStatus status
      float64 latitude
      float64 longitude
      float64 altitude
      float64[9] position_covariance
      uint8 position_covariance_type

      """
    }
  }

  private var parts: [(name: String, fields: String)] {
    let header = [
      ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
      ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ]
    let xyz = "float64 x\nfloat64 y\nfloat64 z\n"
    let (quaternion, vector) = (("geometry_msgs/Quaternion", xyz + "float64 w\n"), ("geometry_msgs/Vector3", xyz))
    return switch self {
    case .imu: header + [quaternion, vector]
    case .magneticField: header + [vector]
    case .pose:
      header + [
        ("geometry_msgs/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"),
        ("geometry_msgs/Point", xyz), quaternion,
      ]
    case .position: header + [("sensor_msgs/NavSatStatus", "int8 status\nuint16 service\n")]
    }
  }
}

// A message in little-endian CDR (OMG Common Data Representation; each number is aligned to its size).
extension [UInt8] {
  /// Begins a message with its header.
  ///
  /// - Parameter stamp: The timestamp in nanoseconds, whose seconds fit into 32 bits.
  init(cdrStamp stamp: Int64, frame: String) {
    self = [0, 1, 0, 0]
    reserveCapacity(384)
    let seconds = stamp >= 0 ? stamp / 1_000_000_000 : (stamp - 999_999_999) / 1_000_000_000
    add(Int32(seconds))
    add(UInt32(stamp - seconds * 1_000_000_000))
    add(UInt32(frame.utf8.count + 1))
    append(contentsOf: frame.utf8)
    append(0)
  }

  mutating func addCDR(_ numbers: Double...) {
    // Alignment excludes the four bytes of the encapsulation header.
    while count % 8 != 4 { append(0) }
    for number in numbers { add(number.bitPattern) }
  }

  /// Appends a covariance with the given diagonal; 0 means unknown.
  mutating func addCDRCovariance(_ x: Double = 0, _ y: Double = 0, _ z: Double = 0) {
    addCDR(x, 0, 0, 0, y, 0, 0, 0, z)
  }
}
