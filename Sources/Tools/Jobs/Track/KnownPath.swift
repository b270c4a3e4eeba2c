internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialSystem

/// The path of a device from the whole log, at increasing times.
struct KnownPath: KnownValues {
  private let path: [TrackEstimate]
  private let frame: LocalFrame?
  /// The summary of the path.
  let report: PathReport
  /// The index of the newest estimate.
  private var index = 0
  private(set) var values = [Double](repeating: .nan, count: TrackAnnotator.columns.count)
  let events: [RecognisedEvent] = []

  /// - Parameters:
  ///   - path: The estimates in chronological order.
  ///   - frame: The local frame at the path's start, or `nil` if the geographic position is unknown.
  ///   - report: The summary of the path.
  init(_ path: [TrackEstimate], frame: LocalFrame?, report: PathReport) {
    (self.path, self.frame, self.report) = (path, frame, report)
  }

  mutating func advance(to time: Double) { TrackAnnotator.set(&values, to: estimate(at: time), frame) }

  /// Returns the interpolated estimate, or `nil` before the path's start and after its end.
  private mutating func estimate(at time: Double) -> TrackEstimate? {
    guard let first = path.first, let last = path.last, time >= first.time - 0.05, time <= last.time + 0.2
    else { return nil }
    while index + 1 < path.count, path[index + 1].time <= time { index += 1 }
    guard index + 1 < path.count, time > path[index].time else { return path[index] }
    return path[index].interpolated(to: path[index + 1], at: time)
  }
}

extension TrackRecording {
  /// The minimum interval between the estimates of a summary or a page, in seconds; a stance lasts longer.
  static let summaryStep = 0.04
  /// The maximum duration of a smoothed foot or vehicle path, in seconds, as its memory grows with it.
  private static let maximumSmoothedDuration = 1800.0

  /// Returns the path and its summary.
  ///
  /// - Parameters:
  ///   - options: The options of the fusion.
  ///   - step: The minimum interval between estimates, in seconds, or `nil` for one per sample or navigator epoch.
  ///   - start: The local frame at the path's start according to the user, or `nil` if unknown.
  func path(
    _ options: FusionOptions, _ decision: (carrying: CarryMode, reason: String), step: Double? = nil,
    start: LocalFrame?
  ) -> (estimates: [TrackEstimate], report: PathReport) {
    let duration = (samples.last?.time ?? 0) - (samples.first?.time ?? 0)
    let (estimates, learned) = path(
      options.track, carrying: decision.carrying, step: step,
      smooths: options.smooths || options.track.isClosed || duration <= Self.maximumSmoothedDuration)
    var report = PathReport(on: decision.carrying, reason: decision.reason)
    report.hasFixes = !fixes.isEmpty
    report.learned = learned
    report.logStart = samples.first?.time
    if decision.carrying != .foot, decision.carrying != .vehicle, fixes.isEmpty {
      report.walked = steps.reduce(0) { $0 + $1.length }
    }
    let frame = frame ?? start
    var last = -Double.infinity
    for (index, estimate) in estimates.enumerated()
    where estimate.time - last >= Self.summaryStep || index == estimates.count - 1 {
      report.add(estimate, at: frame?.place(of: estimate))
      last = estimate.time
    }
    return (estimates, report)
  }
}

extension LocalFrame {
  /// Returns the geographic position of an estimate with axes north, west and up, in degrees, WGS 84.
  func place(of estimate: TrackEstimate) -> (latitude: Double, longitude: Double) {
    place(east: -estimate.position.y, north: estimate.position.x)
  }
}
