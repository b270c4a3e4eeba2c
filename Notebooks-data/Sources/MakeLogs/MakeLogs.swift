// Makes the sample logs, their ground truth, events and labels with a simulated phone:
// swift run --package-path Notebooks-data MakeLogs [FOLDER]
// `make update WHAT=datasets` runs this script, fuses the logs, and writes the manifest.
import Foundation
import Inertial
import InertialSimulation

@main struct MakeLogs {
  static func main() throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs"
    try motions(in: folder)
    try outing(in: folder)
    try rides(in: folder)
    try labels(in: folder)
  }

  /// Returns a phone whose accelerometer and gyroscope samples share rows, as in most loggers' files.
  static func phone(rate: Double, fieldRate: Double, reference: Double?) -> SensorSuite {
    var phone = SensorSuite.phone
    phone.gyroscope!.rate = rate
    phone.gyroscope!.intervalJitter = 0
    phone.accelerometer!.rate = rate
    phone.accelerometer!.intervalJitter = 0
    phone.accelerometer!.startOffset = 0
    phone.magnetometer!.sensor.rate = fieldRate
    phone.magnetometer!.sensor.intervalJitter = 0
    phone.magnetometer!.sensor.startOffset = 0
    phone.referenceRate = reference
    return phone
  }

  static func motions(in folder: String) throws {
    let phone = phone(rate: 100, fieldRate: 50, reference: 25)
    for name in ["walk", "shake", "random-spline"] {
      let samples = try Simulation(scenario: .named(name), sensors: phone, duration: 24, seed: 1).samples()
      try RawLogWriter.write(samples, to: "\(folder)/\(name).csv", force: true)
      try writeTruth(samples, of: name, to: folder)
    }
  }

  /// Writes the ground truth with nine decimals, which hide differences in the last bits between machines.
  static func writeTruth(_ samples: [SensorSample], of name: String, to folder: String) throws {
    func rounded(_ value: Double) -> Double { (value * 1e9).rounded() / 1e9 }
    let truth = samples.filter { [.referenceAttitude, .movement].contains($0.channel) }.map { sample in
      var sample = sample
      (sample.x, sample.y) = (rounded(sample.x), rounded(sample.y))
      (sample.z, sample.w) = (rounded(sample.z), rounded(sample.w))
      return sample
    }
    try RawLogWriter.writeReference(truth, to: "\(folder)/\(name).truth.csv", force: true)
  }

  // MARK: Everything that a phone records

  /// Makes rest, a walk, a lift 11 m up, a walk, rest: with the calibrated field, the barometer, the location,
  /// light, proximity, battery, and events.
  static func outing(in folder: String) throws {
    var speed = SpeedProfile()
    speed.change(to: 1.35, at: 8, within: 2)
    speed.change(to: 0, at: 36, within: 1.5)
    speed.change(to: 1.35, at: 62, within: 2)
    speed.change(to: 0, at: 88, within: 1.5)
    var lift = SpeedProfile()
    lift.change(to: 1.2, at: 42, within: 2)
    lift.change(to: 0, at: 51, within: 2)
    let level = TravelTrajectory(
      path: LevelPath(length: 90, spacing: 3, bend: 0.2, seed: 11), speed: speed,
      gait: Gait(cadence: 1.9, bounce: 0.03, sway: 0.08, speed: 1.35), hand: HandMotion(angle: 0.05, seed: 12),
      mount: Quaternion(angle: 0.6, axis: .unitX))
    var phone = phone(rate: 50, fieldRate: 25, reference: 5)
    phone.magnetometer!.output = .both
    phone.magnetometer!.sensor.noiseDensity = 0.02
    try write(
      "outing", RisingTrajectory(level, climb: lift), phone, duration: 96, seed: 5, more: reported + events, to: folder)
  }

  /// The samples of sensors that report changes.
  static var reported: [AuxiliarySample] {
    var samples: [AuxiliarySample] = []
    for (time, lux) in [(0.0, 410.0), (9, 390), (38, 120), (57, 260), (64, 300), (90.5, 0), (94, 280)] {
      samples.append(sample(time, .light, ["illuminance": lux]))
    }
    for (time, near) in [(0.0, 0.0), (90, 1), (93.5, 0)] {
      samples.append(sample(time, .proximity, ["proximityNear": near]))
    }
    for (time, level) in [(0.0, 0.82), (60, 0.81)] {
      samples.append(sample(time, .battery, ["batteryLevel": level, "batteryState": 1]))
    }
    return samples
  }

  static var events: [AuxiliarySample] {
    var events = [
      sample(8, .annotation, ["pressDuration": 0.2], ["annotation": "off we go"]),
      sample(42, .annotation, ["pressDuration": 0.3], ["annotation": "lift, going up"]),
      sample(53, .annotation, ["pressDuration": 0.1], ["annotation": "third floor, \"west\""]),
      sample(0, .bluetooth, ["bluetoothState": 5]),
      sample(6, .bluetooth, ["bluetoothRSSI": -58], ["bluetoothIdentifier": "5D1F-22", "bluetoothName": "Watch"]),
      sample(58, .bluetooth, ["bluetoothRSSI": -71], ["bluetoothIdentifier": "09AC-41", "bluetoothName": "Beacon 3W"]),
      sample(60, .nfc, ["nfcType": "text", "nfcContent": "Room 3.14", "nfcLanguage": "en"]),
      sample(60, .nfc, ["nfcType": "uri", "nfcContent": "https://example.org/3.14"]),
    ]
    let networks = [
      ("lobby", "02:00:5e:10:00:01", 2437.0), ("guest", "02:00:5e:10:00:02", 5180), ("3W", "02:00:5e:10:00:31", 5240),
    ]
    // The signal strengths at the beginning, before the lift, after the lift, and at the end, in dBm.
    for (time, strengths) in [
      (1.0, [-52.0, -60, -88]), (37, [-66, -70, -80]), (56, [-84, -86, -51]), (89, [-90, -91, -63]),
    ] {
      for (network, strength) in zip(networks, strengths) {
        events.append(
          sample(
            time, .wifi, ["wifiRSSI": strength, "wifiFrequency": network.2],
            ["wifiSSID": network.0, "wifiBSSID": network.1]))
      }
    }
    return events
  }

  static func sample(
    _ time: Double, _ channel: AuxiliaryChannel, _ values: [String: Double], _ texts: [String: String] = [:]
  ) -> AuxiliarySample {
    var sample = AuxiliarySample(time: time, channel: channel)
    for (name, value) in values { sample[name] = value }
    for (name, text) in texts { sample[text: name] = text }
    return sample
  }

  static func sample(_ time: Double, _ channel: AuxiliaryChannel, _ texts: [String: String]) -> AuxiliarySample {
    sample(time, channel, [:], texts)
  }

  static func write(
    _ name: String, _ trajectory: any Trajectory, _ phone: SensorSuite, duration: Double, seed: UInt64,
    more: [AuxiliarySample] = [], to folder: String
  ) throws {
    let samples = Simulation(trajectory: trajectory, sensors: phone, duration: duration, seed: seed).samples()
    let context = ContextSensors(latitude: 47.3769, longitude: 8.5417, altitude: 408, declination: 3)
    try RawLogWriter.write(
      samples, auxiliary: context.samples(of: trajectory, duration: duration, seed: seed) + more,
      to: "\(folder)/\(name).csv", force: true)
    if phone.referenceRate != nil { try writeTruth(samples, of: name, to: folder) }
  }

  // MARK: Rides

  static func rides(in folder: String) throws {
    let phone = phone(rate: 50, fieldRate: 10, reference: nil)
    let car = BenchmarkScene.named("car")!.trajectory(seed: 3)
    try write("car", car, phone, duration: 60, seed: 6, to: folder)

    var speed = SpeedProfile()
    speed.change(to: 5, at: 4, within: 5)
    speed.change(to: 3.5, at: 30, within: 3)
    speed.change(to: 5.5, at: 36, within: 4)
    speed.change(to: 0, at: 54, within: 4)
    // On the handlebar: the frame rocks with each of two strokes per crank revolution, at 75 revolutions per minute.
    let bicycle = TravelTrajectory(
      path: LevelPath(length: 300, spacing: 12, bend: 0.15, seed: 21), speed: speed,
      gait: Gait(cadence: 2.5, bounce: 0.006, sway: 0.03, speed: 5),
      hand: HandMotion(angle: 0.01, displacement: 8e-4, frequencies: 3...8, start: 6, seed: 22),
      mount: Quaternion(angle: 1.1, axis: .unitX))
    try write("bicycle", bicycle, phone, duration: 60, seed: 7, to: folder)
  }

  // MARK: Labels

  /// Writes the labels of the simulated logs.
  static func labels(in folder: String) throws {
    let shakes = (0..<3).map { "shake,\(7 * $0 + 4),\(7 * $0 + 7),shake" }
    try text(["recording,start,end,label"] + shakes, to: "\(folder)/shake.labels.csv")
    try text(
      [
        "recording,start,end,label", "walk,0,24,walking", "outing,0,8,standing", "outing,10,36,walking",
        "outing,38,62,standing", "outing,64,88,walking", "outing,90,96,standing", "bicycle,9,54,cycling",
        "car,8,60,driving",
      ], to: "\(folder)/activity.labels.csv")
    // The cadence is 1.9 steps per second.
    try text(["recording,steps", "walk,45"], to: "\(folder)/steps.labels.csv")
  }

  static func text(_ lines: [String], to path: String) throws {
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
  }
}
