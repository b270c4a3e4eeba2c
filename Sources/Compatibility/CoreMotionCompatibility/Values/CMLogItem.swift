public import Foundation

/// Something that was true at a time.
///
/// Its values, and those of its subclasses, can be overridden, as stand-ins in an app's tests do. What is made without
/// values is all zero, unless its class says otherwise.
open class CMLogItem: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let time: TimeInterval

  /// Seconds on the clock of the log or stream that it comes from; a device's own runs since its start.
  open var timestamp: TimeInterval { time }

  /// An item of time 0.
  public override init() { time = 0 }

  /// Added to Apple's interface.
  public init(timestamp: TimeInterval) { time = timestamp }

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    time = coder.decodeDouble(forKey: "timestamp")
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(timestamp, forKey: "timestamp") }

  /// Items do not change, so a copy is the item itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// On Apple's platforms a pointer, as for any object; here the class and the time.
  open override var description: String { String(format: "CMLogItem @ %f", timestamp) }
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
