public import Foundation
public import InertialLive

// A clock for code under test. A limit in seconds between two events, measured by `Date()`, counts the machine's time: in a
// recording that is played as fast as possible none passes. Measured by the recording's clock it holds at any speed:
//
//     let source = try RecordingSource(path: "walk.csv", speed: .infinity)
//     let player = ShakePlayer(minimumInterval: 1, now: { source.now })   // in the app: Date.init
//
// Added to Apple's interface.
extension SensorSource {
  /// The date by the source's clock: what `Date()` is to code on a device.
  ///
  /// Of a recording it runs with it at any speed, and stands where the recording stands. Within a handler of an update, and
  /// in tasks that it starts, it is the update's own time, so that limits come out the same at every speed; elsewhere it is
  /// where the recording is played, which as fast as possible is up to 64 updates ahead of a handler. A recording that does
  /// not know its date began when it was opened. Of a stream, whose time is the machine's, it is `Date()`.
  public var now: Date {
    guard let time else { return Date() }
    var calendar = SourceCalendar(self)
    return calendar.date(time)
  }

  /// Seconds since 2001-01-01 00:00 UTC by the source's clock, as `CFAbsoluteTimeGetCurrent()` gives them; see `now`.
  public var absoluteTime: TimeInterval { now.timeIntervalSinceReferenceDate }
}

extension MotionSensors {
  /// The date by the clock of the process's source, `Date()` where there is none; see `SensorSource.now`.
  public static var now: Date { defaultSource?.now ?? Date() }

  /// Seconds since 2001-01-01 00:00 UTC by the clock of the process's source; see `SensorSource.now`.
  public static var absoluteTime: TimeInterval { now.timeIntervalSinceReferenceDate }
}
