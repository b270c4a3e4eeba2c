extension LogOptions {
  /// The factor from an acceleration, by default in m/s² of specific force as Android's (SensorEvent), to g with Core
  /// Motion's sign.
  var specificForceScale: Double {
    (accelerationSign == .gravity ? 1 : -1) * (accelerationUnit ?? .metersPerSecondSquared).scale
  }

  /// The description of this conversion.
  var specificForceConversion: String {
    "acceleration: \((accelerationUnit ?? .metersPerSecondSquared).title) of "
      + (accelerationSign == .gravity ? "Core Motion's sign to g" : "specific force to g, sign inverted")
  }

  /// The note about this conversion and its source.
  var specificForceNote: String {
    specificForceConversion + (accelerationUnit == nil && accelerationSign == nil ? "" : ", by option")
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
