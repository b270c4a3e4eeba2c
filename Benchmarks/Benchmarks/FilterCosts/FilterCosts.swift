import Benchmark
import CAllocationCount
import Foundation
import Inertial
import SimulatedLogs

// Every filter on nine and on six axes: the time per sample, including the attitude, and the allocations after the start,
// which must be zero.
let benchmarks: @Sendable () -> Void = {
  let perSample = BenchmarkMetric.custom("ns per sample", polarity: .prefersSmaller, useScalingFactor: false)
  let allocations = BenchmarkMetric.custom(
    "Allocations of 15,000 samples", polarity: .prefersSmaller, useScalingFactor: false)
  let configuration = Benchmark.Configuration(
    metrics: [perSample, allocations], warmupIterations: 1, maxDuration: .seconds(2), maxIterations: 60)
  let log = NineAxisLog(duration: 200)
  let start = 5000

  for kind in FilterKind.all {
    for axes in [9, 6] {
      Benchmark("\(kind.name), \(axes)-axis", configuration: configuration) { benchmark in
        var filter: any AttitudeFilter = try kind.make()
        var attitudes = [Quaternion](repeating: .identity, count: log.rows.count)
        log.run(&filter, over: 0..<start, axes: axes, &attitudes)

        let clock = ContinuousClock()
        benchmark.startMeasurement()
        let before = allocation_count()
        let begin = clock.now
        log.run(&filter, over: start..<log.rows.count, axes: axes, &attitudes)
        let duration = begin.duration(to: clock.now)
        let count = allocation_count() - before
        benchmark.stopMeasurement()

        blackHole(attitudes)
        benchmark.measurement(perSample, Int(duration / .nanoseconds(1) / Double(log.rows.count - start)))
        benchmark.measurement(allocations, Int(count))
        // Opening the existential allocates at most once.
        guard count > 1 else { return }
        // The harness prints an error of a benchmark and still succeeds, so the process exits here.
        print(
          "error: \(kind.name) on \(axes) axes allocated memory \(count) times in \(log.rows.count - start) samples")
        exit(1)
      }
    }
  }
}
