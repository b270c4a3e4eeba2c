/// The source and the time of the update that the current task is handling.
///
/// Handlers are slower than the playback of a recording at infinite speed. A clock for the code under test has to return the
/// time of the handled update, not the playback position. Tasks that a handler starts inherit the update.
@TaskLocal private var handledUpdate: (source: ObjectIdentifier, time: Double)?

extension SensorSource {
  /// Calls a handler with an update; `time` is on the source's clock, in seconds.
  package func handleUpdate(at time: Double, _ handler: () -> Void) {
    $handledUpdate.withValue((ObjectIdentifier(self), time), operation: handler)
  }

  /// The time of the update that is being handled, in seconds, or `nil` if no update of the source is.
  var handledTime: Double? {
    guard let handledUpdate, handledUpdate.source == ObjectIdentifier(self) else { return nil }
    return handledUpdate.time
  }
}
