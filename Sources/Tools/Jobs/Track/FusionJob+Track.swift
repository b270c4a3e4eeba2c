internal import InertialLogs
internal import InertialNavigation
internal import InertialNumerics
internal import InertialSensors

extension FusionJob {
  /// Whether the path requires an additional pass over the log.
  var needsTrackFirstPass: Bool { options.hasTrack && (options.smooths || options.track.carrying == .auto) }

  /// The local frame at the path's start, if the options specify a location.
  package var start: LocalFrame? {
    options.location.map { LocalFrame(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude) }
  }

  /// Checks that the options of the path are compatible.
  ///
  /// - Throws: ``FusionError`` if they are not.
  func checkTrack() throws(FusionError) {
    if options.hasTrack, options.track.isClosed, !options.smooths {
      throw .usage("--closed needs --smooth, as the end corrects the path before it")
    }
  }

  /// Returns the annotator that computes the path, or `nil` if no path is requested.
  ///
  /// With `smooths`, the path comes from a first pass over the log. If the placement is automatic, it is also
  /// determined in a first pass.
  ///
  /// - Parameter recorded: The record of the first pass, or `nil` if `needsTrackFirstPass` is false.
  func trackAnnotator(_ recorded: TrackRecording?) throws(FusionError) -> TrackAnnotator? {
    guard options.hasTrack else { return nil }
    guard let recorded else { return TrackAnnotator(options.track, frame: start) }
    let decision = recorded.decision(options.track.carrying)
    if decision.carrying == .vehicle, recorded.fixes.isEmpty {
      throw .badData(
        "\(input): a vehicle's path needs position fixes, but the log has no channel location; use --on hand for a path "
          + "from steps and headings")
    }
    if options.track.isClosed, decision.carrying != .foot {
      throw .usage(
        "--closed needs a sensor on a foot, and this is on \(decision.carrying.rawValue) (\(decision.reason)); the end "
          + "determines little about a walker's step lengths; omit it")
    }
    var known = options.track
    known.carrying = decision.carrying
    var report = PathReport(on: decision.carrying, reason: decision.reason)
    if let missingInputReason = recorded.missingInputReason(decision.carrying) {
      report.noSteps = missingInputReason
      return TrackAnnotator([], frame: nil, report: report)
    }
    guard options.smooths else { return TrackAnnotator(known, reason: decision.reason, frame: start) }
    let estimates = recorded.path(known, carrying: decision.carrying)
    guard !estimates.isEmpty else { throw .badData("\(input): no path: the log is shorter than a third of a second") }
    report.hasFixes = !recorded.fixes.isEmpty
    // The last position of the causal path is also the last position of a smoother.
    if known.isClosed, let end = recorded.follow(known, decision.carrying) { report.setOpening(end) }
    return TrackAnnotator(estimates, frame: recorded.frame ?? start, report: report)
  }

  /// Returns the samples of other channels without the withheld fixes and those after the evaluated part of the log.
  func outsideOutage(_ block: [AuxiliarySample]) -> [AuxiliarySample] {
    guard let (times, end) = outage else { return block }
    return block.filter {
      $0.time <= end && !($0.channel == .location && $0.time > times.lowerBound && $0.time <= times.upperBound)
    }
  }

  /// Returns the samples without those after the evaluated part of the log.
  func outsideOutage(_ block: [SensorSample]) -> [SensorSample] {
    // Samples are in chronological order.
    guard let end = outage?.end, let last = block.last, last.time > end else { return block }
    return block.filter { $0.time <= end }
  }

  /// Runs the job and writes the path as a map.
  ///
  /// - Parameters:
  ///   - mapPath: The path of the map, whose extension specifies the format, or `nil` for no map.
  ///   - progress: Called periodically with the fraction of the log that was read, 0...1.
  package func run(mapPath: String?, progress: (Double) -> Void) throws(FusionError) -> Report {
    guard let mapPath else { return try run(progress: progress) }
    try check(outputs)
    guard !outputs.contains(where: { $0.path == mapPath }) else {
      throw .usage("\(mapPath): is the path of both the dataset and the map; use a different path for each")
    }
    guard let format = MapFormat(path: mapPath) else {
      throw .usage("\(mapPath): is not the name of a map; use a name that ends in .geojson, .gpx or .kml")
    }
    let file = try OutputFiles([mapPath], sparing: InputGuard(inputs), force: options.force)
    let report = try runPasses(
      into: nil,
      willClose: { (stage, log) throws(FusionError) in
        // If the map cannot be written, the dataset is not written either.
        guard let path = stage.recognition?.track?.report, path.missingInputReason == nil else { return }
        guard !path.places.isEmpty else {
          throw .lacking(
            "\(mapPath): the path has no geographic origin because the log has no position fixes; add --latitude and "
              + "--longitude of its start")
        }
        try file.write(format.text(path.places, epoch: log.description.epoch, name: input), to: mapPath)
      }, progress: progress)
    if report.path?.missingInputReason == nil { try file.commit() }
    return report
  }
}
