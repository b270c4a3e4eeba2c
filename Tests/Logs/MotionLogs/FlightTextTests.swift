import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Text logs of autopilots, inertial units and cameras") struct FlightTextTests {
  private let folder = TemporaryFolder()

  private func open(_ text: String, _ options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try openLog(path: folder.write(text, to: "log.txt"), options: options)
  }

  static let arduPilot =
    "FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns\n"
    + "FMT, 172, 40, IMU, QBffffff, TimeUS,I,GyrX,GyrY,GyrZ,AccX,AccY,AccZ\n"
    + "FMT, 173, 40, MAG, QBhhh, TimeUS,I,MagX,MagY,MagZ\nPARM, 44981004, INS_GYR_CAL, 1, 1\n"
    + "IMU, 45200000, 0, 0.1, 0.2, 0.3, 0, 0, -9.80665\nIMU, 45200000, 1, 7, 7, 7, 7, 7, 7\n"
    + "MAG, 45210000, 0, 250, 0, 400\nIMU, 45250000, 0, 1, 2, 3, 0, 0, -9.80665\n"

  @Test("ArduPilot's FMT lines name the columns of IMU and MAG, and the first sensor is read")
  func arduPilot() throws {
    let reader = try open(Self.arduPilot)
    #expect(reader.description.format == "ardupilot")
    let samples = try readAll(reader)
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.1, 0.2, 0.3), Vector3(1, 2, 3)])
    #expect(samples[.gyroscope].map(\.time) == [45.2, 45.25])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, 1), Vector3(0, 0, 1)])
    #expect(samples[.magnetometer].map(\.vector) == [Vector3(25, 0, 40)])
    let without = Self.arduPilot.split(separator: "\n").filter { !$0.contains("IMU") }.joined(separator: "\n")
    #expect(logError { () throws(LogError) in try open(without) }?.remedy.contains("mavlogdump.py") == true)
  }

  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  static let values = "+00.2500,-00.1225,+00.4000,-00.000,-00.000,-09.80665,+00.100000,+00.200000,-00.300000"

  @Test(
    "VectorNav's sentences require the rate, and contain all three sensors",
    arguments: [
      "VNIMU,\(FlightTextTests.values),+24.6,+101.325", "VNYMR,+010.0,+001.0,-002.0,\(FlightTextTests.values)",
      "VNQMR,0,0,0,1,\(FlightTextTests.values)",
    ])
  func vectorNav(body: String) throws {
    let line = Self.sentence(body)
    let text = "0.1,+24*11\r\n" + line + line.replacing("0.25", with: "0.75") + line
    let error = logError { () throws(LogError) in try open(text) }
    #expect(error?.problem.hasPrefix("VectorNav's sentences ($\(body.prefix(5)))") == true)
    #expect(error?.remedy.contains("--sample-rate HZ") == true)
    let options = with(LogOptions()) { $0.sampleRate = 20 }
    var reader = try open(text, options)
    let samples = try reader.remainingSamples()
    // The second sentence was altered: its checksum does not match, and it has no sample.
    #expect(samples[.gyroscope].map(\.time) == [0, 0.1] && samples[.gyroscope][0].vector == Vector3(0.1, 0.2, -0.3))
    #expect(samples[.accelerometer][0].vector == Vector3(0, 0, 1))
    #expect(samples[.magnetometer][0].vector == Vector3(25, -12.25, 40))
    #expect(reader.description.notes.contains("1 line without the right checksum left out, the first in line 3"))
  }

  @Test("columns named 1 and 2 are a sensor's second and third axis, in a camera's folder and in one table")
  func camera() throws {
    let header = "\"cts\",\"date\",\"Accelerometer [m/s2]\",\"1\",\"2\",\"temperature [°C]\"\n"
    folder.write(header + "0,x,9.80665,0,0,31\n50,x,0,9.80665,0,31\n", to: "walk/GH01-ACCL.csv")
    folder.write(
      header.replacing("Accelerometer [m/s2]", with: "Gyroscope [rad/s]") + "0,x,1,2,3,31\n50,x,4,5,6,31\n",
      to: "walk/GH01-GYRO.csv")
    let samples = try readAll(openLog(path: folder.path("walk")))
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(-1, 0, 0), Vector3(0, -1, 0)])
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(1, 2, 3), Vector3(4, 5, 6)])
    #expect(samples[.gyroscope].map(\.time) == [0, 0.05])
  }

  static let trajectory =
    "# timestamp tx ty tz qx qy qz qw\n1700000000.0 0 0 0 0 0 0 1\n1700000000.1 1 2 3 0.6 0 0 0.8\n"

  @Test("a TUM trajectory is recognized by its numbers; other rows of eight numbers are not")
  func trajectory() throws {
    let reader = try open(Self.trajectory)
    #expect(reader.description.format == "tum" && reader.description.epoch == 0)
    let samples = try readAll(reader)
    #expect(samples[.referenceAttitude].map(\.w) == [1, 0.8] && samples.count == 2)
    #expect(samples.map(\.time) == [1_700_000_000, 1_700_000_000.1])
    // Without the comment that names the columns.
    let other = Self.trajectory.replacing("0.6", with: "0.7").split(separator: "\n").dropFirst().joined(separator: "\n")
    #expect(logError { () throws(LogError) in try open(other) }?.problem.contains("no line of column names") == true)
    #expect(try LogFeed.find(at: folder.path).logs.isEmpty)
  }
}
