internal import InertialNavigation

extension TrackRecording {
  /// Returns the time that the tracker alone takes per sample, from motion with known attitude in memory: the minimum
  /// of three single-threaded runs.
  func nanosecondsPerSample(_ options: TrackOptions, carrying: CarryMode, smooths: Bool) -> Double? {
    guard !samples.isEmpty else { return nil }
    var best = Double.infinity
    for _ in 0..<3 {
      var isKnown = false
      let duration = ContinuousClock().measure {
        isKnown = smooths ? !path(options, carrying: carrying).estimates.isEmpty : follow(options, carrying) != nil
      }
      // Using the result keeps the optimiser from removing the work.
      precondition(isKnown || best > 0)
      best = min(best, duration / .seconds(1))
    }
    return best / Double(samples.count) * 1e9
  }
}
