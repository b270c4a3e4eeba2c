internal import InertialNumerics

/// The causal path of a navigator, and the data for smoothing it.
struct PathRecorder: Sendable {
  /// The newest estimate.
  private(set) var estimate: TrackEstimate?
  /// Whether the path will be smoothed.
  let keepsTrace: Bool
  private var trace: [NavigationEpoch] = []
  private var estimates: [TrackEstimate] = []

  init(keepsTrace: Bool) { self.keepsTrace = keepsTrace }

  /// Adds the navigator's state at the end of an epoch.
  mutating func add(_ navigator: inout InertialNavigator, isStanding: Bool, stepCount: Int = 0) {
    let (state, covariance) = (navigator.state, navigator.covariance)
    let now = TrackEstimate(
      time: navigator.time, position: state.position, velocity: state.velocity,
      positionSigma: covariance[.position, .position].diagonal.standardDeviations,
      velocitySigma: covariance[.velocity, .velocity].diagonal.standardDeviations, isStanding: isStanding,
      stepCount: stepCount)
    estimate = now
    guard keepsTrace else { return }
    trace.append(navigator.takeEpoch())
    estimates.append(now)
  }

  /// Returns the smoothed path of the whole recording; empty unless the trace was kept.
  func smoothed() -> [TrackEstimate] {
    zip(estimates, NavigationSmoother.smooth(trace)).map { estimate, epoch in
      var estimate = estimate
      estimate.position += epoch.correction.position
      estimate.velocity += epoch.correction.velocity
      estimate.positionSigma = epoch.positionVariance.standardDeviations
      estimate.velocitySigma = epoch.velocityVariance.standardDeviations
      return estimate
    }
  }
}

extension Matrix3 {
  var diagonal: Vector3 { Vector3(m11, m22, m33) }
}

extension Vector3 {
  /// The squared components.
  var squares: Vector3 { Vector3(x * x, y * y, z * z) }
}
