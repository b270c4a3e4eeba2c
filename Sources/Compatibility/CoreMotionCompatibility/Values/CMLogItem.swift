public import Foundation

/// A value with a timestamp.
///
/// The properties of this class and its subclasses can be overridden, as stubs in an app's tests do. An item that is
/// created without values is all zero, unless its class specifies otherwise.
open class CMLogItem: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The time on the clock of the log or stream, in seconds; a device's own clock starts at its boot.
  open private(set) var timestamp: TimeInterval = 0

  /// Creates an item with time 0.
  public override init() {}

  /// Creates an item with a timestamp. Added to Apple's interface.
  public init(timestamp: TimeInterval) { self.timestamp = timestamp }

  /// Whether the class supports secure coding. Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    timestamp = coder.decodeDouble(forKey: "timestamp")
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(timestamp, forKey: "timestamp") }

  /// Returns the item itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// A description with the class and the time; on Apple's platforms a pointer.
  open override var description: String { String(format: "CMLogItem @ %f", timestamp) }
}

extension NSCoder {
  /// Encodes three numbers with one key.
  func encode(vector x: Double, _ y: Double, _ z: Double, forKey key: String) {
    encode(x, forKey: key + ".x")
    encode(y, forKey: key + ".y")
    encode(z, forKey: key + ".z")
  }

  /// Decodes an optional number. On Linux, decoding a missing object is an error.
  func decodeNumber(forKey key: String) -> NSNumber? {
    containsValue(forKey: key) ? decodeObject(of: NSNumber.self, forKey: key) : nil
  }

  func decodeVector(forKey key: String) -> (x: Double, y: Double, z: Double) {
    (decodeDouble(forKey: key + ".x"), decodeDouble(forKey: key + ".y"), decodeDouble(forKey: key + ".z"))
  }
}
