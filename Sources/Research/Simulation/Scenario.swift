internal import InertialNumerics
internal import InertialRotations

/// A kind of motion by name, with parameters by name, as in `inertial simulate`.
public struct Scenario: Sendable {
  /// A numeric parameter of a scenario.
  public struct Parameter: Sendable, Hashable {
    /// The name for `--set`.
    public let name: String
    /// The unit of the values.
    public let unit: String
    /// The default value, in `unit`.
    public let defaultValue: Double
    /// The range of valid values.
    public let range: ClosedRange<Double>
    /// A short description.
    public let meaning: String
  }

  /// The name on the command line.
  public let name: String
  /// The description, in one sentence.
  public let summary: String
  /// The parameters, with defaults and ranges.
  public let parameters: [Parameter]
  private let make: @Sendable (_ value: (String) -> Double, _ duration: Double, _ seed: UInt64) -> any Trajectory

  /// Returns the trajectory with the given parameters and the defaults of the others.
  ///
  /// - Parameters:
  ///   - given: The values by parameter name.
  ///   - duration: The duration of the log, in seconds; used only by `random-spline` and `tumbling`, to come to rest at
  ///     the end.
  ///   - seed: The seed of the motion, for scenarios with random motion.
  public func trajectory(
    parameters given: [String: Double] = [:], duration: Double, seed: UInt64
  ) throws(ScenarioError) -> any Trajectory {
    var values: [String: Double] = [:]
    for parameter in parameters { values[parameter.name] = parameter.defaultValue }
    for (name, value) in given.sorted(by: { $0.key < $1.key }) {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        throw .unknownParameter(name: name, scenario: self.name, known: parameters.map(\.name))
      }
      guard parameter.range.contains(value) else {
        throw .valueOutOfRange(name: name, value: value, range: parameter.range, unit: parameter.unit)
      }
      values[name] = value
    }
    return make({ values[$0]! }, duration, seed)
  }

  /// The names of all scenarios.
  public static var allNames: [String] { all.map(\.name) }

  /// Returns the scenario with a name.
  public static func named(_ name: String) throws(ScenarioError) -> Scenario {
    guard let scenario = all.first(where: { $0.name == name }) else {
      throw .unknownScenario(name: name, known: allNames)
    }
    return scenario
  }

  /// All scenarios.
  public static let all = [
    rest, turn, coning, circle, walk, strides, shake, randomSpline, poses, tumbling, figureEight,
  ]

  /// A device at rest.
  public static let rest = Scenario(
    name: "rest", summary: "The device lies still.",
    parameters: [
      Parameter("yaw", "rad", 0, -angle...angle, "about the vertical, counter-clockwise from north"),
      Parameter("pitch", "rad", 0, -angle...angle, "about the device's x axis"),
      Parameter("roll", "rad", 0, -angle...angle, "about the device's y axis"),
    ]
  ) { value, _, _ in
    var chain = RotationChain()
    chain.rotate(
      yaw: .constant(value("yaw")), pitch: .constant(value("pitch")), roll: .constant(value("roll")))
    return RestTrajectory(attitude: chain.attitude)
  }

  /// A rest, one rotation about an axis of the device, and a rest.
  public static let turn = Scenario(
    name: "turn", summary: "Rest, one rotation about an axis of the device, rest.",
    parameters: [
      Parameter("axisX", "1", 0, -1...1, "the axis in the device frame; its length does not matter"),
      Parameter("axisY", "1", 0, -1...1, "see axisX"),
      Parameter("axisZ", "1", 1, -1...1, "see axisX"),
      Parameter("angle", "rad", .pi / 2, -1000...1000, "the total rotation"),
      Parameter("start", "s", 5, 0...1e9, "start of the rotation"),
      Parameter("duration", "s", 2, 0.01...1e9, "duration of the rotation"),
    ]
  ) { value, _, _ in
    TurnTrajectory(
      axis: Vector3(value("axisX"), value("axisY"), value("axisZ")), angle: value("angle"),
      start: value("start"), duration: value("duration"))
  }

  /// A motion in which the device's z axis moves along a cone about the vertical.
  public static let coning = Scenario(
    name: "coning", summary: "The device's z axis describes a cone about the vertical.",
    parameters: [
      Parameter("halfAngle", "rad", 0.2, 0...angle, "half the cone's opening angle"),
      Parameter("frequency", "Hz", 1, -100...100, "revolutions per second"),
    ]
  ) { value, _, _ in
    ConingTrajectory(halfAngle: value("halfAngle"), frequency: value("frequency"))
  }

  /// A level circle at constant speed, with the device's top in the direction of travel.
  public static let circle = Scenario(
    name: "circle", summary: "A level circle at constant speed, the device's top in the direction of travel.",
    parameters: [
      Parameter("radius", "m", 5, 0.01...1e6, "radius of the circle"),
      Parameter("speed", "m/s", 1.5, -1000...1000, "speed along the circle"),
    ]
  ) { value, _, _ in
    CircleTrajectory(radius: value("radius"), speed: value("speed"))
  }

  /// A walk straight ahead with the device held in front of the body.
  public static let walk = Scenario(
    name: "walk", summary: "A walk straight ahead with the device held in front of the body.",
    parameters: [
      Parameter("cadence", "Hz", 1.9, 0.1...10, "steps per second"),
      Parameter("speed", "m/s", 1.4, 0...20, "mean speed"),
      Parameter("course", "rad", 0, -angle...angle, "direction of travel, counter-clockwise from north"),
      Parameter("pitch", "rad", 0.6, -angle...angle, "mean pitch of the device"),
      Parameter("bounce", "m", 0.022, 0...1, "amplitude of the body's rise and fall"),
      Parameter("sway", "rad", 0.1, 0...1, "amplitude of the hand's yaw"),
    ]
  ) { value, _, _ in
    WalkTrajectory(
      cadence: value("cadence"), speed: value("speed"), course: value("course"), pitch: value("pitch"),
      bounce: value("bounce"), sway: value("sway"))
  }

  /// A foot that walks along a square and returns to its start.
  public static let strides = Scenario(
    name: "strides", summary: "A device on a foot that walks along a square and stands where it began.",
    parameters: [
      Parameter("side", "1", 15, 1...1e5, "strides per side, rounded to a whole number"),
      Parameter("length", "m", 1.3, 0...10, "length of a stride"),
      Parameter("rise", "m", 0, -2...2, "rise of a stride on the first two sides; the other sides fall as much"),
      Parameter("swing", "s", 0.5, 0.1...10, "time of the foot in the air"),
      Parameter("stance", "s", 0.4, 0...1e3, "time on the ground between swings"),
      Parameter("rest", "s", 2, 0...1e6, "initial time at rest"),
      Parameter("pitch", "rad", 0.7, -1.5...1.5, "amplitude of the foot's pitch"),
      Parameter("lift", "m", 0.1, 0...1, "height to which a swing lifts the foot"),
    ]
  ) { value, _, _ in
    StridesTrajectory(
      side: Int(value("side").rounded()), length: value("length"), rise: value("rise"), swing: value("swing"),
      stance: value("stance"), rest: value("rest"), pitch: value("pitch"), lift: value("lift"))
  }

  /// Bouts of shaking by hand, separated by pauses.
  public static let shake = Scenario(
    name: "shake", summary: "Bouts of shaking by hand between pauses.",
    parameters: [
      Parameter("frequency", "Hz", 4, 0.1...50, "swings back and forth per second"),
      Parameter("peakAcceleration", "g", 2.5, 0...100, "amplitude of the acceleration"),
      Parameter("swing", "rad", 0.25, 0...1.5, "amplitude of the wrist's rotation"),
      Parameter("pitch", "rad", 0.7, -angle...angle, "mean pitch of the device"),
      Parameter("pauseDuration", "s", 4, 0...1e6, "length of a pause; the log begins with one"),
      Parameter("boutDuration", "s", 3, 0.6...1e6, "length of a bout"),
    ]
  ) { value, _, _ in
    ShakeTrajectory(
      frequency: value("frequency"), peakAcceleration: value("peakAcceleration"), swing: value("swing"),
      pitch: value("pitch"), pauseDuration: value("pauseDuration"), boutDuration: value("boutDuration"))
  }

  /// A smooth random motion through all attitudes, between two rests.
  public static let randomSpline = Scenario(
    name: "random-spline", summary: "A smooth random motion through all attitudes, between two rests.",
    parameters: [
      Parameter("restDuration", "s", 3, 0...1e6, "rest at the start, in whole knot intervals"),
      Parameter("knotInterval", "s", 0.5, 0.01...1e3, "time between control points; smaller is quicker"),
      Parameter("rotationStep", "rad", 0.6, 0...1.5, "deviation per axis of the rotation between control points"),
      Parameter("positionSpread", "m", 0.15, 0...1e3, "deviation per axis of the control positions"),
    ]
  ) { value, duration, seed in
    RandomSplineTrajectory(
      duration: duration, restDuration: value("restDuration"), knotInterval: value("knotInterval"),
      rotationStep: value("rotationStep"), positionSpread: value("positionSpread"), seed: seed)
  }

  /// Rests in many attitudes, with rotations between them, to calibrate accelerometer and gyroscope.
  public static let poses = Scenario(
    name: "poses",
    summary: "For calibration: rests in many attitudes, each axis up and down first, with rotations between.",
    parameters: [
      Parameter("count", "1", 24, 1...10_000, "attitudes; the last one is kept"),
      Parameter("restDuration", "s", 3, 0.01...1e6, "rest in each attitude"),
      Parameter("turnDuration", "s", 2, 0.01...1e6, "rotation to the next attitude"),
    ]
  ) { value, _, seed in
    PosesTrajectory(
      count: Int(value("count").rounded()), restDuration: value("restDuration"), turnDuration: value("turnDuration"),
      seed: seed)
  }

  /// A rest, followed by slow rotations through all attitudes.
  public static let tumbling = Scenario(
    name: "tumbling", summary: "For calibration: a rest, then slow rotations through all attitudes in place.",
    parameters: [
      Parameter("restDuration", "s", 5, 0...1e6, "rest at the start, in whole knot intervals"),
      Parameter("knotInterval", "s", 1, 0.01...1e3, "time between control points; smaller is quicker"),
      Parameter("rotationStep", "rad", 0.9, 0...1.5, "deviation per axis of the rotation between control points"),
    ]
  ) { value, duration, seed in
    RandomSplineTrajectory(
      duration: duration, restDuration: value("restDuration"), knotInterval: value("knotInterval"),
      rotationStep: value("rotationStep"), positionSpread: 0.02, seed: seed)
  }

  /// Figures of eight, to calibrate the magnetometer.
  public static let figureEight = Scenario(
    name: "figure-eight", summary: "For calibration of the magnetometer: the device is waved in figures of eight.",
    parameters: [
      Parameter("frequency", "Hz", 0.4, 0.01...5, "eights per second"),
      Parameter("swing", "rad", 2.4, 0...angle, "amplitude of the wrist's rotation"),
    ]
  ) { value, _, _ in
    FigureEightTrajectory(frequency: value("frequency"), swing: value("swing"))
  }

  /// The range of angle parameters is one full turn in both directions.
  private static let angle = 2 * Double.pi
}

extension Scenario.Parameter {
  fileprivate init(
    _ name: String, _ unit: String, _ defaultValue: Double, _ range: ClosedRange<Double>, _ meaning: String
  ) {
    self.init(name: name, unit: unit, defaultValue: defaultValue, range: range, meaning: meaning)
  }
}

/// An error in the request for a scenario.
public enum ScenarioError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The scenario does not exist; `known` contains all names.
  case unknownScenario(name: String, known: [String])
  /// The scenario has no parameter with the name; `known` contains its parameters.
  case unknownParameter(name: String, scenario: String, known: [String])
  /// The value is out of the parameter's range.
  case valueOutOfRange(name: String, value: Double, range: ClosedRange<Double>, unit: String)

  public var description: String {
    switch self {
    case .unknownScenario(let name, let known):
      "there is no scenario '\(name)'; choose one of \(known.joined(separator: ", "))"
    case .unknownParameter(let name, let scenario, let known):
      "scenario '\(scenario)' has no parameter '\(name)'; it has \(known.joined(separator: ", "))"
    case .valueOutOfRange(let name, let value, let range, let unit):
      "\(name) = \(value) is out of range; use \(range.lowerBound) to \(range.upperBound) \(unit)"
    }
  }
}
