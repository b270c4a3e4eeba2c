import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

@Suite("MCAP") struct MCAPTests {
  private let folder = TemporaryFolder()
  private static let fused =
    ["time", "quaternionX", "quaternionY", "quaternionZ", "quaternionW"]
    + ["gravity", "userAcceleration", "rotationRate", "magneticField", "attitudeSigma"].flatMap { name in
      ["X", "Y", "Z"].map { name + $0 }
    }

  private func write(
    _ rows: [[Double]], columns: [String] = fused, epoch: Double? = nil, turnsToEast: Bool = false
  ) throws -> String {
    let path = folder.path("set.mcap")
    let writer = try MCAPTableWriter(
      path: path, columns: columns, epoch: epoch, turnsToEast: turnsToEast, force: true, generator: "tests"
    ) { [("inertial", "{}")] }
    for row in rows { try writer.append(row) }
    try writer.close()
    return path
  }

  private func read(_ bytes: [UInt8]) throws(LogError) -> [SensorSample] {
    try readAll(openMCAP(path: folder.write(bytes, to: "log.mcap")))
  }

  @Test("rows read back as samples in Inertial's units and signs, in order across chunks")
  func roundTrip() throws {
    let rows = (0..<5000).map { row in
      [Double(row) / 64, 0, 0, 0, 1, 0, 0, -1, 0.25, 0, 0.5, 1, 2, Double(row), 20, 0, -40, 0.1, 0.1, 0.2]
    }
    let path = try write(rows)
    let reader = try openMCAP(path: path)
    #expect(reader.description.format == "mcap" && reader.description.epoch == nil)
    let samples = try readAll(reader)
    #expect(samples[.gyroscope].map(\.time) == rows.map { $0[0] })
    #expect(samples[.gyroscope].map(\.z) == rows.map { $0[13] })
    #expect(samples[.accelerometer].count == 5000 && samples[.magnetometer].count == 5000)
    for sample in samples[.accelerometer] { #expect(isNear(sample.vector, Vector3(0.25, 0, -0.5), within: 1e-12)) }
    for sample in samples[.magnetometer] { #expect(isNear(sample.vector, Vector3(20, 0, -40), within: 1e-9)) }
    #expect(samples[.deviceAttitude].allSatisfy { $0.w == 1 && $0.x == 0 })
  }

  @Test("a missing quantity of a row is marked, and yields no sample")
  func lacking() throws {
    let nan = Double.nan
    let unknown = [0] + Array(repeating: nan, count: 19)
    let rateOnly = [0.5, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, 1, 2, 3, nan, nan, nan, nan, nan, nan]
    let samples = try readAll(openMCAP(path: write([unknown, rateOnly])))
    #expect(samples.map(\.channel) == [.gyroscope] && samples.map(\.time) == [0.5])
    #expect(logError(of: try openMCAP(path: try! write([unknown]))) != nil)
  }

  @Test("an attitude whose X is north is rotated to ROS's frame, whose X is east")
  func east() throws {
    // A rotation by 90° to the left, from north to west, which is minus X in ROS's frame.
    let west = Quaternion(angle: .pi / 2, axis: .unitZ)
    let row = [0, west.x, west.y, west.z, west.w] + Array(repeating: 0.0, count: 15)
    let turned = try readAll(openMCAP(path: write([row], turnsToEast: true)))[.deviceAttitude][0]
    let q = Quaternion(x: turned.x, y: turned.y, z: turned.z, w: turned.w)
    #expect(isNear(q.rotate(.unitX), Vector3(-1, 0, 0), within: 1e-12))
    let kept = try readAll(openMCAP(path: write([row])))[.deviceAttitude][0]
    #expect(kept.z == west.z && kept.w == west.w)
  }

  @Test("UNIX time is stored to a microsecond, and reads back as the epoch")
  func epoch() throws {
    let rows = (0..<3).map { [1 + Double($0) / 8] + Array(repeating: 0.25, count: 19) }
    let reader = try openMCAP(path: write(rows, epoch: 1_700_000_000.123456))
    #expect(reader.description.epoch.map { abs($0 - 1_700_000_001.123456) < 1e-6 } == true)
    #expect(try readAll(reader)[.gyroscope].map(\.time) == [0, 0.125, 0.25])
  }

  @Test("a time out of the range of messages is refused, and leaves no file", arguments: [-0.5, 3e9, 1e300])
  func badTime(time: Double) throws {
    #expect(throws: OutputError.self) { try write([[time] + Array(repeating: 0, count: 19)]) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("set.mcap")))
  }

  @Test("timestamps are those in the headers or, if the first is 0, those of the log")
  func stamps() throws {
    let times: [UInt64] = [5_000_000_000, 5_500_000_000, 6_000_000_000]
    let file = MCAPBytes.file(times.map { MCAPBytes.message(1, logTime: $0, MCAPBytes.imu(stamp: 0)) })
    #expect(try read(file)[.gyroscope].map(\.time) == [5, 5.5, 6])
    #expect(try read(MCAPBytes.plain(messages: 4))[.gyroscope].map(\.time) == [0, 0.02, 0.04, 0.06])
  }

  @Test("two topics with different quantities are one log; two with the same quantity are refused by name")
  func topics() throws {
    func file(_ second: [UInt8]) -> [UInt8] {
      let first = MCAPBytes.imu(stamp: 1_000_000_000, force: nil)
      let messages = [MCAPBytes.message(1, logTime: 1, first), MCAPBytes.message(2, logTime: 2, second)]
      return MCAPBytes.file(topics: ["/gyro", "/accel"], messages)
    }
    let both = try read(file(MCAPBytes.imu(stamp: 1_500_000_000, rate: nil)))
    #expect(both.map(\.channel) == [.gyroscope, .accelerometer] && both.map(\.time) == [1, 1.5])
    let error = logError(of: try read(file(MCAPBytes.imu(stamp: 1_500_000_000))))
    #expect(error?.problem == "the gyroscope has two topics, /gyro and /accel")
  }

  @Test("other messages and encodings are skipped; a file without usable topics is refused with their names")
  func others() throws {
    var file = MCAPBytes()
    file.addSchema(1, "std_msgs/msg/String")
    file.addSchema(2, "sensor_msgs/msg/Imu")
    file.addTopic(1, schema: 1, "/chatter")
    file.addTopic(2, schema: 2, "/old", encoding: "ros1")
    file.add(.message, MCAPBytes.message(1, logTime: 1, [1, 2, 3]))
    file.add(.message, MCAPBytes.message(2, logTime: 1, [1, 2, 3]))
    let useless = file
    file.addTopic(3, schema: 2, "/imu")
    file.add(.message, MCAPBytes.message(3, logTime: 1, MCAPBytes.imu(stamp: 1)))
    file.end()
    #expect(try read(file.bytes).count == 2)
    var ended = useless
    ended.end()
    let error = logError(of: try read(ended.bytes))
    #expect(error?.problem.contains("topics: /chatter, /old") == true)
  }

  @Test("a big-endian message is read, and a message in another encoding is refused")
  func byteOrder() throws {
    var message = MCAPBytes.imu(stamp: 3_000_000_000, force: nil)
    // The header: timestamp, length of the name, "imu" and its terminator; doubles begin at byte 16.
    message[1] = 0
    for start in [4, 8, 12] { message[start..<start + 4].reverse() }
    for start in stride(from: 20, to: message.count, by: 8) { message[start..<start + 8].reverse() }
    func file(_ message: [UInt8]) -> [UInt8] { MCAPBytes.file([MCAPBytes.message(1, logTime: 0, message)]) }
    let samples = try read(file(message))
    #expect(samples.map(\.time) == [3] && samples[0].vector == Vector3(0.1, 0.2, 0.3))
    message[1] = 3
    #expect(logError(of: try read(file(message)))?.problem.contains("plain CDR") == true)
  }

  /// Returns a file whose only chunk has the given compression.
  private func chunked(_ compression: String, _ records: [UInt8], size: Int) -> [UInt8] {
    var file = MCAPBytes()
    file.addSchema(1, "sensor_msgs/msg/Imu")
    file.addTopic(1, schema: 1, "/imu")
    var chunk: [UInt8] = []
    for value in [0, 0, UInt64(size)] { chunk.add(value) }
    chunk.add(UInt32(0))
    chunk.addText(compression)
    chunk.add(UInt64(records.count))
    file.add(.chunk, chunk + records)
    file.end()
    return file.bytes
  }

  @Test("a chunk in lz4 is read: literals, overlapping copies, and uncompressed blocks")
  func lz4() throws {
    let message = MCAPOpcode.message.record(
      MCAPBytes.message(1, logTime: 0, MCAPBytes.imu(stamp: 1_000_000_000, rate: [0, 0, 0], force: nil)))
    // The end of the message is zeros: 8 literal zeros begin the copy of the others.
    let zeros = message.reversed().prefix { $0 == 0 }.count
    #expect(zeros > 40)
    let literals = message.count - zeros + 8
    var block: [UInt8] = [0xFF]
    block += Array(repeating: 255, count: (literals - 15) / 255) + [UInt8((literals - 15) % 255)]
    block += message.prefix(literals)
    block.add(UInt16(1))
    // A sequence ends with five literals.
    block.append(UInt8(zeros - 8 - 5 - 4 - 15))
    block += [0x50, 0, 0, 0, 0, 0]
    var frame: [UInt8] = [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82]
    frame.add(UInt32(block.count))
    frame += block
    frame.add(UInt32(message.count) | 1 << 31)
    frame += message
    frame.add(UInt32(0))
    let samples = try read(chunked("lz4", frame, size: 2 * message.count))
    #expect(samples.map(\.time) == [1, 1] && samples.allSatisfy { $0.channel == .gyroscope })
    for position in stride(from: 0, to: frame.count, by: 3) {
      var damaged = frame
      damaged[position] ^= 0xFF
      // Any result is valid: the block is read or refused.
      _ = logError(of: try read(chunked("lz4", damaged, size: 2 * message.count)))
    }
    #expect(logError(of: try read(chunked("lz4", frame, size: message.count))) != nil)
  }

  @Test("a changed byte of a chunk or of the data is detected, and an unknown compression is refused by name")
  func damage() throws {
    let path = try write((0..<50).map { [Double($0) / 50] + Array(repeating: 0.5, count: 19) })
    let whole = try InputFile(path: path).readBytes(upTo: 1 << 20)
    #expect(try read(whole).count > 0)
    // The summary after the data serves to find single messages.
    let footer = whole.count - MCAPOpcode.magic.count - 20
    let dataEnd = whole[footer..<footer + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    for position in stride(from: 8, to: dataEnd, by: 97) {
      var bytes = whole
      bytes[position] ^= 0x10
      #expect(logError(of: try read(bytes)) != nil, "byte \(position)")
    }
    for length in [0, 7, 8, 100, whole.count - 9, whole.count - 1] {
      #expect(logError(of: try read(Array(whole.prefix(length)))) != nil, "\(length) bytes")
    }
    let error = logError(of: try read(chunked("brotli", [1, 2, 3], size: 10)))
    #expect(error?.problem == "this MCAP file cannot be read: a chunk is compressed by brotli")
  }
}
