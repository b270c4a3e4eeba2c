public import Foundation
public import InertialLive

// A clock for code under test. A limit in seconds between two events, measured by `Date()`, counts the machine's time:
// hardly any passes in a recording that is played as fast as possible. Measured by the recording's clock the limit is
// right at any speed:
//
//     let source = try RecordingSource(path: "walk.csv", speed: .infinity)
//     let player = ShakePlayer(minimumInterval: 1, now: { source.now })   // in the app: Date.init
//
// Added to Apple's interface.
extension SensorSource {
  /// The date by the source's clock: the equivalent of `Date()` on a device.
  ///
  /// The clock of a recording follows its speed and pauses. Within a handler of an update, and in tasks that it starts,
  /// the date is the update's own time, so that limits have the same effect at every speed; elsewhere it is the
  /// playback position, which at infinite speed is up to 64 updates ahead of a handler. A recording without a date
  /// begins at the time at which it was opened. A stream uses the machine's clock: its date is `Date()`.
  public var now: Date {
    guard let time else { return Date() }
    var calendar = SourceCalendar(self)
    return calendar.date(time)
  }

  /// The seconds since 2001-01-01 00:00 UTC by the source's clock, as returned by `CFAbsoluteTimeGetCurrent()`; see
  /// `now`.
  public var absoluteTime: TimeInterval { now.timeIntervalSinceReferenceDate }
}

extension MotionSensors {
  /// The date by the clock of the process's source, or `Date()` without a source; see `SensorSource.now`.
  public static var now: Date { defaultSource?.now ?? Date() }

  /// The seconds since 2001-01-01 00:00 UTC by the clock of the process's source; see `SensorSource.now`.
  public static var absoluteTime: TimeInterval { now.timeIntervalSinceReferenceDate }
}
