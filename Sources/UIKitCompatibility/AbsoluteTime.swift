#if !canImport(Darwin)
  internal import Foundation

  /// Seconds.
  public typealias CFTimeInterval = Double

  /// Seconds since the start of 2001, UTC.
  public typealias CFAbsoluteTime = CFTimeInterval

  /// The time of the clock on the wall, which a recording that is played faster than it was made does not follow: code
  /// that limits a rate should use the samples' timestamps.
  public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }
#endif
