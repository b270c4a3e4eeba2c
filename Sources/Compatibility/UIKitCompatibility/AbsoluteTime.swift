#if !canImport(Darwin)
  internal import CoreMotionCompatibility
  internal import Foundation

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

  /// Returns the time on the clock of the samples of the process's source, in seconds, or the machine's uptime without
  /// a source or if it is a stream.
  ///
  /// It is comparable with the `timestamp` of a sample, as on a device; within a handler of an update it is the
  /// update's own time.
  public func CACurrentMediaTime() -> CFTimeInterval {
    MotionSensors.defaultSource?.time ?? ProcessInfo.processInfo.systemUptime
  }
#endif
