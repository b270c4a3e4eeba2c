import Benchmark
import Inertial

// The cost of recognition per sample, at 100 and 400 Hz: each shake detector, falls, posture, activity, steps,
// altitude with floors, and the last three together.
let benchmarks: @Sendable () -> Void = {
  let perSample = BenchmarkMetric.custom("ns per sample", polarity: .prefersSmaller, useScalingFactor: false)
  let configuration = Benchmark.Configuration(
    metrics: [perSample], warmupIterations: 1, maxDuration: .seconds(2), maxIterations: 60)

  for rate in [100.0, 400.0] {
    let walk = WalkSamples(rate: rate)

    /// Runs one benchmark over the walk. The body returns a number, so that the compiler cannot remove its work.
    func measure(_ name: String, _ run: @escaping @Sendable () throws -> Int) {
      Benchmark("\(name), \(Int(rate)) Hz", configuration: configuration) { benchmark in
        let clock = ContinuousClock()
        benchmark.startMeasurement()
        let begin = clock.now
        let count = try run()
        let duration = begin.duration(to: clock.now)
        benchmark.stopMeasurement()
        blackHole(count)
        benchmark.measurement(perSample, Int(duration / .nanoseconds(1) / Double(walk.motion.count)))
      }
    }

    for kind in ShakeDetectorKind.all {
      measure("shake: \(kind.name)") {
        var detector = try kind.make()
        return walk.motion.reduce(0) { $0 + (detector.update($1) == nil ? 0 : 1) }
      }
    }
    measure("activity") {
      var classifier = ActivityClassifier()
      return walk.motion.reduce(0) { $0 + (classifier.update($1) == nil ? 0 : 1) }
    }
    measure("falls") {
      var detector = FallDetector()
      return walk.motion.reduce(0) { $0 + (detector.update($1) == nil ? 0 : 1) }
    }
    measure("posture") {
      var estimator = PostureEstimator(placement: .thigh)
      return walk.motion.reduce(0) { $0 + (estimator.update($1) == nil ? 0 : 1) }
    }
    measure("steps") {
      var pedometer = Pedometer()
      for sample in walk.motion { _ = pedometer.update(sample) }
      return pedometer.data.numberOfSteps
    }
    measure("altitude and floors") {
      var tracker = AltitudeTracker()
      return walk.run { sample in
        tracker.update(sample)
      } barometer: {
        tracker.update($0).count
      }
    }
    measure("activity, steps, altitude and floors") {
      var (classifier, pedometer, tracker) = (ActivityClassifier(), Pedometer(), AltitudeTracker())
      return walk.run { sample in
        _ = classifier.update(sample)
        _ = pedometer.update(sample)
        tracker.update(sample)
      } barometer: {
        tracker.update($0).count
      }
    }
  }
}

extension WalkSamples {
  /// Passes both to the recogniser in chronological order, and sums the results of the second.
  @inline(__always)
  func run(motion: (MotionSample) -> Void, barometer: (BarometerSample) -> Int) -> Int {
    var (next, sum) = (0, 0)
    for sample in self.motion {
      if next < self.barometer.count, self.barometer[next].time <= sample.time {
        sum += barometer(self.barometer[next])
        next += 1
      }
      motion(sample)
    }
    return sum
  }
}
