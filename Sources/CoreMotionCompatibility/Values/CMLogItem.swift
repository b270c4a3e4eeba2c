public import Foundation

/// Something that was true at a time.
open class CMLogItem: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// Seconds on the clock of the log or stream that it comes from; a device's own runs since its start.
  public let timestamp: TimeInterval

  public init(timestamp: TimeInterval) { self.timestamp = timestamp }

  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    timestamp = coder.decodeDouble(forKey: "timestamp")
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(timestamp, forKey: "timestamp") }

  /// Items do not change, so a copy is the item itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSCoder {
  /// Three numbers under one name.
  func encode(vector x: Double, _ y: Double, _ z: Double, forKey key: String) {
    encode(x, forKey: key + ".x")
    encode(y, forKey: key + ".y")
    encode(z, forKey: key + ".z")
  }

  func decodeVector(forKey key: String) -> (x: Double, y: Double, z: Double) {
    (decodeDouble(forKey: key + ".x"), decodeDouble(forKey: key + ".y"), decodeDouble(forKey: key + ".z"))
  }
}
