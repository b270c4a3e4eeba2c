internal import InertialSensors

// Findings about sensors whose axes do not match.
//
// The candidates are mappings of the gyroscope's axes. If the axes of a direction sensor are mapped by P, the
// gyroscope appears to be mapped by det(P)·P, which is a rotation for any P. That sensor is therefore corrected by the
// inverse or its negative: rotations do not determine the sign of the whole direction.
extension Diagnostic {
  /// Returns the finding for a gyroscope that does not rotate as other sensors do.
  static func gyroscopeAxes(_ axes: [SignedAxes], against what: String) -> Diagnostic {
    let signs = axes[0] == SignedAxes.identity.negated
    let cause =
      signs
      ? "its sign is inverted, or the log's axes are left-handed"
      : "its axes are swapped or inverted"
    return .certain(
      "The gyroscope does not turn as \(what) do: \(cause). " + remedy(axes.map { "gyroscope=" + $0.text }),
      answer(.gyroscope, axes))
  }

  /// Returns the finding for a direction sensor if the gyroscope agrees with another sensor.
  static func directionAxes(_ sensor: SensorAxes.Sensor, _ axes: [SignedAxes]) -> Diagnostic {
    let turns = axes.filter { $0.determinant > 0 }
    guard !turns.isEmpty else { return eitherAxes(sensor, axes) }
    return .certain(
      "The \(sensor.rawValue)'s axes do not match those of the other sensors. "
        + remedy(turns.flatMap { [$0.inverse, $0.inverse.negated] }.map { "\(sensor.rawValue)=" + $0.text })
        + " Rotations do not distinguish a pair that differs in all signs.")
  }

  /// Returns the finding for an accelerometer that contradicts the log's own gravity, which also determines the sign.
  static func accelerometerAxes(_ axes: [SignedAxes]) -> Diagnostic {
    let cause =
      axes[0] == SignedAxes.identity.negated
      ? "The acceleration points opposite to the log's own gravity: its sign is inverted."
      : "The accelerometer's axes are not those of the log's own gravity."
    return .certain(
      cause + " " + accelerometerRemedy(axes).capitalizedFirst + ".", answer(.accelerometer, axes))
  }

  /// Returns the remedy that maps an accelerometer to the log's own gravity, without a full stop.
  static func accelerometerRemedy(_ axes: [SignedAxes]) -> String {
    axes[0] == SignedAxes.identity.negated
      ? "try the other --acceleration-sign, or --axes accelerometer=-x,-y,-z"
      : options(axes.map { "accelerometer=" + $0.text })
  }

  /// Returns the finding if the faulty one of the two sensors is unknown.
  static func eitherAxes(_ sensor: SensorAxes.Sensor, _ axes: [SignedAxes]) -> Diagnostic {
    if axes[0] == SignedAxes.identity.negated {
      return .certain(
        "The gyroscope turns opposite to the \(sensor.rawValue): its sign is inverted, or the log's axes are "
          + "left-handed. " + remedy(axes.map { "gyroscope=" + $0.text }), answer(.gyroscope, axes))
    }
    var text =
      "The gyroscope and the \(sensor.rawValue) do not have the same axes. "
      + remedy(axes.map { "gyroscope=" + $0.text })
    let turns = axes.filter { $0.determinant > 0 }
    if !turns.isEmpty {
      text +=
        " Or, if it is the \(sensor.rawValue): "
        + turns.prefix(2).flatMap { [$0.inverse, $0.inverse.negated] }.map { "--axes \(sensor.rawValue)=" + $0.text }
        .joined(separator: " or ") + "."
    }
    return .certain(text)
  }

  /// Returns the option that corrects a sensor's axes, or `nil` if several mappings fit equally well.
  static func answer(_ sensor: SensorAxes.Sensor, _ axes: [SignedAxes]) -> LogAnswer? {
    axes.count == 1 ? .axes(SensorAxes(sensor: sensor, mapping: axes[0])) : nil
  }

  private static func remedy(_ axes: [String]) -> String { options(axes).capitalizedFirst + "." }

  private static func options(_ axes: [String]) -> String {
    let shown = axes.prefix(4).map { "--axes " + $0 }.joined(separator: " or ")
    guard axes.count > 4 else { return "try \(shown)" }
    return "try \(shown); the motion fits \(axes.count - 4) more as well, so turn the device about all axes"
  }
}

extension String {
  /// The string with an uppercase first letter.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
