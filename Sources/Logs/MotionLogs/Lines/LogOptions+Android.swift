extension LogOptions {
  /// The unit and sign of an Android log's acceleration: specific force in m/s² (SensorEvent) unless specified otherwise.
  private var androidAcceleration: (unit: AccelerationUnit, sign: AccelerationSign) {
    (accelerationUnit ?? .metersPerSecondSquared, accelerationSign ?? .specificForce)
  }

  /// The factor from an Android log's acceleration to g with Core Motion's sign.
  var androidAccelerationScale: Double {
    (androidAcceleration.sign == .gravity ? 1 : -1) * androidAcceleration.unit.scale
  }

  /// The note about the unit and sign of an Android log's acceleration.
  var androidAccelerationNote: String {
    let (unit, sign) = androidAcceleration
    return "acceleration: \(unit.title) of "
      + (sign == .gravity ? "Core Motion's sign to g" : "specific force to g, sign inverted")
      + (accelerationUnit == nil && accelerationSign == nil ? "" : ", by option")
  }

  /// The factor from the field's unit, µT unless specified otherwise, to µT.
  var fieldScale: Double {
    switch fieldUnit ?? .microtesla {
    case .microtesla: 1
    case .nanotesla: 1e-3
    case .millitesla: 1e3
    case .gauss: 100
    }
  }
}
