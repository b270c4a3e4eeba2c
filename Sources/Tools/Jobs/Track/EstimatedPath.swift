package import InertialEvaluation
internal import InertialFusion
internal import InertialNavigation
internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// A path for display that is supported by steps, strides or position fixes.
package struct EstimatedPath: Sendable {
  package let report: PathReport
  /// The position fixes that the path uses, in metres on the map, with the radius that contains 68 % of such fixes; may
  /// be empty.
  package let fixes: [(place: PathPlotData.Place, radius: Double)]
  /// The geographic frame of the map, or `nil` if the location is unknown.
  package let geographicFrame: LocalFrame?
  /// The frame of the path's axes, which applies if up on the map is not north.
  package let frame: AttitudeReferenceFrame
  /// The person's height that determines the step lengths, in metres.
  package let height: Double
  private let moments: [TrackEstimate]
  /// The maximum interval between estimates of an unbroken path, in seconds.
  package let maximumGap: Double

  /// The maximum number of samples for a path; they take about 100 MB of memory.
  package static let maximumSampleCount = 1_000_000
  /// The minimum number of strides in a walk, to exclude hand movements.
  private static let minimumStepCount = 8
  /// The maximum total duration of rides, in seconds; with longer rides, a path of steps is too incomplete.
  private static let maximumRideDuration = 10.0

  /// Estimates the path of a log.
  ///
  /// - Throws: ``FusionError`` with the reason why there is no path, as a sentence without a full stop.
  init(_ recording: TrackRecording, of job: FusionJob) throws(FusionError) {
    let options = job.options
    guard !recording.isOverfull else {
      throw .badData(
        "the log has more than \(Self.maximumSampleCount) samples, the maximum for a path in a page; use 'inertial track'"
      )
    }
    let asked = options.track.carrying
    let decision = recording.decision(asked)
    if let missingInputReason = Self.missingInputReason(recording, decision.carrying) {
      throw .badData(missingInputReason)
    }
    let (estimates, report) = recording.path(options, decision, step: TrackRecording.summaryStep, start: options.start)
    guard !estimates.isEmpty else { throw .badData("the log is shorter than a third of a second") }
    if decision.carrying == .foot, recording.fixes.isEmpty {
      guard report.steps >= (asked == .foot ? 1 : Self.minimumStepCount) else {
        throw .badData("fewer than \(Self.minimumStepCount) strides of a foot were found")
      }
      guard asked == .foot || Self.strides(estimates) else {
        throw .badData(
          "the motion has swings that end in a standstill, like those of a foot, but no strides between them; use --on "
            + "foot to treat them as a foot's")
      }
    }
    self.report = report
    fixes = recording.fixes.map {
      ((x: $0.position.x, y: $0.position.y), $0.positionSigma.x * PositionFix.accuracyFactor)
    }
    (frame, height) = (options.motion.frame, options.track.height)
    moments = estimates
    geographicFrame = recording.frame ?? options.start
    maximumGap = max(options.gap, 4 * TrackRecording.summaryStep)
  }

  /// Returns the picture of the path.
  ///
  /// - Parameter origin: The log's time from which round times count, in seconds.
  package func plotData(origin: Double) -> PathPlotData {
    PathPlotData(isNorthUp: geographicFrame != nil, origin: origin, maximumGap: maximumGap, moments: moments)
  }

  /// The path for a comparison with a reference, or `nil` if no position is finite.
  package var track: PositionTrack? {
    let known = moments.filter { $0.position.isFinite }
    guard !known.isEmpty else { return nil }
    return try? PositionTrack(
      times: known.map(\.time), positions: known.map(\.position), sigmas: known.map(\.positionSigma))
  }

  /// The minimum length of a stride, in metres. At least two thirds of a foot's displacements between standstills are
  /// longer, but hardly any of a device turned by hand.
  private static let minimumStrideLength = 0.3

  /// Returns whether at least half of the displacements between standstills are as long as strides.
  private static func strides(_ estimates: [TrackEstimate]) -> Bool {
    var (places, standing): ([Vector3], ArraySlice<TrackEstimate>) = ([], [])
    for index in estimates.indices {
      if estimates[index].isStanding {
        standing = standing.isEmpty ? estimates[index...index] : estimates[standing.startIndex...index]
      } else if !standing.isEmpty {
        places.append(standing[(standing.startIndex + standing.endIndex - 1) / 2].position)
        standing = []
      }
    }
    let ways = zip(places, places.dropFirst()).map { ($1 - $0).norm }
    return 2 * ways.count { $0 > minimumStrideLength } >= ways.count
  }

  /// Returns the reason why there is no data for a path, or `nil` if there is.
  private static func missingInputReason(_ recording: TrackRecording, _ carrying: CarryMode) -> String? {
    switch carrying {
    case .foot: return nil
    case .vehicle:
      return recording.missingInputReason(carrying)
    case .auto, .hand, .pocket, .body:
      guard recording.fixes.isEmpty else { return nil }
      let ridden = recording.rides.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
      if ridden > maximumRideDuration {
        return
          "a ride of \(Int(ridden)) s was recognised, and its path is unknown because the log has no position fixes of it"
      }
      return recording.missingInputReason(carrying)
    }
  }
}
