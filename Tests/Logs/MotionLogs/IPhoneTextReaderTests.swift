import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite struct IPhoneTextReaderTests {
  private let folder = TemporaryFolder()

  private func read(_ options: LogOptions = LogOptions()) throws(LogError) -> [SensorSample] {
    try readAll(LogFormat.iPhoneText.reader(of: folder.path, options: options))
  }

  @Test("every stream becomes its channel; 9.81 m/s² are one g; time is seconds since the device's start")
  func channels() throws {
    folder.write("# Created at noon\n1500000000 0 0 -9.81 \n2500000000 4.905 0 0 \n", to: "acce.txt")
    folder.write("# Created at noon\n1000000000 0.1 0.2 0.3\n", to: "gyro_uncalib.txt")
    folder.write("1000000000 0.4 0.5 0.6\n", to: "gyro.txt")
    folder.write("1000000000 300 200 100\n", to: "magnet_uncalib.txt")
    folder.write("1000000000 30 20 10\n", to: "magnet.txt")
    folder.write("1000000000 0.1 0.2 0.3 0.9\n", to: "game_rv.txt")
    folder.write("1000000000 0 -9.81 0\n", to: "gravity.txt")
    folder.write("1000000000 9.81 0 0\n", to: "linacce.txt")
    folder.write("1000000000 270.5\n", to: "heading.txt")
    folder.write("Created at noon\n", to: "step.txt")
    let samples = try read()
    #expect(samples.count == 10 && samples[.accelerometer].map(\.time) == [1.5, 2.5])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(0.5, 0, 0)])
    #expect(samples[.gyroscope][0].vector == Vector3(0.1, 0.2, 0.3))
    #expect(samples[.deviceRotationRate][0].vector == Vector3(0.4, 0.5, 0.6))
    #expect(samples[.magnetometer][0].vector == Vector3(300, 200, 100))
    #expect(samples[.calibratedMagneticField][0].vector == Vector3(30, 20, 10))
    #expect(samples[.calibratedMagneticField][0].w.isNaN)
    #expect(samples[.deviceAttitude][0].quaternion == Quaternion(x: 0.1, y: 0.2, z: 0.3, w: 0.9))
    #expect(samples[.deviceGravity][0].vector == Vector3(0, -1, 0))
    #expect(samples[.deviceUserAcceleration][0].vector == Vector3(1, 0, 0) && samples[.deviceHeading][0].x == 270.5)
    #expect(try LogFormat.iPhoneText.reader(of: folder.path).description.epoch == nil)
  }

  @Test("old names and UNIX timestamps yield exact seconds since the first sample, and the epoch")
  func earlyFormat() throws {
    folder.write("1559524368946668033 0 0 -9.81\n1559524368956668033 0 0 -9.81\n", to: "raw-acceleration.txt")
    folder.write("1559524368946668032 1 2 3\n", to: "raw-rotation-rate.txt")
    folder.write("1559524368950208000 0 0 0 1\n", to: "device-orientation.txt")
    folder.write("1559524368950208000 1 2 3\n", to: "calibrated-magnetic-field.txt")
    let reader = try LogFormat.iPhoneText.reader(of: folder.path)
    #expect(isNear(reader.description.epoch!, 1_559_524_368.946668, within: 1e-6))
    let samples = try readAll(reader)
    #expect(samples[.gyroscope][0].time == 0 && samples[.accelerometer].map(\.time) == [1e-9, 0.010000001])
    #expect(samples[.deviceAttitude].count == 1 && samples[.calibratedMagneticField].count == 1)
  }

  private func read(_ wanted: Set<AuxiliaryChannel>) throws -> AuxiliaryLog {
    try readAuxiliary(
      LogFormat.iPhoneText.reader(of: folder.path, options: with(LogOptions()) { $0.auxiliary = wanted }))
  }

  @Test("pressure and height with the same timestamp are one barometer sample; a file without rows is no channel")
  func auxiliary() throws {
    folder.write("# Created at noon\n1500000000 0 0 -9.81 \n4500000000 0 0 -9.81 \n", to: "acce.txt")
    folder.write("# Created at noon\n1000000000 100.155 \n2000000000 100.157 \n", to: "pressure.txt")
    folder.write("# Created at noon\n1000000000 0.25 \n3000000000 0.5 \n", to: "height.txt")
    folder.write("# Created at noon\n", to: "step.txt")
    folder.write("1561106314618640896 1.0\n", to: "battery.txt")
    let (samples, _, description) = try read([.barometer, .pedometer, .battery])
    #expect(description.auxiliaryChannels == [.barometer] && description.notes.contains("step.txt has no rows"))
    #expect(description.notes.contains { $0.hasPrefix("battery.txt not read") })
    let sorted = samples.sorted { $0.time < $1.time }
    #expect(sorted.map(\.time) == [1, 2, 3])
    #expect(sorted[0]["pressure"] == 100.155 && sorted[0]["relativeAltitude"] == 0.25)
    #expect(sorted[1]["pressure"] == 100.157 && sorted[1]["relativeAltitude"].isNaN)
    #expect(sorted[2]["pressure"].isNaN && sorted[2]["relativeAltitude"] == 0.5)
    folder.write("2500000000 12 8.5\n", to: "step.txt")
    let steps = try read([.pedometer]).samples
    #expect(steps.map { $0["numberOfSteps"] } == [12] && steps.map { $0["pedometerDistance"] } == [8.5])
    // Only the requested files are opened.
    #expect(try read([] as Set).samples.isEmpty)
  }

  @Test("the app for Android writes specific forces, with its calibrated rate if there is no raw one")
  func android() throws {
    folder.write("1500000000 0 0 9.80665\n", to: "acce.txt")
    folder.write("1000000000 0.4 0.5 0.6\n", to: "gyro.txt")
    folder.write("1000000000 0 0 0 1\n", to: "rv.txt")
    folder.write("1000000000 0 9.80665 0\n", to: "gravity.txt")
    let samples = try read()
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, -1) && samples[.deviceGravity][0].vector.y == -1)
    #expect(samples[.gyroscope][0].vector == Vector3(0.4, 0.5, 0.6) && samples[.deviceRotationRate].isEmpty)
    folder.write("1000000000 0.1 0.2 0.3\n", to: "gyro_uncalib.txt")
    #expect(try read()[.gyroscope].map(\.x) == [0.1] && read()[.deviceRotationRate].map(\.x) == [0.4])
  }

  @Test("without a file of only one app, the attitude determines the sign, and without an attitude the option")
  func sign() throws {
    folder.write("# Created at noon\n1 0.5 0 9.7\n", to: "acce.txt")
    func read(_ sign: LogOptions.AccelerationSign? = nil) throws(LogError) -> Double {
      let samples = try self.read(with(LogOptions()) { $0.accelerationSign = sign })
      return samples[.accelerometer][0].z
    }
    let error = logError { () throws(LogError) in try read() }
    #expect(error?.problem.hasPrefix("the sign of acce.txt is unknown") == true)
    #expect(try read(.specificForce) == -9.7 / standardGravity && read(.gravity) == 9.7 / 9.81)
    folder.write("# Created at noon\n1 0 0 0 1\n", to: "game_rv.txt")
    #expect(try read() < 0)
    folder.write("1 1 0 0 0\n", to: "game_rv.txt")
    #expect(try read() > 0)
    for text in ["1 0.7071 0 0 0.7071\n", "1 0 0\n", "1 0 0 0 x\n"] {
      folder.write(text, to: "game_rv.txt")
      #expect(logError { () throws(LogError) in try read() } != nil, "\(text)")
    }
  }

  @Test("files with two clocks in one folder are an error")
  func twoClocks() {
    folder.write("1559524368946668032 0 0 -9.81\n", to: "acce.txt")
    folder.write("1500000000 1 2 3\n", to: "gyro.txt")
    let error = logError { () throws(LogError) in try read() }
    #expect(error?.problem == "some files count time from 1970 and others from the device's start")
  }

  @Test("options determine units and signs")
  func options() throws {
    folder.write("1 0 0 1\n", to: "acce.txt")
    folder.write("1 180 0 0\n", to: "gyro_uncalib.txt")
    let options = with(LogOptions()) {
      ($0.accelerationUnit, $0.accelerationSign, $0.rotationUnit) = (.g, .specificForce, .degreesPerSecond)
    }
    let samples = try read(options)
    #expect(samples[.accelerometer][0].z == -1 && isNear(samples[.gyroscope][0].x, .pi, within: 1e-15))
  }

  @Test("empty files are noted; a folder without raw acceleration is an error that lists its files")
  func missing() throws {
    folder.write("1 0 0 -9.81\n", to: "acce.txt")
    folder.write("1 270\n", to: "heading.txt")
    folder.write("# Created at noon\n", to: "gyro.txt")
    folder.write("", to: "magnet.txt")
    let notes = try LogFormat.iPhoneText.reader(of: folder.path).description.notes
    #expect(notes.contains("gyro.txt is empty") && notes.contains("magnet.txt is empty"))
    folder.write("# Created at noon\n", to: "acce.txt")
    let error = logError { () throws(LogError) in try read() }
    #expect(
      error?.problem
        == "no samples of raw acceleration in this folder (found: acce.txt, gyro.txt, heading.txt, magnet.txt)")
    #expect(error?.remedy.hasPrefix("looked for acce.txt, raw-acceleration.txt") == true)
  }

  @Test("damage is reported with the file, the line (including the comment) and the column")
  func damage() {
    folder.write("1 270\n", to: "heading.txt")
    func error(_ text: String) -> String? {
      folder.write(text, to: "acce.txt")
      return logError { () throws(LogError) in try read() }?.description
    }
    let path = folder.path("acce.txt")
    #expect(error("# c\n1 0 0 x\n") == "\(path):2:4: \"x\" is not a number; repair or remove the line")
    #expect(error("1 0 0 0\n\n2 0 0\n3 0 0 0\n") == "\(path):3: 3 fields instead of 4; repair or remove the line")
    #expect(error("1.5 0 0 0\n")?.hasPrefix("\(path):1:1: the first timestamp is not a whole number") == true)
  }

  @Test(
    "the recordings have the counts and 99.93 Hz of SOURCE.txt, and gravity of norm 1", .needs(.data),
    arguments: [
      ("rec_2019-06-11_master", 4623), ("rec_2019-06-21_arkit", 3210), ("rec_2019-06-10_200312a", 3367),
      ("rec_early_9e811d6", 3760),
    ])
  func recordings(name: String, count: Int) throws {
    let reader = try LogFormat.iPhoneText.reader(of: TestData.url("iphone-xs/" + name).path)
    let samples = try readAll(reader)
    #expect(samples[.accelerometer].count == count && samples[.deviceAttitude].count >= count)
    for channel in [SensorChannel.accelerometer, .gyroscope, .deviceAttitude, .calibratedMagneticField] {
      #expect(isNear(samples[channel].rate, 99.93, within: 0.3))
    }
    #expect((reader.description.epoch != nil) == name.contains("early"))
    #expect(samples[.deviceGravity].isEmpty == name.contains("early"))
    for gravity in samples[.deviceGravity] { #expect(abs(gravity.vector.norm - 1) < 1e-6) }
    // On the table with the screen up, or handheld, gravity points along the down vector of Apple's attitude.
    for (raw, attitude) in zip(samples[.accelerometer], samples[.deviceAttitude]).prefix(20) {
      #expect(raw.vector.angle(to: attitude.quaternion.rotateInverse(-Vector3.unitZ)) < 0.15)
    }
  }

  @Test("a recording without acceleration is refused", .needs(.data))
  func withoutAcceleration() {
    let path = TestData.url("iphone-xs/rec_2019-06-21_arkit_test").path
    let error = logError { () throws(LogError) in try LogFormat.iPhoneText.reader(of: path) }
    #expect(error?.problem.contains("found: ARKit_pose_test.txt, game_rv_test.txt") == true)
  }
}
