extension LogOptions.AccelerationUnit {
  /// Creates a unit from the value of an option, or `nil` if the value is not a unit of acceleration.
  package init?(_ text: String) {
    switch text {
    case "g": self = .g
    case "m/s2": self = .metersPerSecondSquared
    default:
      guard Dimension.acceleration.conversion(from: text, isExact: true) != nil else { return nil }
      self = .named(text)
    }
  }

  /// The value of the option.
  package var text: String {
    switch self {
    case .g: "g"
    case .metersPerSecondSquared: "m/s2"
    case .named(let name): name
    }
  }

  /// The name in a reader's notes.
  var title: String { self == .metersPerSecondSquared ? "m/s²" : text }

  /// The factor from this unit to g, or NaN if the name is not a unit.
  var scale: Double { Dimension.acceleration.conversion(from: text)?(1) ?? .nan }
}

extension LogOptions.RotationUnit {
  /// Creates a unit from the value of an option, or `nil` if the value is not a unit of rotation rate.
  package init?(_ text: String) {
    switch text {
    case "rad/s": self = .radiansPerSecond
    case "deg/s": self = .degreesPerSecond
    default:
      guard Dimension.rotation.conversion(from: text, isExact: true) != nil else { return nil }
      self = .named(text)
    }
  }

  /// The value of the option.
  package var text: String {
    switch self {
    case .radiansPerSecond: "rad/s"
    case .degreesPerSecond: "deg/s"
    case .named(let name): name
    }
  }
}

extension LogOptions {
  /// The factor to rad/s. Rates without the option are in rad/s.
  var rotationScale: Double { rotationUnit.map { Dimension.rotation.conversion(from: $0.text)?(1) ?? .nan } ?? 1 }
}
