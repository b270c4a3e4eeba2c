@testable import InertialLogs

/// Handmade MCAP files in the form of other recorders.
struct MCAPBytes {
  var bytes = MCAPOpcode.magic

  init(profile: String = "ros2") {
    var header: [UInt8] = []
    header.addText(profile)
    header.addText("by hand")
    add(.header, header)
  }

  mutating func add(_ opcode: MCAPOpcode, _ content: [UInt8]) { bytes += opcode.record(content) }

  mutating func addSchema(_ id: UInt16, _ name: String) {
    var content: [UInt8] = []
    content.add(id)
    content.addText(name)
    content.addText("ros2msg")
    content.addText("")
    add(.schema, content)
  }

  mutating func addTopic(_ id: UInt16, schema: UInt16, _ name: String, encoding: String = "cdr") {
    var content: [UInt8] = []
    content.add(id)
    content.add(schema)
    content.addText(name)
    content.addText(encoding)
    content.addMap([])
    add(.channel, content)
  }

  static func message(_ topic: UInt16, logTime: UInt64, _ message: [UInt8]) -> [UInt8] {
    var content: [UInt8] = []
    content.add(topic)
    content.add(UInt32(7))
    content.add(logTime)
    content.add(logTime)
    return content + message
  }

  /// Ends the file, without a checksum if `checksum` is `nil`.
  mutating func end(checksum: UInt32? = nil) {
    var content: [UInt8] = []
    content.add(checksum ?? 0)
    add(.dataEnd, content)
    add(.footer, Array(repeating: 0, count: 20))
    bytes += MCAPOpcode.magic
  }

  /// Returns an Imu message with the given rate, force and orientation, if any.
  static func imu(
    stamp: Int64, rate: [Double]? = [0.1, 0.2, 0.3], force: [Double]? = [0, 0, 9.80665], orientation: [Double]? = nil
  ) -> [UInt8] {
    var message = [UInt8](cdrStamp: stamp, frame: "imu")
    let zero: [Double] = [0, 0, 0]
    let q = orientation ?? [0, 0, 0, 1]
    message.addCDR(q[0], q[1], q[2], q[3])
    message.addCDRCovariance(orientation == nil ? -1 : 0)
    for vector in [rate, force] {
      let v = vector ?? zero
      message.addCDR(v[0], v[1], v[2])
      message.addCDRCovariance(vector == nil ? -1 : 0)
    }
    return message
  }

  /// Returns a file of Imu messages of topics with consecutive numbers, without chunks and checksums.
  static func file(topics: [String] = ["/imu"], from first: UInt16 = 1, _ messages: [[UInt8]]) -> [UInt8] {
    var file = MCAPBytes()
    file.addSchema(1, ROSMessage.imu.rawValue)
    for (id, name) in zip(first..., topics) { file.addTopic(id, schema: 1, name) }
    for message in messages { file.add(.message, message) }
    file.end()
    return file.bytes
  }

  /// Returns a file of messages in steps of 20 ms.
  static func plain(messages: Int) -> [UInt8] {
    let stamps = (0..<messages).map { Int64($0) * 20_000_000 }
    return file(topics: ["/imu/data"], from: 3, stamps.map { message(3, logTime: UInt64($0), imu(stamp: $0)) })
  }
}

/// Opens an MCAP file like the reader of its format.
func openMCAP(path: String) throws(LogError) -> any LogReader { try LogFormat.mcap.open(path, LogOptions()) }
