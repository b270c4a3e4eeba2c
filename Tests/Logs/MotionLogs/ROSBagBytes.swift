@testable import InertialLogs

/// Handmade ROS 1 bags, version 2.0.
struct ROSBagBytes {
  private(set) var bytes = ROSBag.magic
  private var chunk: [UInt8] = []

  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(value)
    return bytes
  }

  static func fields(_ fields: [(String, [UInt8])]) -> [UInt8] {
    fields.flatMap { name, value in number(UInt32(name.utf8.count + 1 + value.count)) + Array((name + "=").utf8) + value
    }
  }

  static func record(_ head: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
    let head = fields(head)
    return number(UInt32(head.count)) + head + number(UInt32(data.count)) + data
  }

  /// - Parameter indexPlace: The stated offset of the index; 0 while a bag is being written.
  init(indexPlace: UInt64 = 0) {
    bytes += Self.record(
      [
        ("op", [3]), ("index_pos", Self.number(indexPlace)), ("conn_count", [1, 0, 0, 0]),
        ("chunk_count", [1, 0, 0, 0]),
      ], Array(repeating: 0x20, count: 64))
  }

  mutating func addTopic(_ id: UInt32, _ name: String, type: String) {
    chunk += Self.record(
      [("op", [7]), ("conn", Self.number(id)), ("topic", Array(name.utf8))],
      Self.fields([("topic", Array(name.utf8)), ("type", Array(type.utf8)), ("md5sum", Array("0".utf8))]))
  }

  /// - Parameter time: The time in nanoseconds.
  mutating func add(_ id: UInt32, time: UInt64, _ message: [UInt8]) {
    let stamp = Self.number(UInt32(time / 1_000_000_000)) + Self.number(UInt32(time % 1_000_000_000))
    chunk += Self.record([("op", [2]), ("conn", Self.number(id)), ("time", stamp)], message)
  }

  mutating func endChunk(compression: String = "none", _ pack: ([UInt8]) -> [UInt8] = { $0 }) {
    bytes += Self.record(
      [("op", [5]), ("compression", Array(compression.utf8)), ("size", Self.number(UInt32(chunk.count)))], pack(chunk))
    chunk = []
  }

  static func header(_ stamp: UInt64) -> [UInt8] {
    number(UInt32(7)) + number(UInt32(stamp / 1_000_000_000)) + number(UInt32(stamp % 1_000_000_000))
      + number(UInt32(3)) + Array("imu".utf8)
  }

  static func doubles(_ numbers: [Double]) -> [UInt8] { numbers.flatMap { number($0.bitPattern) } }

  /// Returns an Imu message without orientation.
  static func imu(_ stamp: UInt64, rate: [Double] = [0.1, 0.2, 0.3], force: [Double] = [0, 0, 9.80665]) -> [UInt8] {
    let zeros = [Double](repeating: 0, count: 9)
    let noOrientation: [Double] = [0, 0, 0, 1, -1] + zeros.dropLast()
    return header(stamp) + doubles(noOrientation) + doubles(rate + zeros) + doubles(force + zeros)
  }

  /// Returns a bag with one topic.
  static func plain(messages: Int) -> [UInt8] {
    var bag = ROSBagBytes()
    bag.addTopic(0, "/imu/data", type: "sensor_msgs/Imu")
    for index in 0..<messages {
      let stamp = 1_700_000_000_000_000_000 + UInt64(index) * 20_000_000
      bag.add(0, time: stamp, imu(stamp))
    }
    bag.endChunk()
    return bag.bytes
  }
}
