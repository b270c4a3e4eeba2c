import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite struct TyrexReaderTests {
  private let folder = TemporaryFolder()

  private func writeTrial() {
    folder.write("100.1 0 0 -1\n100.2 0.1 0 -0.9\n", to: "accelerometer.txt")
    folder.write("100.15 0.1 0.2 0.3\n", to: "gyroscope.txt")
    folder.write("100.12 300 200 100\n", to: "magnetometer.txt")
    folder.write("100.13 30 20 10 2\n", to: "magnetometer-calibrated.txt")
    folder.write("100.15 0.9 0.1 0.2 0.3\n", to: "attitude.txt")
    folder.write("[Time]\nBootTime = 100.0", to: "description.txt")
    folder.write("  -3.0400000e+00\n", to: "timeAlignment.txt")
    folder.write(
      "t_s,qw,qx,qy,qz,x_mm,y_mm,z_mm,residual_mm\n0.0000,0.9,0.1,0.2,0.3,1,2,3,4\n0.0167,,,,,,,,\n0.0333,0.8,0.1,0.2,0.3,,,,\n",
      to: "ground-truth.csv")
  }

  private func read(_ options: LogOptions = LogOptions()) throws(LogError) -> [SensorSample] {
    try readAll(LogFormat.tyrex.reader(of: folder.path, options: options))
  }

  @Test("every file becomes its channel, merged by time, with scalar-first quaternions reordered")
  func channels() throws {
    writeTrial()
    let samples = try read()
    let own = samples.filter { $0.channel != .referenceAttitude }
    #expect(own.map(\.time) == [100.1, 100.12, 100.13, 100.15, 100.15, 100.2])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(0.1, 0, -0.9)])
    #expect(samples[.gyroscope][0].vector == Vector3(0.1, 0.2, 0.3))
    #expect(samples[.magnetometer][0].vector == Vector3(300, 200, 100))
    #expect(samples[.calibratedMagneticField][0].vector == Vector3(30, 20, 10))
    #expect(samples[.calibratedMagneticField][0].w == 2)
    #expect(samples[.deviceAttitude][0].quaternion == Quaternion(x: 0.1, y: 0.2, z: 0.3, w: 0.9))
  }

  @Test("the set's Android trials have m/s² of specific force, with biases and accuracies after the axes")
  func android() throws {
    folder.write("0.1 0 0 9.80665\n0.2 0.980665 0 9.80665\n", to: "accelerometer.txt")
    folder.write("0.15 0.1 0.2 0.3 0.01 0.02 0.03\n", to: "gyroscope.txt")
    folder.write("0.15 0.09 0.18 0.27\n", to: "gyroscope-calibrated.txt")
    folder.write("0.12 300 200 100 270 180 90\n", to: "magnetometer.txt")
    folder.write("0.13 30 20 10 3\n", to: "magnetometer-calibrated.txt")
    folder.write("0.15 0 0 0 1 -1\n", to: "rotation-vector.txt")
    folder.write("0.15 -0.980665 0 0\n", to: "linear-acceleration.txt")
    folder.write("[Device]\nModel = Nexus 5\n\n[Time]\nStartTime = 1464965086\n", to: "record.properties")
    folder.write("  -2.4000000e+00\n", to: "timeAlignment.txt")
    folder.write("t_s,qw,qx,qy,qz,x_mm,y_mm,z_mm,residual_mm\n0.5,1,0,0,0,1,2,3,4\n", to: "ground-truth.csv")
    let (samples, description, _) = try readLog(folder.path)
    #expect(description.summary == "Tyrex trial (Android, one text file per sensor)")
    #expect(description.epoch == 1_464_965_086)
    #expect(samples[.accelerometer].map(\.vector.z) == [-1, -1])
    #expect(isNear(samples[.accelerometer][1].vector, Vector3(-0.1, 0, -1), within: 1e-15))
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.1, 0.2, 0.3)])
    #expect(samples[.deviceRotationRate].map(\.vector) == [Vector3(0.09, 0.18, 0.27)])
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(300, 200, 100)])
    #expect(samples[.calibratedMagneticField].map(\.vector) == [Vector3(30, 20, 10)])
    #expect(samples[.calibratedMagneticField][0].w.isNaN)
    #expect(isNear(samples[.deviceUserAcceleration][0].vector, Vector3(0.1, 0, 0), within: 1e-15))
    // The top of the phone points north, which is x here.
    let top = samples[.deviceAttitude][0].quaternion.rotate(Vector3(0, 1, 0))
    #expect(isNear(top, Vector3(1, 0, 0), within: 1e-15))
    // Time counts from the log's start: the tracker's time is the log's plus the alignment.
    #expect(samples[.referenceAttitude].map(\.time) == [0.5 + 2.4])
    let options = with(LogOptions()) { ($0.accelerationUnit, $0.accelerationSign) = (.g, .gravity) }
    #expect(try read(options)[.accelerometer][0].vector == Vector3(0, 0, 9.80665))
  }

  @Test("the reference is put on the log's clock; rows without markers are counted without a sample")
  func reference() throws {
    writeTrial()
    var reader = try LogFormat.tyrex.reader(of: folder.path)
    #expect(reader.description.referenceFrame == "enu")
    #expect(reader.description.notes.contains { $0.contains("constant yaw") })
    let samples = try readAll(&reader)
    #expect(reader.emptyCounts == [.referenceAttitude: 1])
    #expect(samples[.referenceAttitude].count == 2)
    // Tracker time = (time − 100.0) + (−3.04), so tracker time 0 is log time 103.04.
    #expect(isNear(samples[.referenceAttitude][0].time, 103.04, within: 1e-12))
    #expect(isNear(samples[.referenceAttitude][1].time, 103.0733, within: 1e-12))
    #expect(samples[.referenceAttitude][0].quaternion == Quaternion(x: 0.1, y: 0.2, z: 0.3, w: 0.9))
    #expect(reader.progress == 1)
  }

  @Test("a reference without a time alignment is left out with a note; an invalid alignment is an error")
  func alignment() throws {
    writeTrial()
    for text in ["", "[Time]\nBootTime = soon\n", "[Time]\n", "BootTime = inf"] {
      folder.write(text, to: "description.txt")
      let error = logError(of: try read())
      // An empty file is treated as missing.
      #expect(error?.path == (text.isEmpty ? nil : folder.path("description.txt")))
    }
    try FileManager.default.removeItem(atPath: folder.path("description.txt"))
    let reader = try LogFormat.tyrex.reader(of: folder.path)
    #expect(reader.description.referenceFrame == nil && reader.description.notes.contains { $0.contains("left out") })
    #expect(try read()[.referenceAttitude].isEmpty)
  }

  @Test("missing files are missing streams, but acceleration is required")
  func missing() throws {
    folder.write("1 0 0 -1\n", to: "accelerometer.txt")
    #expect(try read().map(\.channel) == [.accelerometer])
    folder.write("", to: "accelerometer.txt")
    let error = logError(of: try read())
    #expect(error?.problem == "no samples of acceleration in this folder (found: accelerometer.txt)")
  }

  @Test("damage in any file is reported with that file, line and column")
  func damage() {
    for (name, row, column) in [
      ("gyroscope.txt", "1 0 oops 0\n", 3), ("magnetometer-calibrated.txt", "1 0 0 0 high\n", 5),
      ("ground-truth.csv", "t_s,qw,qx,qy,qz\n0,1,0,oops,0\n", 4),
    ] {
      writeTrial()
      folder.write(row, to: name)
      let error = logError(of: try read())
      #expect(error?.path == folder.path(name) && error?.line == (name.hasSuffix(".csv") ? 2 : 1))
      #expect(error?.column == column)
    }
    writeTrial()
    folder.write("1 0 0\n2 0 0 0\n", to: "magnetometer.txt")
    #expect(logError(of: try read())?.problem == "3 fields instead of 4")
  }

  @Test(
    "a trial has the expected counts and rates, and a reference that matches Apple's attitude in tilt and time",
    .needs(.data))
  func realTrial() throws {
    let samples = try readAll(LogFormat.tyrex.reader(of: TestData.url("tyrex/personA_iPhone5_NoDist_AR").path))
    #expect(samples[.accelerometer].count == 12674 && samples[.gyroscope].count == 11917)
    #expect(samples[.magnetometer].count == 3113 && samples[.calibratedMagneticField].count == 11881)
    #expect(isNear(samples[.accelerometer].rate, 101, within: 1) && isNear(samples[.gyroscope].rate, 94.3, within: 1))
    #expect(isNear(samples[.magnetometer].rate, 24.7, within: 0.5))

    /// Returns the RMS angle between gravity by Apple's attitude and by the reference, shifted by some seconds.
    func tiltError(shift: Double) -> Double {
      let references = samples[.referenceAttitude]
      var (squares, count, next) = (0.0, 0, 0)
      for attitude in samples[.deviceAttitude] {
        while next < references.count, references[next].time < attitude.time + shift { next += 1 }
        guard next < references.count, references[next].time - attitude.time - shift < 0.02 else { continue }
        let down = -Vector3.unitZ
        let angle = attitude.quaternion.rotateInverse(down).angle(to: references[next].quaternion.rotateInverse(down))
        squares += angle * angle
        count += 1
      }
      #expect(count > 9000)
      return (squares / Double(count)).squareRoot() * 180 / .pi
    }
    let error = tiltError(shift: 0)
    #expect(error < 5)
    #expect(tiltError(shift: 0.5) > 1.5 * error && tiltError(shift: -0.5) > 1.5 * error)
  }

  @Test("every trial is read, with gravity of 1 g for held phones, and its reference on the log's clock", .needs(.data))
  func realTrials() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: TestData.url("tyrex").path)
      .filter { $0.contains("iPhone5") }
    #expect(names.count == 28)
    for name in names {
      var reader = try LogFormat.tyrex.reader(of: TestData.url("tyrex/" + name).path)
      var samples: [SensorSample] = []
      #expect(try reader.read(into: &samples) && reader.description.referenceFrame == "enu")
      // Runners and participants with swinging arms move from the start.
      if ["Texting", "AR", "Phoning"].contains(where: name.hasSuffix) {
        let norms = samples[.accelerometer].map(\.vector.norm).sorted()
        #expect(isNear(norms[norms.count / 2], 1, within: 0.1))
      }
      let start = samples[.accelerometer][0].time
      let reference = try #require(samples[.referenceAttitude].first)
      #expect(abs(reference.time - start) < 5)
    }
  }
}
