/// A motion with the sensors and the disturbances that belong to it, for comparing filters: drawn anew for every seed, its
/// truth in closed form.
public struct BenchmarkScene: Sendable {
  /// What the command line and tables call it.
  public let name: String
  /// One sentence.
  public let summary: String
  /// Seconds.
  public let duration: Double
  /// The time that is judged, seconds.
  public let window: ClosedRange<Double>
  /// Whether a user is taken to know the gyroscope's range and to tell it to filters that ask.
  public let declaresRange: Bool
  /// The devices that it is recorded with.
  public var devices: DevicePopulation
  private let motion: @Sendable (_ draw: inout SceneDraw, _ duration: Double) -> any Trajectory
  private let adjust: @Sendable (inout SensorSuite) -> Void

  init(
    _ name: String, _ summary: String, duration: Double = 90, window: ClosedRange<Double>? = nil,
    declaresRange: Bool = false, devices: DevicePopulation = .phone,
    adjust: @escaping @Sendable (inout SensorSuite) -> Void = { _ in },
    motion: @escaping @Sendable (_ draw: inout SceneDraw, _ duration: Double) -> any Trajectory
  ) {
    self.name = name
    self.summary = summary
    self.duration = duration
    self.window = window ?? 5...duration
    self.declaresRange = declaresRange
    self.devices = devices
    self.motion = motion
    self.adjust = adjust
  }

  /// The motion of a seed.
  public func trajectory(seed: UInt64) -> any Trajectory {
    var draw = SceneDraw(scene: name, seed: seed)
    return motion(&draw, duration)
  }

  /// The sensors of a seed: the same device in all scenes with the same population, with the scene's disturbances.
  public func sensors(seed: UInt64) -> SensorSuite {
    var suite = devices.device(seed: seed)
    adjust(&suite)
    return suite
  }

  /// The log of a seed.
  ///
  /// - `sensors`: in place of the scene's own.
  /// - `duration`: seconds, in place of the scene's own.
  public func simulation(seed: UInt64, sensors: SensorSuite? = nil, duration: Double? = nil) -> Simulation {
    Simulation(
      trajectory: trajectory(seed: seed), sensors: sensors ?? self.sensors(seed: seed),
      duration: duration ?? self.duration, seed: seed)
  }

  /// A scene by its name, or nil.
  public static func named(_ name: String) -> BenchmarkScene? { all.first { $0.name == name } }
}
