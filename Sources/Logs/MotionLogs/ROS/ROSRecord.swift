/// A message of a ROS recording, whose numbers are read in order: in ROS 2's CDR, each aligned to its size, or in ROS 1's
/// serialization, without padding.
struct ROSRecord {
  /// The number of the topic in the recording.
  let topic: Int
  let kind: ROSMessage
  /// The time of arrival, in nanoseconds.
  let logTime: Int64
  /// The timestamp, in nanoseconds.
  private(set) var stamp: Int64 = 0
  private let bytes: ArraySlice<UInt8>
  private let isBig: Bool
  private let isAligned: Bool
  /// The number of bytes read, in CDR without the four bytes of the encapsulation header.
  private var place = 0

  /// Reads the header of a message in CDR.
  init(cdr message: ArraySlice<UInt8>, topic: Int, kind: ROSMessage, logTime: Int64) throws(ContainerError) {
    var fields = ContainerFields(message)
    let start = try fields.bytes(4)
    guard start.first == 0, let order = start.dropFirst().first, order <= 1 else {
      throw .unsupported("a message that is not encoded in plain CDR")
    }
    (self.topic, self.kind, self.logTime) = (topic, kind, logTime)
    (isBig, isAligned, bytes) = (order == 0, true, fields.rest)
    try takeHeader()
  }

  /// Reads the header of a ROS 1 message.
  init(ros1 message: ArraySlice<UInt8>, topic: Int, kind: ROSMessage, logTime: Int64) throws(ContainerError) {
    (self.topic, self.kind, self.logTime) = (topic, kind, logTime)
    (isBig, isAligned, bytes) = (false, false, message)
    _ = try number(UInt32.self)
    try takeHeader()
  }

  private mutating func takeHeader() throws(ContainerError) {
    let seconds = Int64(Int32(bitPattern: try number(UInt32.self)))
    let nanoseconds = Int64(try number(UInt32.self))
    guard nanoseconds < 1_000_000_000 else {
      throw .damaged("a timestamp with \(nanoseconds) nanoseconds in addition to the seconds")
    }
    stamp = seconds * 1_000_000_000 + nanoseconds
    let length = Int(try number(UInt32.self))
    guard length <= bytes.count - place else { throw .damaged("a message is shorter than its fields") }
    place += length
  }

  private mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(ContainerError) -> Number {
    let size = MemoryLayout<Number>.size
    if isAligned { place = (place + size - 1) / size * size }
    guard place + size <= bytes.count else { throw .damaged("a message is shorter than its fields") }
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
    place += size
    return isBig ? Number(bigEndian: value) : Number(littleEndian: value)
  }

  mutating func double() throws(ContainerError) -> Double { Double(bitPattern: try number(UInt64.self)) }

  mutating func vector() throws(ContainerError) -> (x: Double, y: Double, z: Double) {
    (try double(), try double(), try double())
  }

  /// Skips a covariance and returns whether the quantity is present.
  mutating func covarianceHasQuantity() throws(ContainerError) -> Bool {
    let first = try double()
    for _ in 1..<9 { _ = try double() }
    return first != -1
  }

  /// Skips a receiver's status and returns whether it has a position.
  mutating func statusHasFix() throws(ContainerError) -> Bool {
    let status = Int8(bitPattern: try number(UInt8.self))
    _ = try number(UInt16.self)
    return status >= 0
  }
}
