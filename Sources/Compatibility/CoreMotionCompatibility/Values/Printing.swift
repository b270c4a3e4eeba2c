/// A type that is a C struct or enum on Apple's platforms. It prints as imported by Swift: like a Swift type by itself,
/// and with the module of C inside an Optional or an array.
public protocol PrintedAsImportedFromC: CustomStringConvertible, CustomDebugStringConvertible {}

extension PrintedAsImportedFromC {
  public var debugDescription: String { "__C." + description }
}

extension CMAcceleration: PrintedAsImportedFromC {
  public var description: String { "CMAcceleration(x: \(x), y: \(y), z: \(z))" }
}

extension CMRotationRate: PrintedAsImportedFromC {
  public var description: String { "CMRotationRate(x: \(x), y: \(y), z: \(z))" }
}

extension CMMagneticField: PrintedAsImportedFromC {
  public var description: String { "CMMagneticField(x: \(x), y: \(y), z: \(z))" }
}

extension CMMagneticFieldCalibrationAccuracy: PrintedAsImportedFromC {
  public var description: String { "CMMagneticFieldCalibrationAccuracy(rawValue: \(rawValue))" }
}

extension CMCalibratedMagneticField: PrintedAsImportedFromC {
  public var description: String {
    "CMCalibratedMagneticField(field: \(field.debugDescription), accuracy: \(accuracy.debugDescription))"
  }
}

extension CMQuaternion: PrintedAsImportedFromC {
  public var description: String { "CMQuaternion(x: \(x), y: \(y), z: \(z), w: \(w))" }
}

extension CMRotationMatrix: PrintedAsImportedFromC {
  public var description: String {
    let rows = [
      "m11: \(m11), m12: \(m12), m13: \(m13)", "m21: \(m21), m22: \(m22), m23: \(m23)",
      "m31: \(m31), m32: \(m32), m33: \(m33)",
    ]
    return "CMRotationMatrix(\(rows.joined(separator: ", ")))"
  }
}
