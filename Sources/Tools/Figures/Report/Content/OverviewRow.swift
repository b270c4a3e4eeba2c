internal import InertialEvaluation
internal import InertialJobs
internal import InertialLogs
internal import InertialSensors

/// A recording's line in the overview of many.
struct OverviewRow: Sendable {
  var duration: Double?
  var rate: Double?
  var badShare: Double?
  var gapTime: Double?
  var restShare: Double?
  var disturbedShare: Double?
  /// Seconds by the words of the activity.
  var activities: [String: Double] = [:]
  var steps: Int?
  var shakes: Int?
  var floors: Int?
  var falls: Int?
  /// Root mean square of the total, or where X is arbitrary of the inclination error, of the first filter.
  var error: Double?

  init() {}

  init(
    _ fusion: FusionJob.Report, _ details: FusionJob.Details, _ intake: RowIntake,
    _ scores: [EvaluationJob.Score], judgesHeading: Bool
  ) {
    guard let first = intake.table.times.first, let last = intake.table.times.last else { return }
    let length = last - first
    duration = length
    rate = fusion.log.reports[.gyroscope]?.meanRate
    let motion = [SensorChannel.gyroscope, .accelerometer, .magnetometer].compactMap { fusion.log.reports[$0] }
    let (count, bad) = motion.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.missing + $1.invalid) }
    badShare = count > 0 ? 100 * Double(bad) / Double(count) : nil
    gapTime = intake.pauses.reduce(0) { $0 + $1.end - $1.start }
    func share(of flag: AttitudeFlags) -> Double? {
      guard length > 0, let spans = intake.flags.first(where: { $0.flag == flag })?.spans.spans else { return nil }
      return 100 * spans.reduce(0) { $0 + $1.end - $1.start } / length
    }
    (restShare, disturbedShare) = (share(of: .resting), share(of: .magneticDisturbance))
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
