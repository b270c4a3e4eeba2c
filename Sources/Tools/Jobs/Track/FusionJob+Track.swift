internal import InertialFusion
internal import InertialLogs
internal import InertialNavigation
internal import InertialNumerics
internal import InertialSensors

extension FusionJob {
  /// Checks that the options of the path and of the recognisers are compatible.
  ///
  /// - Throws: ``FusionError`` if they are not.
  func checkTrack() throws(FusionError) {
    if options.isCausal, options.smooths { throw .usage("--online and --smooth exclude each other") }
    guard options.hasTrack, options.isCausal else { return }
    if options.track.isClosed { throw .usage("--closed and --online exclude each other: the end corrects the path") }
    if options.track.carrying == .auto {
      throw .usage(
        "a path with --online needs the placement of the device; add --on foot, hand, pocket, body or vehicle")
    }
  }

  /// Returns the path from the whole log.
  ///
  /// - Throws: ``FusionError`` if the placement and the log do not match.
  func knownPath(_ recorded: TrackRecording) throws(FusionError) -> KnownPath {
    guard !recorded.samples.isEmpty else { throw .badData("\(input): the log has no motion for a path") }
    let decision = recorded.decision(options.track.carrying)
    if options.track.isClosed, decision.carrying != .foot {
      throw .usage(
        "--closed needs a sensor on a foot, and this is on \(decision.carrying.rawValue) (\(decision.reason)); the end "
          + "determines little about a walker's step lengths; omit it")
    }
    if let missingInputReason = recorded.missingInputReason(decision.carrying) {
      var report = PathReport(on: decision.carrying, reason: decision.reason)
      report.missingInput = missingInputReason
      return KnownPath([], frame: nil, report: report)
    }
    var (estimates, report) = recorded.path(options, decision, start: options.start)
    guard !estimates.isEmpty else { throw .badData("\(input): no path: the log is shorter than a third of a second") }
    // The last position of the causal path is also the last position of a smoother.
    if options.track.isClosed, let end = recorded.follow(options.track, decision.carrying) { report.setOpening(end) }
    return KnownPath(estimates, frame: recorded.frame ?? options.start, report: report)
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

  /// Returns the warnings about geographic positions or poses whose axes do not match, one line per warning.
  func axesWarnings(of path: PathReport) -> [String] {
    let frame = options.motion.frame
    guard !path.places.isEmpty, frame != .xTrueNorthZVertical else { return [] }
    if path.hasFixes {
      guard options.formats.contains(where: { $0 == .tum || $0 == .euroc }) else { return [] }
      return [
        "the positions point to true north, as the fixes do, and the attitudes belong to \(frame.name); use --frame "
          + "xTrueNorthZVertical for poses with the same axes"
      ]
    }
    let angle = frame == .xMagneticNorthZVertical ? "the magnetic declination" : "an unknown angle"
    return [
      "the geographic positions are rotated about the start by \(angle), as the path is in \(frame.name); use --frame "
        + "xTrueNorthZVertical"
    ]
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
    let report = try pass(
      into: nil,
      willClose: { (path, _, log) throws(FusionError) in
        // If the map cannot be written, the dataset is not written either.
        guard let path, path.missingInputReason == nil else { return }
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
