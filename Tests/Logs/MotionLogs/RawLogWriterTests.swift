import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Canonical logs, written and read back") struct RawLogWriterTests {
  private let folder = TemporaryFolder()

  @Test("samples of several rates read back bit for bit, merged by time")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 5)
    var recording = Recording()
    for index in 0..<3000 {
      let time = 12_345.678 + Double(index) / 285.7
      for (channel, every) in [(SensorChannel.gyroscope, 1), (.accelerometer, 1), (.magnetometer, 4)]
      where index % every == 0 {
        recording.append(
          SensorSample(
            time: time, channel: channel, x: generator.normal(), y: 40 * generator.normal(),
            z: 1e-9 * generator.normal()))
      }
    }
    let path = folder.path("raw.csv")
    try RawLogWriter.write(recording, to: path)
    let reader = try openLog(path: path)
    #expect(reader.description.format == "canonical-csv")
    #expect(try readAll(reader) == recording.samplesInTimeOrder())
    #expect(folder.text("raw.csv").split(separator: "\n").count == 3001)
  }

  @Test("a channel without samples has no columns, and samples with separate clocks have separate rows")
  func ownClocks() throws {
    let samples = [
      SensorSample(time: 0, channel: .accelerometer, x: 0, y: 0, z: -1),
      SensorSample(time: 0.25, channel: .gyroscope, x: 1, y: 2, z: 3),
      SensorSample(time: 0.25, channel: .gyroscope, x: 4, y: 5, z: 6),
      SensorSample(time: 0.25, channel: .accelerometer, x: 0.5, y: 0, z: -1),
      SensorSample(time: 0.125, channel: .accelerometer, x: 0, y: 0, z: .infinity),
    ]
    try RawLogWriter.write(samples, to: folder.path("raw.csv"))
    #expect(
      folder.text("raw.csv") == """
        time,accelerationX,accelerationY,accelerationZ,rotationRateX,rotationRateY,rotationRateZ
        0,0,0,-1,,,
        0.25,0.5,0,-1,1,2,3
        0.25,,,,4,5,6
        0.125,0,0,inf,,,

        """)
  }

  @Test("the reference reads back bit for bit, with the movement flags")
  func reference() throws {
    var recording = Recording()
    for (index, attitude) in Quaternion.random(500, seed: 9).enumerated() {
      recording.append(SensorSample(time: Double(index) / 100, channel: .referenceAttitude, attitude))
      recording.append(SensorSample(time: Double(index) / 100, channel: .movement, x: Double(index % 2)))
    }
    let path = folder.path("reference.csv")
    try RawLogWriter.writeReference(recording, to: path)
    #expect(folder.text("reference.csv").hasPrefix("time,quaternionX,quaternionY,quaternionZ,quaternionW,movement\n"))
    let reader = try openLog(path: path)
    #expect(reader.description.format == "reference-csv")
    #expect(try readAll(reader) == recording.samplesInTimeOrder())
  }
}
