internal import InertialFusion
internal import InertialNavigation
internal import InertialNumerics
package import InertialRotations
internal import InertialSystem

/// The path of a log for those who show it, or why nobody can say where the device went.
package enum PathFinding: Sendable {
  case found(FoundPath)
  /// The reason, a sentence.
  case none(String)

  /// A path is found in this many moments at most: their memory is some 100 MB.
  package static let mostSamples = 1_000_000
  /// Seconds of a foot or a vehicle of which the path is found from both ends: the memory grows with them.
  private static let longestSmoothed = 1800.0
  /// Seconds between moments at least: a stance lasts longer.
  private static let step = 0.04
  /// Fewest strides that are a walk, and not what a hand does.
  private static let fewestSteps = 8
  /// Seconds of a ride from which on a path of steps leaves out too much to be one.
  private static let longestRide = 10.0

  init(_ recording: TrackRecording, of job: FusionJob) {
    let options = job.options
    guard !recording.isOverfull else {
      self = .none(
        "the log has more than \(Self.mostSamples) samples, and a page finds no path in so many; 'inertial track' does")
      return
    }
    let asked = options.track.carrying
    let decision = recording.decision(asked)
    if let lack = Self.lack(recording, decision.carrying) {
      self = .none(lack)
      return
    }
    let duration = (recording.samples.last?.time ?? 0) - (recording.samples.first?.time ?? 0)
    let estimates = recording.path(
      options.track, carrying: decision.carrying, step: Self.step,
      smooths: options.smooths || duration <= Self.longestSmoothed)
    guard !estimates.isEmpty else {
      self = .none("the log is shorter than a third of a second")
      return
    }
    let frame = recording.frame ?? job.start
    var report = PathReport(decision)
    report.hasFixes = !recording.fixes.isEmpty
    for estimate in estimates {
      report.add(estimate, at: frame?.place(east: -estimate.position.y, north: estimate.position.x))
    }
    if decision.carrying == .foot, recording.fixes.isEmpty {
      guard report.steps >= (asked == .foot ? 1 : Self.fewestSteps) else {
        self = .none("fewer than \(Self.fewestSteps) strides of a foot were found")
        return
      }
      guard asked == .foot || Self.strides(estimates) else {
        self = .none(
          "the motion has swings that end in a standstill, as a foot's do, but no strides between them; --on foot takes "
            + "them for a foot's all the same")
        return
      }
    }
    let moments = estimates.map {
      PathPicture.Moment(
        time: $0.time, position: $0.position, sigma: $0.positionSigma, isStanding: $0.isStanding,
        stepCount: Double($0.stepCount))
    }
    let fixes = recording.fixes.map { (x: $0.position.x, y: $0.position.y) }
    self = .found(
      FoundPath(
        report: report, fixes: fixes, frame: options.motion.frame, height: options.track.height, moments: moments,
        isNorthUp: frame != nil, longestGap: max(options.gap, 4 * Self.step)))
  }

  /// A stride is longer, m. Of feet two thirds and more of the ways between standstills are, of devices that are turned by hand
  /// hardly any.
  private static let leastStride = 0.3

  /// Whether half of the ways from one standstill to the next are as long as strides.
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
    return 2 * ways.count { $0 > leastStride } >= ways.count
  }

  /// Why there is nothing that a path could rest on; nil where there is.
  private static func lack(_ recording: TrackRecording, _ carrying: Carrying) -> String? {
    switch carrying {
    case .foot: return nil
    case .vehicle:
      return recording.fixes.isEmpty ? "a vehicle's path needs position fixes, and the log has none" : nil
    case .auto, .hand, .pocket, .body:
      guard recording.fixes.isEmpty else { return nil }
      let ridden = recording.rides.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
      if ridden > longestRide {
        return
          "a ride of \(Int(ridden)) s was recognised, and nothing says where it went: the log has no position fixes of it"
      }
      return recording.lack(carrying)
    }
  }
}

/// A path that rests on something.
package struct FoundPath: Sendable {
  package let report: PathReport
  /// The position fixes that it rests on, m of the map; empty of a path without.
  package let fixes: [PathPicture.Place]
  /// The frame of its axes, where up on the map is not north.
  package let frame: AttitudeReferenceFrame
  /// The person's height that steps are as long for, m.
  package let height: Double
  fileprivate let moments: [PathPicture.Moment]
  fileprivate let isNorthUp: Bool
  /// s.
  fileprivate let longestGap: Double

  /// What is drawn of it.
  ///
  /// - Parameter origin: the log's time from which round times count, s.
  package func picture(origin: Double) -> PathPicture {
    PathPicture(isNorthUp: isNorthUp, origin: origin, longestGap: longestGap, moments: moments)
  }
}
