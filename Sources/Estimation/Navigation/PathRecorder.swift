internal import InertialNumerics

/// The causal path of a navigator, and its smoothed path.
struct PathRecorder: Sendable, Codable {
  /// The newest estimate.
  private(set) var estimate: TrackEstimate?
  /// The time of the first estimate, in seconds.
  private(set) var start: Double?
  private struct Entry: Codable {
    var now: TrackEstimate
    /// The index of the epoch in the navigator's trace.
    var epoch: Int
  }

  private var estimates: [Entry] = []

  /// Adds the navigator's state at the end of an epoch.
  mutating func add(_ navigator: InertialNavigator, isStanding: Bool, stepCount: Int = 0) {
    let state = navigator.state
    let now = TrackEstimate(
      time: navigator.time, position: state.position, velocity: state.velocity,
      positionSigma: navigator.kalman.standardDeviations(.position),
      velocitySigma: navigator.kalman.standardDeviations(.velocity), isStanding: isStanding, stepCount: stepCount)
    estimate = now
    start = start ?? now.time
    if let trace = navigator.kalman.trace { estimates.append(Entry(now: now, epoch: trace.count - 1)) }
  }

  /// Returns the smoothed path of the whole recording; empty unless the navigator has kept its trace.
  func smoothed(_ navigator: InertialNavigator) -> [TrackEstimate] {
    guard let trace = navigator.kalman.trace else { return [] }
    var adjoint = ErrorAdjoint(trace.layout)
    var path: [TrackEstimate] = []
    var next = trace.count - 1
    for entry in estimates.reversed() {
      let epoch = entry.epoch
      while next > epoch {
        adjoint.cross(trace, next)
        next -= 1
      }
      var estimate = entry.now
      estimate.position += adjoint.errors(.position, trace, epoch)
      estimate.velocity += adjoint.errors(.velocity, trace, epoch)
      estimate.positionSigma = adjoint.variances(.position, trace, epoch).standardDeviations
      estimate.velocitySigma = adjoint.variances(.velocity, trace, epoch).standardDeviations
      path.append(estimate)
    }
    return path.reversed()
  }
}

extension Vector3 {
  /// The squared components.
  var squares: Vector3 { Vector3(x * x, y * y, z * z) }
}
