internal import InertialNavigation
internal import InertialRecognition

extension TrackRecording {
  /// The time of the tracker alone, over motion in memory whose attitude is known: the best of three runs, on one thread.
  func nanosecondsPerSample(_ options: TrackOptions, carrying: Carrying, smooths: Bool) -> Double? {
    guard !samples.isEmpty else { return nil }
    var best = Double.infinity
    for _ in 0..<3 {
      var isKnown = false
      let duration = ContinuousClock().measure {
        isKnown = smooths ? !path(options, carrying: carrying).isEmpty : follow(options, carrying) != nil
      }
      // Using the result keeps the optimiser from dropping the work.
      precondition(isKnown || best > 0)
      best = min(best, duration / .seconds(1))
    }
    return best / Double(samples.count) * 1e9
  }

  /// The last estimate of a path that is found as it goes.
  func follow(_ options: TrackOptions, _ carrying: Carrying) -> TrackEstimate? {
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
