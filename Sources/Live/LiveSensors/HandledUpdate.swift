/// The update that code is handling now.
///
/// Handlers run behind a recording that is played as fast as possible. A clock for code under test must tell the time of
/// what it is handed, not of what is played meanwhile. Tasks that a handler starts keep it.
package enum HandledUpdate {
  private struct Moment: Sendable {
    var source: ObjectIdentifier
    var time: Double
  }

  @TaskLocal private static var moment: Moment?

  /// Calls a handler with an update of a source, of a time on its clock.
  package static func handle(of source: any SensorSource, at time: Double, _ handler: () -> Void) {
    $moment.withValue(Moment(source: ObjectIdentifier(source), time: time), operation: handler)
  }

  /// The time of the update that is handled; nil where none of that source's is.
  static func time(of source: any SensorSource) -> Double? {
    guard let moment, moment.source == ObjectIdentifier(source) else { return nil }
    return moment.time
  }
}
