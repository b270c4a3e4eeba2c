// Makes the sample logs and their truth anew, with a simulated phone:
// swift run --package-path Notebooks-data MakeLogs [FOLDER]
import Inertial

@main struct MakeLogs {
  static func main() throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs"
    var phone = SensorSuite.phone
    // Every sample of the accelerometer shares a row with one of the gyroscope, as in most loggers' files.
    phone.gyroscope!.intervalJitter = 0
    phone.accelerometer!.intervalJitter = 0
    phone.accelerometer!.startOffset = 0
    phone.magnetometer!.sensor.intervalJitter = 0
    phone.magnetometer!.sensor.startOffset = 0
    phone.referenceRate = 25

    for name in ["walk", "shake", "random-spline"] {
      let samples = try Simulation(scenario: .named(name), sensors: phone, duration: 24, seed: 1).samples()
      try RawLogWriter.write(samples, to: "\(folder)/\(name).csv", force: true)
      try RawLogWriter.writeReference(samples, to: "\(folder)/\(name).truth.csv", force: true)
    }
  }
}
