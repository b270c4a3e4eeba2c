import Benchmark
import Inertial

// The cost of a path per sample: foot-mounted, handheld by a pedestrian, and vehicle-mounted with a position fix per second;
// online, and with the backward pass.
let benchmarks: @Sendable () -> Void = {
  let perSample = BenchmarkMetric.custom("ns per sample", polarity: .prefersSmaller, useScalingFactor: false)
  let configuration = Benchmark.Configuration(
    metrics: [perSample], warmupIterations: 1, maxDuration: .seconds(3), maxIterations: 60)

  /// Runs one benchmark. The path's last position is a result, so that the compiler cannot remove the work.
  func measure(_ name: String, _ count: Int, _ run: @escaping @Sendable () -> TrackEstimate?) {
    Benchmark(name, configuration: configuration) { benchmark in
      let clock = ContinuousClock()
      benchmark.startMeasurement()
      let begin = clock.now
      let end = run()
      let duration = begin.duration(to: clock.now)
      benchmark.stopMeasurement()
      precondition(end != nil, "there is no path")
      benchmark.measurement(perSample, Int(duration / .nanoseconds(1) / Double(count)))
    }
  }

  for smooths in [false, true] {
    let how = smooths ? ", smoothed" : ""
    let feet = PathSamples.foot(rate: 200)
    measure("foot, 200 Hz" + how, feet.motion.count) {
      var tracker = FootTracker(keepsTrace: smooths)
      for sample in feet.motion { tracker.update(sample) }
      return smooths ? tracker.smoothed().last : tracker.estimate
    }
    let walk = PathSamples.hand(rate: 100)
    let times = walk.motion.map(\.time)
    measure("hand, 100 Hz" + how, walk.motion.count) {
      var tracker = StepTracker(keepsTrace: smooths)
      var next = 0
      for sample in walk.motion {
        tracker.update(sample)
        while next < walk.steps.count, walk.steps[next] <= sample.time {
          tracker.step(at: walk.steps[next], duration: walk.stepTime, length: walk.stepLength)
          next += 1
        }
      }
      return smooths ? tracker.smoothed(at: times).last : tracker.estimate
    }
    let drive = PathSamples.vehicle(rate: 100)
    measure("vehicle, 100 Hz" + how, drive.motion.count) {
      var tracker = VehicleTracker(keepsTrace: smooths)
      var next = 0
      for sample in drive.motion {
        while next < drive.fixes.count, drive.fixes[next].time <= sample.time {
          tracker.update(drive.fixes[next])
          next += 1
        }
        tracker.update(sample)
      }
      return smooths ? tracker.smoothed().last : tracker.estimate
    }
  }
}
