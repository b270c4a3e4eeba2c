import Benchmark
import Foundation
import Inertial

// Raw log to fused dataset, end to end: what `inertial fuse` does, without the process around it.
let benchmarks: @Sendable () -> Void = {
  let rowsPerSecond = BenchmarkMetric.custom(
    "Rows per second", polarity: .prefersLarger, useScalingFactor: false)
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, .cpuTotal, .peakMemoryResident, rowsPerSecond], timeUnits: .milliseconds,
    warmupIterations: 0, maxDuration: .seconds(60), maxIterations: 5)

  Benchmark(
    "1,000,000 rows of nine axes, canonical CSV to fused CSV, complementary", configuration: configuration
  ) {
    benchmark in
    let log = try LongLog.file()
    let fused = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-benchmark.fused.csv")
    var options = FusionOptions()
    options.filter = "complementary"
    options.force = true
    let job = FusionJob(input: log.path, output: fused.path, options: options)

    let clock = ContinuousClock()
    benchmark.startMeasurement()
    let start = clock.now
    let report = try job.run()
    let elapsed = start.duration(to: clock.now)
    benchmark.stopMeasurement()

    precondition(report.rowCount == LongLog.rowCount, "\(report.rowCount) rows of \(LongLog.rowCount)")
    benchmark.measurement(rowsPerSecond, Int(Double(report.rowCount) / (elapsed / .seconds(1))))
    try FileManager.default.removeItem(at: fused)
  }

  Benchmark("1,000,000 rows of nine axes, canonical CSV read and judged only", configuration: configuration) {
    benchmark in
    let feed = LogFeed(path: try LongLog.file().path)
    var count = 0
    benchmark.startMeasurement()
    _ = try feed.run { _ in count += 1 }
    benchmark.stopMeasurement()
    precondition(count == 3 * LongLog.rowCount, "\(count) samples of \(3 * LongLog.rowCount)")
  }
}
