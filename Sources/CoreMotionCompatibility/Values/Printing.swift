// Apple's C structs and enums print as Swift imports them: by themselves as Swift's own, inside an Optional or an array
// with the module of C.

extension CMAcceleration: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "CMAcceleration(x: \(x), y: \(y), z: \(z))" }
  public var debugDescription: String { "__C." + description }
}

extension CMRotationRate: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "CMRotationRate(x: \(x), y: \(y), z: \(z))" }
  public var debugDescription: String { "__C." + description }
}

extension CMMagneticField: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "CMMagneticField(x: \(x), y: \(y), z: \(z))" }
  public var debugDescription: String { "__C." + description }
}

extension CMMagneticFieldCalibrationAccuracy: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "CMMagneticFieldCalibrationAccuracy(rawValue: \(rawValue))" }
  public var debugDescription: String { "__C." + description }
}

extension CMCalibratedMagneticField: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    "CMCalibratedMagneticField(field: \(field.debugDescription), accuracy: \(accuracy.debugDescription))"
  }
  public var debugDescription: String { "__C." + description }
}

extension CMQuaternion: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "CMQuaternion(x: \(x), y: \(y), z: \(z), w: \(w))" }
  public var debugDescription: String { "__C." + description }
}

extension CMRotationMatrix: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    let rows = [
      "m11: \(m11), m12: \(m12), m13: \(m13)", "m21: \(m21), m22: \(m22), m23: \(m23)",
      "m31: \(m31), m32: \(m32), m33: \(m33)",
    ]
    return "CMRotationMatrix(\(rows.joined(separator: ", ")))"
  }
  public var debugDescription: String { "__C." + description }
}
