internal import InertialEvaluation
internal import InertialNavigation
internal import InertialNumerics
internal import InertialRotations

extension TrackEvaluationJob {
  /// The duration of data after an outage for a smoothed path, in seconds.
  private static let afterOutage = 10.0
  /// The duration from the first fix to the first outage, in seconds, in which a tracker determines the mounting.
  private static let beforeOutages = 60.0
  /// The minimum interval between the starts of outages, in seconds, and the maximum number of outages in a recording.
  private static let outageStep = 10.0
  private static let maximumOutageCount = 20.0

  /// Returns the errors at the ends of outages. Each comes from a separate run without the fixes of one interval.
  func outages(
    of length: Double, _ job: FusionJob, _ survey: TrackRecording, progress: (Double) -> Void
  ) throws(FusionError) -> [Outage] {
    let path = job.input
    guard let first = survey.fixes.first?.time, let last = survey.fixes.last?.time else {
      throw .badData("\(path): --withhold needs position fixes, but the log has no channel location")
    }
    let begin = first + Self.beforeOutages
    guard begin + length < last else {
      throw .badData(
        "\(path): the position fixes span \(Int(last - first)) s, and --withhold \(length) needs more than "
          + "\(Int(Self.beforeOutages + length)) s")
    }
    let step = max(Self.outageStep, (last - length - begin) / Self.maximumOutageCount)
    let starts = Array(stride(from: begin, to: last - length, by: step))
    var outages: [Outage] = []
    for (index, start) in starts.enumerated() {
      progress(Double(index) / Double(starts.count))
      let end = start + length
      // Without a fix near the outage's end, there is no ground truth.
      guard let fix = survey.fixes.last(where: { $0.time > start && $0.time <= end }), fix.time > end - 2 else {
        continue
      }
      var job = job
      job.outage = (start...end, end + (job.options.isCausal ? 0 : Self.afterOutage))
      let (table, _) = try job.table()
      guard let track = try Self.track(table, of: path),
        let found = track.sample(at: fix.time, maximumGap: PathComparison.Options().maximumGap)
      else {
        throw .badData("\(path): no path was found for the outage from \(start) to \(end) s")
      }
      let truth = Self.place(of: fix, survey, job)
      let error = found.position - EarthFrame.vector(truth, from: .enu, to: .nwu)
      let bound = found.sigma.flatMap { PositionBound(error: error, sigma: $0) }
      outages.append(
        Outage(
          start: start, end: fix.time, horizontal: Vector3(error.x, error.y, 0).norm,
          vertical: fix.positionSigma.z < 1e4 ? error.z : nil, isInsideHorizontally: bound?.isInsideHorizontally))
    }
    guard !outages.isEmpty else {
      throw .badData(
        "\(path): there is no position fix within 2 s of the end of any \(length) s that could be withheld")
    }
    return outages
  }

  /// Returns the position of a fix in metres east, north and up of the origin of the job's path.
  private static func place(of fix: PositionFix, _ survey: TrackRecording, _ job: FusionJob) -> Vector3 {
    guard job.options.isCausal, let start = job.options.start, let own = survey.frame else { return fix.position }
    let place = own.place(east: fix.position.x, north: fix.position.y)
    var position = start.position(latitude: place.latitude, longitude: place.longitude, altitude: .nan)
    position.z = fix.position.z + (own.altitude.isNaN || start.altitude.isNaN ? 0 : own.altitude - start.altitude)
    return position
  }
}
