internal import InertialLogs
internal import InertialNavigation
internal import InertialNumerics

extension FusionJob {
  /// Whether the path takes a pass of its own over the log.
  var surveysTrack: Bool { options.hasTrack && (options.smooths || options.track.carrying == .auto) }

  /// Where the path begins, where the user says it.
  package var start: LocalFrame? {
    options.location.map { LocalFrame(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude) }
  }

  /// - Throws: where what is asked of the path cannot be.
  func checkTrack() throws(FusionError) {
    if options.hasTrack, options.track.isClosed, !options.smooths {
      throw .usage("--closed needs --smooth: what the end tells of the way before it is told by the whole log")
    }
  }

  /// What finds the path beside the fusion; nil where none is wanted.
  ///
  /// With `smooths` it is known from a first pass over the log, and with nobody to say what the device is on, that is told from
  /// one.
  ///
  /// - Parameter recorded: what that pass has kept; nil where `surveysTrack` is not.
  func trackAnnotator(_ recorded: TrackRecording?) throws(FusionError) -> TrackAnnotator? {
    guard options.hasTrack else { return nil }
    guard let recorded else { return TrackAnnotator(options.track, frame: start) }
    let decision = recorded.decision(options.track.carrying)
    if decision.carrying == .vehicle, recorded.fixes.isEmpty {
      throw .badData(
        "\(input): a vehicle's path needs position fixes, and the log has none (channel location); with --on hand steps "
          + "and headings are tried")
    }
    if options.track.isClosed, decision.carrying != .foot {
      throw .usage(
        "--closed is of feet, and this is on \(decision.carrying.rawValue) (\(decision.reason)): an end says little of where a "
          + "walker's steps were longer; leave it out")
    }
    var known = options.track
    known.carrying = decision.carrying
    if let lack = recorded.lack(decision.carrying) {
      var none = TrackAnnotator(TrackPath([], frame: nil), decision: decision)
      none.report.noSteps = lack
      return none
    }
    guard options.smooths else { return TrackAnnotator(known, decision: decision, frame: start) }
    let estimates = recorded.path(known, carrying: decision.carrying)
    guard !estimates.isEmpty else {
      throw .badData("\(input): no path: the log is shorter than a third of a second")
    }
    var annotator = TrackAnnotator(TrackPath(estimates, frame: recorded.frame ?? start), decision: decision)
    annotator.report.hasFixes = !recorded.fixes.isEmpty
    if known.isClosed {
      // The last place as it goes is the last that a smoother finds.
      annotator.report.opening = recorded.follow(known, decision.carrying).map(PathReport.Opening.init)
    }
    return annotator
  }

  /// Runs, and draws the path on the earth.
  ///
  /// - Parameter mapPath: a name that says its format; nil for none.
  package func run(mapPath: String?, progress: (Double) -> Void) throws(FusionError) -> Report {
    guard let mapPath else { return try run(progress: progress) }
    try check(outputs)
    guard !outputs.contains(where: { $0.path == mapPath }) else {
      throw .usage("\(mapPath): is the path of the dataset and of the map; give each its own")
    }
    let file = try OutputFiles([mapPath], sparing: InputGuard(inputs), force: options.force)
    let report = try run(
      into: nil,
      tell: { (stage, log) throws(FusionError) in
        // A map that cannot be drawn leaves no dataset either.
        guard let path = stage.track?.report, path.lack == nil else { return }
        let map = MapFile(path: mapPath, places: path.places, epoch: log.description.epoch, name: input)
        try file.write(map.text(), to: mapPath)
      }, progress: progress)
    if report.path?.lack == nil { try file.commit() }
    return report
  }
}
