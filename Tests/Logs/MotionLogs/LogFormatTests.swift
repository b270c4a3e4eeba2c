import Foundation
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("Recognition of logs by their content") struct LogFormatTests {
  private let folder = TemporaryFolder()

  @Test("every format has a unique identifier and a description")
  func list() {
    #expect(
      LogFormat.all.map(\.id) == [
        "inertial-hdf5", "broad-hdf5", "mat", "inertial-npz", "parquet", "mcap", "ros-bag", "ros2-db3", "ulog", "zip",
        "sensor-logger-json", "sensor-logger-push", "sensor-logger-wearable", "phyphox-csv", "sensorlog",
        "sensor-logger", "iphone-text", "tyrex", "phyphox", "euroc", "x-imu3", "ros2-bag", "csv-folder", "indoor-walk",
        "gnss-logger", "get-sensor-data", "ardupilot", "vectornav", "bids-motion", "motion-records-json",
        "browser-motion-json", "motionsense", "sensorplay", "xsens", "ros-topic-csv", "px4-csv", "blackbox-csv",
        "dji-csv", "browser-motion-csv", "channel-clocks", "tum", "canonical-csv", "device-motion-csv", "reference-csv",
        "header-csv", "device-motion-rows", "float32-rows",
      ])
    for format in LogFormat.all { #expect(LogFormat(id: format.id)?.title == format.title) }
    #expect(LogFormat(id: "none")?.id == nil)
    for format in LogFormat.all {
      #expect(!format.title.isEmpty && !format.recognition.isEmpty && !format.units.isEmpty)
    }
  }

  @Test(
    "headers distinguish CSV formats, regardless of the file's name",
    arguments: [
      ("canonical-csv", "time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1"),
      (
        "device-motion-csv",
        "time,gravityX,gravityY,gravityZ,rotationRateX,rotationRateY,rotationRateZ\n0,0,0,-1,0,0,0"
      ),
      ("reference-csv", "time,quaternionX,quaternionY,quaternionZ,quaternionW\n0,0,0,0,1"),
      ("header-csv", "Time (s),Gyro X (rad/s),Gyro Y (rad/s),Gyro Z (rad/s)\n0,0,0,1"),
    ])
  func csvKinds(id: String, text: String) throws {
    let path = folder.write(text, to: "log.hdf5")
    #expect(try openLog(path: path).description.format == id)
    let candidate = try LogCandidate(path: path)
    #expect(LogFormat.all.filter { $0.recognizes(candidate) }.map(\.id) == [id])
  }

  @Test("a missing or empty file and a folder of other files are errors with the reason")
  func errors() {
    func message(_ path: String) -> String? { openError(path)?.description }
    #expect(message(folder.path("none")) == "\(folder.path("none")): no such file; check the path")
    let empty = folder.write("", to: "empty.csv")
    #expect(message(empty)?.hasPrefix("\(empty): the file is empty; ") == true)
    #expect(
      message(folder.path)
        == "\(folder.path): is a folder of no known format; known folders are: Sensor Logger folder, "
        + "iOS or Android data logger folder, Tyrex trial folder, phyphox folder, EuRoC / ASL folder, x-IMU3 folder, "
        + "folder of a bag of ROS 2 (SQLite), folder with a CSV file for each sensor")
    let prose = folder.write("To whom it may concern,\nthis is a letter.\n", to: "letter.txt")
    #expect(message(prose)?.contains("no column of a known quantity") == true)
  }

  @Test("rows of a live stream are delivered immediately")
  func live() throws {
    let fifo = folder.path("pipe")
    #expect(mkfifo(fifo, 0o600) == 0)
    // Opened for both, so that neither end waits for the other; the reader sees no end until it is closed.
    let descriptor = open(fifo, O_RDWR)
    func send(_ text: String) { #expect(write(descriptor, text, text.utf8.count) == text.utf8.count) }
    send("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n")
    var reader = try CSVLogReader(path: fifo)
    var samples: [SensorSample] = []
    #expect(try reader.read(into: &samples))
    #expect(samples.map(\.time) == [0])
    send("1,0,0,-1\n2,0,0,-1\n3,0")
    #expect(try reader.read(into: &samples))
    #expect(samples.map(\.time) == [0, 1, 2])
    send(",0,-1\n")
    close(descriptor)
    #expect(try reader.read(into: &samples))
    #expect(samples.map(\.time) == [0, 1, 2, 3])
    #expect(try !reader.read(into: &samples))
  }
}
