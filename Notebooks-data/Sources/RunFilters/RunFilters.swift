import Inertial
import InertialCalibration

@main struct RunFilters {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs/random-spline.csv"
    var recording = Recording(try LogFeed(path: path).load().samples)
    guard let accelerations = recording[.accelerometer], let rates = recording[.gyroscope],
      let raw = recording[.magnetometer],
      let calibration = MagnetometerFit(raw, accelerometer: accelerations, gyroscope: rates)?.result
    else { return }

    // Remove hard and soft iron, as fitted to the whole log.
    let fields = SensorColumn(
      times: raw.times, values: raw.values.map { calibration.matrix * ($0 - calibration.bias) })
    recording.columns[.magnetometer] = fields

    // A whole recording at once, with the gains of the literature.
    var parameters = Mahony.Parameters()
    (parameters.kP, parameters.kI) = (0.74, 0.0012)
    var mahony = MahonyFilter(parameters: parameters)
    let attitudes = try mahony.estimates(of: recording, field: .magnetometer).quaternions

    // Run every filter, and compare its last attitude with mahony's.
    for kind in FilterKind.all {
      var filter = try kind.make()
      let last = try filter.estimates(of: recording, field: .magnetometer).quaternions.last
      print("\(kind.name): \(tenths(last?.angle(to: attitudes.last!)))° from mahony")
    }

    // Solve for the attitude from weighted simultaneous vectors: gravity and field.
    let up = VectorPair(device: -accelerations.values[0], earth: .unitZ, weight: 4)
    let north = VectorPair(device: fields.values[0], earth: Vector3(0.4, 0, -0.9))
    let attitude = try QUEST.attitude([up, north])
    print("QUEST: \(tenths(attitude.angle(to: attitudes[0])))° from mahony's first")
  }

  static func tenths(_ angle: Double?) -> Double { ((angle ?? .nan) * 1800 / .pi).rounded() / 10 }
}
