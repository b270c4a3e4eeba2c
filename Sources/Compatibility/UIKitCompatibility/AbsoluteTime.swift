#if !canImport(Darwin)
  internal import CoreMotionCompatibility

  /// Seconds.
  public typealias CFTimeInterval = Double

  /// Seconds since the start of 2001, UTC.
  public typealias CFAbsoluteTime = CFTimeInterval

  /// The time by the clock of the process's source (`MotionSensors.absoluteTime`), the machine's where there is none.
  ///
  /// Where an update or a shake is handled it is that one's own time, so that a limit of so many seconds between two holds
  /// at any speed of a recording.
  public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { MotionSensors.absoluteTime }
#endif
