internal import InertialLogs
internal import InertialSensors

extension FusionOptions {
  /// The options of a stream's log, with the channels that the dataset and its recognisers need.
  var streamLog: LogOptions {
    var log = log
    log.auxiliary = wantedChannels
    return log
  }

  /// - Throws: ``FusionError`` if an option needs the whole log.
  func checkStream() throws(FusionError) {
    try checkColumns()
    try checkNumbers()
    if smooths { throw .usage("--smooth needs the whole log; omit it with --follow") }
    if aligns { throw .usage("--align needs the whole log; omit it with --follow") }
    if hasTrack, track.carrying == .auto {
      throw .usage(
        "the path of a stream needs the placement of the device; add --on foot, hand, pocket, body or vehicle")
    }
    guard case .only(let channels) = channels else {
      throw .usage("--follow cannot determine the channels of a stream in advance; name them instead of 'all'")
    }
    if let event = channels.first(where: \.isEvent) {
      throw .usage("the events of \(event.name) need a file next to the dataset, which --follow does not write")
    }
  }
}
