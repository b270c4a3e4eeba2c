#if !canImport(Darwin)
  internal import CoreMotionCompatibility

  /// A duration in seconds.
  public typealias CFTimeInterval = Double

  /// A time in seconds since the start of 2001, UTC.
  public typealias CFAbsoluteTime = CFTimeInterval

  /// Returns the time by the clock of the process's source (`MotionSensors.absoluteTime`), or by the machine's clock
  /// without a source.
  ///
  /// Within a handler of an update or a shake, this is the event's own time, so that a minimum interval between two
  /// events has the same effect at any speed of a recording.
  public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { MotionSensors.absoluteTime }
#endif
