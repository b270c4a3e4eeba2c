internal import InertialSensors

/// Sentences about sensors whose axes do not fit one another.
///
/// The candidates are ways to read the gyroscope's axes. A sensor of a direction that is itself read by P makes the
/// gyroscope look read by det(P)·P, a turn whatever P is; so what mends that sensor is the inverse, or its mirror image:
/// the sign of the whole direction cannot be told by turning.
enum AxesFinding {
  static func gyroscope(_ axes: [SignedAxes], against what: String) -> Finding {
    let signs = axes[0] == SignedAxes.identity.negated
    let cause =
      signs
      ? "its sign is turned round, or the log's axes are left-handed"
      : "its axes are swapped or turned round"
    return .certain(
      "The gyroscope does not turn as \(what) do: \(cause). " + remedy(axes.map { "gyroscope=" + $0.text }),
      answer(.gyroscope, axes))
  }

  /// The gyroscope agrees with something else, so this sensor is at fault.
  static func direction(_ sensor: SensorAxes.Sensor, _ axes: [SignedAxes]) -> Finding {
    let turns = axes.filter { $0.determinant > 0 }
    guard !turns.isEmpty else { return either(sensor, axes) }
    return .certain(
      "The \(sensor.rawValue)'s axes do not fit those of the other sensors. "
        + remedy(turns.flatMap { [$0.inverse, $0.inverse.negated] }.map { "\(sensor.rawValue)=" + $0.text })
        + " Turning does not distinguish a pair that differs in all signs.")
  }

  /// The log's own gravity tells the sign as well.
  static func accelerometer(_ axes: [SignedAxes]) -> Finding {
    let cause =
      axes[0] == SignedAxes.identity.negated
      ? "The acceleration points the other way than the log's own gravity: its sign is turned round."
      : "The accelerometer's axes are not those of the log's own gravity."
    let remedy = accelerometerRemedy(axes)
    return .certain(
      cause + " " + remedy.prefix(1).uppercased() + remedy.dropFirst() + ".", answer(.accelerometer, axes))
  }

  /// What turns an accelerometer to the log's own gravity, without a full stop.
  static func accelerometerRemedy(_ axes: [SignedAxes]) -> String {
    axes[0] == SignedAxes.identity.negated
      ? "try the other --acceleration-sign, or --axes accelerometer=-x,-y,-z"
      : options(axes.map { "accelerometer=" + $0.text })
  }

  /// Nothing tells which of the two is at fault.
  static func either(_ sensor: SensorAxes.Sensor, _ axes: [SignedAxes]) -> Finding {
    if axes[0] == SignedAxes.identity.negated {
      return .certain(
        "The gyroscope turns the other way than the \(sensor.rawValue) says: its sign is turned round, or the log's axes are "
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

  /// The option that reads a sensor's axes otherwise; nil if several ways fit alike.
  static func answer(_ sensor: SensorAxes.Sensor, _ axes: [SignedAxes]) -> LogAnswer? {
    axes.count == 1 ? .axes(SensorAxes(sensor: sensor, mapping: axes[0])) : nil
  }

  private static func remedy(_ axes: [String]) -> String {
    let text = options(axes)
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private static func options(_ axes: [String]) -> String {
    let shown = axes.prefix(4).map { "--axes " + $0 }.joined(separator: " or ")
    guard axes.count > 4 else { return "try \(shown)" }
    return "try \(shown); the motion fits \(axes.count - 4) more as well, so turn the device about all axes to tell"
  }
}
