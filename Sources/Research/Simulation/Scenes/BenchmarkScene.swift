/// A motion with its sensors and disturbances, for comparing filters. It is drawn for every seed, with ground truth in
/// closed form.
public struct BenchmarkScene: Sendable {
  /// The name on the command line and in tables.
  public let name: String
  /// The description, in one sentence.
  public let summary: String
  /// The duration, in seconds.
  public let duration: Double
  /// The evaluated time, in seconds.
  public let window: ClosedRange<Double>
  /// Whether the gyroscope's range is passed to filters that accept it, as if the user knew it.
  public let declaresRange: Bool
  /// The devices that record the scene.
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

  /// Returns the motion for a seed.
  public func trajectory(seed: UInt64) -> any Trajectory {
    var draw = SceneDraw(scene: name, seed: seed)
    return motion(&draw, duration)
  }

  /// Returns the sensors for a seed: the same device in all scenes with the same population, with the scene's
  /// disturbances.
  public func sensors(seed: UInt64) -> SensorSuite {
    var suite = devices.device(seed: seed)
    adjust(&suite)
    return suite
  }

  /// Returns the log for a seed.
  ///
  /// - Parameters:
  ///   - seed: The seed.
  ///   - sensors: The sensors, or `nil` for the scene's own.
  ///   - duration: The duration in seconds, or `nil` for the scene's own.
  public func simulation(seed: UInt64, sensors: SensorSuite? = nil, duration: Double? = nil) -> Simulation {
    Simulation(
      trajectory: trajectory(seed: seed), sensors: sensors ?? self.sensors(seed: seed),
      duration: duration ?? self.duration, seed: seed)
  }

  /// Returns the scene with a name, or `nil`.
  public static func named(_ name: String) -> BenchmarkScene? { all.first { $0.name == name } }
}
