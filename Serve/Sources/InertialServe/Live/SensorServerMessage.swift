internal import InertialEssentials
internal import InertialSensors

/// A message of the Android app SensorServer: a sensor's values with a timestamp in nanoseconds since the phone's boot.
struct SensorServerMessage: Decodable {
  var type: String
  var timestamp: Int64
  var values: [Double]

  /// The path that requests all sensors over one connection.
  static let path =
    "/sensors/connect?types=%5B"
    + ["accelerometer", "gyroscope", "magnetic_field"].map { "%22android.sensor.\($0)%22" }.joined(separator: ",")
    + "%5D"

  /// The sample in Inertial's conventions, from Android's specific force in m/s², rad/s and µT, or `nil` for another
  /// sensor.
  var sample: SensorSample? {
    let channels: [String: SensorChannel] = [
      "android.sensor.accelerometer": .accelerometer, "android.sensor.gyroscope": .gyroscope,
      "android.sensor.magnetic_field": .calibratedMagneticField,
    ]
    guard let channel = channels[type], values.count >= 3 else { return nil }
    let scale = channel == .accelerometer ? -1 / standardGravity : 1
    var sample = SensorSample(
      time: Double(timestamp) / 1e9, channel: channel, x: values[0] * scale, y: values[1] * scale, z: values[2] * scale)
    // The app does not report the accuracy of the calibrated field.
    if channel == .calibratedMagneticField { sample.w = .nan }
    return sample
  }
}
