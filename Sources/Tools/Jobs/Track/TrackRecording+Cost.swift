internal import InertialNavigation
internal import InertialRecognition

extension TrackRecording {
  /// Returns the time that the tracker alone takes per sample, from motion with known attitude in memory: the minimum
  /// of three single-threaded runs.
  func nanosecondsPerSample(_ options: TrackOptions, carrying: CarryMode, smooths: Bool) -> Double? {
    guard !samples.isEmpty else { return nil }
    var best = Double.infinity
    for _ in 0..<3 {
      var isKnown = false
      let duration = ContinuousClock().measure {
        isKnown = smooths ? !path(options, carrying: carrying).isEmpty : follow(options, carrying) != nil
      }
      // Using the result keeps the optimiser from removing the work.
      precondition(isKnown || best > 0)
      best = min(best, duration / .seconds(1))
    }
    return best / Double(samples.count) * 1e9
  }

  /// Returns the last estimate of a causal path.
  func follow(_ options: TrackOptions, _ carrying: CarryMode) -> TrackEstimate? {
    var next = 0
    switch carrying {
    case .foot:
      var tracker = FootTracker()
      for sample in samples { tracker.update(sample) }
      return tracker.estimate
    case .vehicle:
      var tracker = VehicleTracker()
      for sample in samples {
        while next < fixes.count, fixes[next].time <= sample.time {
          tracker.update(fixes[next])
          next += 1
        }
        tracker.update(sample)
      }
      return tracker.estimate
    case .auto, .hand, .pocket, .body:
      var parameters = StepTracker.Parameters()
      parameters.height = options.height
      var tracker = StepTracker(parameters)
      for sample in samples {
        tracker.update(sample)
        while next < steps.count, steps[next].time <= sample.time {
          tracker.step(at: steps[next].time, duration: steps[next].duration)
          next += 1
        }
      }
      return tracker.estimate
    }
  }
}
