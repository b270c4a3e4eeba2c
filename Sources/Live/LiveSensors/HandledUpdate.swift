/// The update that the current task is handling.
///
/// Handlers lag behind the playback of a recording at infinite speed. A clock for the code under test has to return the
/// time of the handled update, not the playback position. Tasks that a handler starts inherit the update.
package enum HandledUpdate {
  private struct Moment: Sendable {
    var source: ObjectIdentifier
    var time: Double
  }

  @TaskLocal private static var moment: Moment?

  /// Calls a handler with an update of a source; `time` is on the source's clock.
  package static func handle(of source: any SensorSource, at time: Double, _ handler: () -> Void) {
    $moment.withValue(Moment(source: ObjectIdentifier(source), time: time), operation: handler)
  }

  /// Returns the time of the update that is being handled, or `nil` if no update of the source is.
  static func time(of source: any SensorSource) -> Double? {
    guard let moment, moment.source == ObjectIdentifier(source) else { return nil }
    return moment.time
  }
}
