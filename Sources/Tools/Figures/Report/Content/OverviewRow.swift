internal import InertialEvaluation
internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// A recording's line in the overview of many recordings.
struct OverviewRow: Sendable {
  var duration: Double?
  var rate: Double?
  var badFraction: Double?
  /// The number of gaps and their total time in seconds: of the rows, or, if these continue in gaps, of the gyroscope.
  var gapCount = 0
  var gapTime: Double?
  var restFraction: Double?
  var disturbedFraction: Double?
  /// The seconds with the same reliability.
  var trust: [TrustCollector.Span] = []
  /// The percentage of the time with a reliable attitude.
  var trustedFraction: Double?
  /// The length of the path in metres, or `nil` without a path.
  var pathLength: Double?
  /// The largest size of the acceleration in g.
  var largestAcceleration: Double?
  /// The pictures.
  var glance = Glance()
  /// The durations of the activities in seconds, by label.
  var activities: [String: Double] = [:]
  var steps: Int?
  var shakes: Int?
  var floors: Int?
  var falls: Int?
  /// The root-mean-square total error of the first filter, or its inclination error if the direction of X is arbitrary.
  var error: Double?

  init() {}

  init(
    _ fusion: FusionJob.Report, _ details: FusionJob.Details, _ intake: RowCollector,
    _ scores: [EvaluationJob.Score], judgesHeading: Bool
  ) {
    guard let first = intake.table.times.first, let last = intake.table.times.last else { return }
    let length = last - first
    duration = length
    rate = fusion.log.reports[.gyroscope]?.meanRate
    let motion = [SensorChannel.gyroscope, .accelerometer, .magnetometer].compactMap { fusion.log.reports[$0] }
    let (count, bad) = motion.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.missing + $1.invalid) }
    badFraction = count > 0 ? 100 * Double(bad) / Double(count) : nil
    let (pauses, gyroscope) = (intake.table.pauses, fusion.log.quality[.gyroscope])
    gapCount = pauses.isEmpty ? gyroscope?.gapCount ?? 0 : pauses.count
    gapTime = pauses.isEmpty ? gyroscope?.gapTime ?? 0 : pauses.reduce(0) { $0 + $1.end - $1.start }
    func fraction(of flag: AttitudeFlags) -> Double? {
      guard length > 0, let spans = intake.flags.first(where: { $0.flag == flag })?.spans.spans else { return nil }
      return 100 * spans.reduce(0) { $0 + $1.end - $1.start } / length
    }
    (restFraction, disturbedFraction) = (fraction(of: .resting), fraction(of: .magneticDisturbance))
    trust = intake.trust.spans(of: fusion.log, intake.table)
    let total = trust.reduce(0) { $0 + $1.duration }
    trustedFraction = total > 0 ? 100 * trust.duration(.trusted) / total : nil
    if case .success(let path) = details.path { pathLength = path.report.length }
    largestAcceleration = intake.table.columns.firstIndex { $0.name == RowCollector.accelerationSize }
      .flatMap { intake.table.column($0).filter(\.isFinite).max() }
    func events(_ kind: RecognisedEvent.Kind) -> [RecognisedEvent] { details.events.filter { $0.kind == kind } }
    for activity in events(.activity) { activities[activity.text, default: 0] += activity.end - activity.start }
    let recognitions = Set(fusion.recognised.map(\.column))
    if recognitions.contains("stepCount") { steps = events(.step).count }
    if recognitions.contains("shakeProbability") { shakes = events(.shake).count }
    if recognitions.contains("filteredAltitude"), fusion.log.auxiliary[.barometer] != nil {
      floors = events(.floors).count
    }
    if recognitions.contains("fallCount") { falls = events(.fall).count }
    if let errors = scores.first?.errors { error = judgesHeading ? errors.total.rmse : errors.inclination.rmse }
  }
}
