package import InertialEvaluation
internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialNavigation
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// Evaluates paths of `inertial track` or other programs against a recording's ground truth: landmarks or a reference
/// path, the start of a closed path, and withheld position fixes.
package struct TrackEvaluationJob: Sendable {
  /// The options shared with the evaluation of orientations: the attitude filters below the path (`nil`: the standard
  /// one), their settings, the frame, offline estimation, the reference's file and frame, an estimate instead of the
  /// path, and the log. Of `comparison`, the skipped seconds and the clock shift apply.
  package var evaluation = EvaluationJob.Options()
  /// Whether a log without a magnetic field is rejected if the frame requires one.
  package var frameNeedsField = false
  /// The placement of the device and the options of its path.
  package var track = TrackOptions()
  /// The alignment of the path, and the interval of the relative error.
  package var comparison = PathComparison.Options()
  /// Whether the recordings end at their start.
  package var isClosed = false
  /// Whether the paths use earlier samples only, as in a stream, instead of the whole log.
  package var isCausal = false
  /// The duration for which position fixes are withheld at a time, in seconds, or `nil` to withhold none.
  package var withheld: Double?

  /// Creates a job without a reference, for the default frame.
  package init() { evaluation.motion.frame = .commandDefault }

  /// The error at the end of an interval without position fixes.
  package struct Outage: Sendable, Codable {
    /// The start in seconds on the log's clock.
    package var start: Double
    package var end: Double
    /// The horizontal error in metres, and the vertical error if the fix has an altitude.
    package var horizontal: Double
    package var vertical: Double?
    /// Whether the error is within the 95 % confidence region.
    package var isInsideHorizontally: Bool?
  }

  /// The attitude filters below the path, each with its settings.
  package func filters() throws(FusionError) -> [ConfiguredFilter] {
    var job = EvaluationJob(options: evaluation)
    job.options.filters = evaluation.filters ?? [FilterKind.standard.name]
    return try job.filters()
  }

  /// Evaluates the paths of one log, one filter after the other.
  ///
  /// - Parameter progress: Called with the completed fraction, 0...1.
  /// - Returns: The errors, the filters that failed, and the warnings about the log, one line per warning.
  package func run(
    on path: String, progress: (Double) -> Void = { _ in }
  ) throws(FusionError) -> (rows: [TrackEvaluationReport.Row], failures: [EvaluationJob.Failure], warnings: [String]) {
    guard isClosed || withheld != nil || evaluation.referencePath(of: path) != nil else {
      throw .usage(
        "the evaluation of a path needs a reference: add --reference FILE (time,x,y or time,x,y,z), --closed if it ends at "
          + "its start, or --withhold SECONDS")
    }
    var warnings: [String] = []
    if let estimatePath = evaluation.estimatePath {
      let row = try judge(estimatePath, on: path, &warnings)
      return ([row], [], warnings)
    }
    var (rows, failures): ([TrackEvaluationReport.Row], [EvaluationJob.Failure]) = ([], [])
    let filters = try filters()
    for (index, filter) in filters.enumerated() {
      func show(_ fraction: Double) { progress((Double(index) + fraction) / Double(filters.count)) }
      do throws(FusionError) {
        rows.append(try judge(filter, on: path, isFirst: rows.isEmpty, &warnings, progress: show))
      } catch {
        guard filters.count > 1, case .badData(let reason) = error else { throw error }
        failures.append(EvaluationJob.Failure(recording: path, filter: filter.kind.name, reason: reason))
      }
    }
    return (rows, failures, warnings)
  }

  // MARK: Paths

  /// - Parameter isFirst: Whether no path of the log has been evaluated, so that the log's warnings are not yet known.
  private func judge(
    _ filter: ConfiguredFilter, on path: String, isFirst: Bool, _ warnings: inout [String],
    progress: (Double) -> Void
  ) throws(FusionError) -> TrackEvaluationReport.Row {
    var fusion = FusionOptions()
    fusion.use(filter)
    (fusion.smooths, fusion.isCausal) = (evaluation.smooths, isCausal)
    fusion.motion = evaluation.motion
    fusion.frameNeedsField = frameNeedsField
    (fusion.location, fusion.date) = (evaluation.given.place, evaluation.given.year)
    fusion.log = evaluation.log
    fusion.recognitions = [.track]
    fusion.columns = [FusedColumn.all[0]]
    fusion.track = track
    var job = FusionJob(input: path, output: "", options: fusion)
    let parts = withheld == nil ? 1 : 0.2
    let mustDecide = isCausal && track.carrying == .auto
    let survey = evaluation.measuresCost || withheld != nil || mustDecide ? try job.survey() : nil
    let decision = survey?.decision(track.carrying)
    if mustDecide, let decision { job.options.track.carrying = decision.carrying }
    let (table, report) = try job.table { progress(parts * $0) }
    guard let summary = report.path, let found = try Self.track(table, of: path) else {
      throw .badData("\(path): no path was found; try --on with 'inertial track'")
    }
    if isFirst { warnings += report.log.warnings.map { "\(path): \($0)" } }
    // All passes use the placement that was determined first.
    job.options.track.carrying = summary.on
    var row = TrackEvaluationReport.Row(recording: path, filter: filter.kind.name)
    row.on = summary.on.rawValue
    row.reason = track.carrying == .auto ? decision?.reason ?? summary.reason : nil
    if let found = try comparison(
      of: found, epoch: report.epoch, origin: survey?.frame, with: path, &warnings)
    {
      row.add(found.comparison)
    }
    if isClosed { row.add(PathClosure(found)) }
    if let withheld, let survey {
      row.add(try outages(of: withheld, job, survey) { progress(parts + (1 - parts) * $0) })
    }
    if evaluation.measuresCost, let survey {
      row.nanosecondsPerSample = survey.nanosecondsPerSample(
        job.options.track, carrying: summary.on, smooths: !isCausal)
    }
    return row
  }

  private func judge(
    _ estimatePath: String, on path: String, _ warnings: inout [String]
  ) throws(FusionError) -> TrackEvaluationReport.Row {
    if withheld != nil { throw .usage("--withhold needs a path computed from the log; omit it with --estimate") }
    var feed = LogFeed(path: path, options: evaluation.log)
    feed.neededChannels = []
    let summary = try feed.run { (_) throws(FusionError) in }
    let table = try read(estimatePath)
    let epoch = summary.description.epoch
    let found = try positions(
      of: table, frame: evaluation.estimateFrame, epoch: epoch, start: nil, origin: nil, &warnings)
    var row = TrackEvaluationReport.Row(recording: path, filter: estimatePath)
    if let found = try comparison(
      of: found, epoch: epoch, origin: table.kind == .geographic ? Self.origin(of: table) : nil, with: path, &warnings)
    {
      row.add(found.comparison)
    }
    if isClosed { row.add(PathClosure(found)) }
    return row
  }

  /// Returns the rows that have a position, or `nil` if none has.
  static func track(_ table: FusedTable, of path: String) throws(FusionError) -> PositionTrack? {
    func columns(_ name: String) -> [[Double]] { ["X", "Y", "Z"].compactMap { table[name + $0] } }
    let (places, sigmas) = (columns("position"), columns("positionSigma"))
    guard let times = table["time"], places.count == 3, sigmas.count == 3 else { return nil }
    let rows = times.indices.filter { !places[0][$0].isNaN }
    guard !rows.isEmpty else { return nil }
    do throws(EvaluationError) {
      return try PositionTrack(
        times: rows.map { times[$0] }, positions: rows.map { Vector3(places[0][$0], places[1][$0], places[2][$0]) },
        sigmas: rows.map { Vector3(sigmas[0][$0], sigmas[1][$0], sigmas[2][$0]) })
    } catch {
      throw .badData("\(path): the path: \(error)")
    }
  }

  // MARK: The reference

  /// Compares a path with the reference, if there is one.
  ///
  /// - Parameters:
  ///   - epoch: The UNIX time of the path's time 0, or `nil` if unknown.
  ///   - origin: The path's origin, which converts degrees to metres, or `nil` if unknown.
  /// - Returns: The comparison, the reference's positions, and the number of points outside of the path's times.
  package func comparison(
    of found: PositionTrack, epoch: Double?, origin: LocalFrame?, with path: String, _ warnings: inout [String]
  ) throws(FusionError) -> (comparison: PathComparison, reference: PositionTrack)? {
    guard let referencePath = evaluation.referencePath(of: path) else { return nil }
    let reference = try positions(
      of: try read(referencePath), frame: evaluation.referenceFrame, epoch: epoch, start: found.span?.lowerBound,
      origin: origin, &warnings)
    var comparison = comparison
    comparison.skip = evaluation.comparison.skip
    comparison.clockShift = evaluation.comparison.clockShift
    let result: PathComparison
    do throws(EvaluationError) {
      result = try PathComparison(estimate: found, reference: reference, options: comparison)
    } catch {
      let remedy =
        switch error {
        case .alignmentUndetermined(.frame, _): "; use --align yaw, origin or none"
        case .alignmentUndetermined: "; use --align origin or none"
        default: "; its times are seconds on the log's clock; use --clock-shift SECONDS to shift the path's times"
        }
      throw .badData("\(referencePath): \(error)\(remedy)")
    }
    if result.missingCount > 0 {
      warnings.append(
        "\(referencePath): \(result.missingCount) of \(result.missingCount + result.points.count) points are outside of the "
          + "path's times and are not evaluated")
    }
    return (result, reference)
  }

  private func read(_ path: String) throws(FusionError) -> PositionTable {
    do throws(LogError) { return try PositionTable(path: path) } catch { throw FusionError(error) }
  }

  private static func origin(of table: PositionTable) -> LocalFrame {
    let first = table.positions[0]
    return LocalFrame(latitude: first.x, longitude: first.y, altitude: table.hasHeights ? first.z : .nan)
  }

  /// Returns the positions of a file in metres north, west and up, on the log's clock.
  ///
  /// - Parameters:
  ///   - frame: The frame given by the user; `nil`: that of the column names, or else north, west, up.
  ///   - start: The time of a first row without a time, or `nil` if unknown.
  ///   - origin: The origin of geographic coordinates, or `nil` to use the first position.
  private func positions(
    of table: PositionTable, frame: EarthFrame?, epoch: Double?, start: Double?, origin: LocalFrame?,
    _ warnings: inout [String]
  ) throws(FusionError) -> PositionTrack {
    if table.emptyCount > 0 {
      warnings.append("\(table.path): \(counted(table.emptyCount)) without a position are omitted")
    }
    var times = table.times
    // The file has UNIX times, and the times of its log count from the first sample.
    if let epoch, epoch > 1e8, let last = times.last, last > epoch - 1 { times = times.map { $0 - epoch } }
    if times[0].isNaN {
      guard let start, times.count == 1 || start <= times[1] else {
        throw .badData(
          "\(table.path): the first row has no time, and the path does not begin before the second row; add its time")
      }
      times[0] = start
    }
    var source = frame ?? .nwu
    var places = table.positions
    switch table.kind {
    case .metres: break
    case .eastNorthUp: source = frame ?? .enu
    case .geographic:
      source = .enu
      let origin = origin ?? Self.origin(of: table)
      places = places.map {
        origin.position(latitude: $0.x, longitude: $0.y, altitude: table.hasHeights ? $0.z : .nan)
      }
    }
    func turned(_ v: Vector3) -> Vector3 { EarthFrame.vector(v, from: source, to: .nwu) }
    do throws(EvaluationError) {
      return try PositionTrack(
        times: times, positions: places.map(turned),
        sigmas: table.sigmas?.map { sigma in
          let v = turned(sigma)
          return Vector3(abs(v.x), abs(v.y), abs(v.z))
        }, hasHeights: table.hasHeights)
    } catch {
      throw .badData("\(table.path): \(error)")
    }
  }

  private func counted(_ rows: Int) -> String { rows == 1 ? "1 row" : "\(rows) rows" }
}
