import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("ROS 1 bags") struct ROSBagTests {
  private let folder = TemporaryFolder()
  private static let start: UInt64 = 1_700_000_000_500_000_000

  private func open(_ bytes: [UInt8], _ options: LogOptions = LogOptions()) throws(LogError) -> any LogReader {
    try openLog(path: folder.write(bytes, to: "walk.log"), options: options)
  }

  @Test("Imu, MagneticField and NavSatFix become samples at the times of their headers")
  func messages() throws {
    let zeros = [Double](repeating: 0, count: 9)
    var bag = ROSBagBytes()
    bag.addTopic(0, "/imu", type: "sensor_msgs/Imu")
    bag.addTopic(1, "/mag", type: "sensor_msgs/MagneticField")
    bag.addTopic(2, "/fix", type: "sensor_msgs/NavSatFix")
    bag.addTopic(3, "/camera", type: "sensor_msgs/Image")
    let start = Self.start
    bag.add(3, time: start, [1, 2, 3])
    bag.add(0, time: start + 1_000_000, ROSBagBytes.imu(start))
    bag.add(1, time: start, ROSBagBytes.header(start) + ROSBagBytes.doubles([2e-5, 0, -4e-5] + zeros))
    bag.endChunk()
    for (status, place) in [(UInt8(0), 47.5), (0xFF, 0)] {
      bag.add(
        2, time: start + 2,
        ROSBagBytes.header(start) + [status, 1, 0] + ROSBagBytes.doubles([place, 8.25, 440] + zeros) + [0])
    }
    bag.add(0, time: start + 20_000_000, ROSBagBytes.imu(start + 20_000_000, rate: [1, 2, 3], force: [9.80665, 0, 0]))
    bag.endChunk()
    var reader = try open(bag.bytes, with(LogOptions()) { $0.auxiliary = [.location] })
    #expect(reader.description.format == "ros-bag" && reader.description.epoch == 1_700_000_000.5)
    #expect(reader.description.referenceFrame == "enu")
    let samples = try readAll(&reader)
    var places: [AuxiliarySample] = []
    reader.takeAuxiliary(into: &places)
    #expect(samples[.gyroscope].map(\.vector) == [Vector3(0.1, 0.2, 0.3), Vector3(1, 2, 3)])
    #expect(samples[.gyroscope].map(\.time) == [0, 0.02])
    #expect(samples[.accelerometer].map(\.vector) == [Vector3(0, 0, -1), Vector3(-1, 0, 0)])
    #expect(samples[.magnetometer].map { ($0.x * 1e3).rounded() } == [20_000] && samples[.deviceAttitude].isEmpty)
    // A receiver without a fix has no position.
    #expect(places.map { $0["latitude"] } == [47.5] && places.map { $0["ellipsoidalAltitude"] } == [440])
  }

  @Test("chunks in LZ4 are read, and those in bz2 are refused with the command that unpacks them")
  func compression() throws {
    func bag(_ compression: String, _ pack: ([UInt8]) -> [UInt8]) -> [UInt8] {
      var bag = ROSBagBytes()
      bag.addTopic(0, "/imu", type: "sensor_msgs/Imu")
      bag.add(0, time: Self.start, ROSBagBytes.imu(Self.start))
      bag.endChunk(compression: compression, pack)
      return bag.bytes
    }
    // A frame of one uncompressed block.
    let lz4 = bag("lz4") { chunk in
      [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82] + ROSBagBytes.number(UInt32(chunk.count) | 1 << 31) + chunk + [
        0, 0, 0, 0,
      ]
    }
    #expect(try readAll(open(lz4)).count == 2)
    let bz2 = bag("bz2") { $0 }
    let error = logError(of: try open(bz2))
    #expect(error?.problem.hasSuffix("a chunk is compressed by bz2") == true)
    #expect(error?.remedy.contains("rosbag decompress FILE") == true)
  }

  @Test("a bag without motion is an error that lists its topics, and a bag of two sensors one with both topics")
  func topics() throws {
    var camera = ROSBagBytes()
    camera.addTopic(0, "/camera", type: "sensor_msgs/Image")
    camera.endChunk()
    #expect(logError(of: try open(camera.bytes))?.problem.contains("topics: /camera") == true)
    var two = ROSBagBytes()
    for id in 0..<2 as Range<UInt32> {
      two.addTopic(id, "/imu\(id)", type: "sensor_msgs/Imu")
      two.add(id, time: Self.start, ROSBagBytes.imu(Self.start))
    }
    two.endChunk()
    let error = logError(of: try readAll(open(two.bytes)))
    #expect(error?.problem.hasSuffix("has two topics, /imu0 and /imu1") == true)
    #expect(error?.remedy.contains("rosbag filter") == true)
  }

  @Test("sizes beyond the file, and an index after its end, are damage")
  func damage() throws {
    let sound = ROSBagBytes.plain(messages: 3)
    #expect(try readAll(open(sound)).count == 6)
    for bytes in [
      Array(sound.dropLast(5)), ROSBag.magic + [0xFF, 0xFF, 0xFF, 0xFF], ROSBag.magic + [0xFF, 0xFF, 0xFF, 0x0F, 1],
      ROSBagBytes(indexPlace: 1 << 40).bytes,
    ] {
      let error = logError(of: try readAll(open(bytes)))
      #expect(error?.problem.hasPrefix("this bag is truncated or damaged") == true)
    }
  }
}
