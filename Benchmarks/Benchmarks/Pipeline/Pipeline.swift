import Benchmark
import Foundation
import Inertial

// The whole pipeline from a raw log to a fused dataset, as in `inertial fuse`, without the process.
let benchmarks: @Sendable () -> Void = {
  let rowsPerSecond = BenchmarkMetric.custom(
    "Rows per second", polarity: .prefersLarger, useScalingFactor: false)
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, .cpuTotal, .peakMemoryResident, rowsPerSecond], timeUnits: .milliseconds,
    warmupIterations: 0, maxDuration: .seconds(60), maxIterations: 3)

  for kind in LogFile.allCases {
    Benchmark("fused CSV from \(kind.rawValue), 1,000,000 rows, vqf", configuration: configuration) { benchmark in
      let log = try kind.url()
      let fused = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-benchmark.fused.csv")
      var options = FusionOptions()
      options.filter = "vqf"
      options.force = true
      let job = FusionJob(input: log.path, output: fused.path, options: options)

      let clock = ContinuousClock()
      benchmark.startMeasurement()
      let start = clock.now
      let report = try job.run()
      let elapsed = start.duration(to: clock.now)
      benchmark.stopMeasurement()

      precondition(report.rowCount == LogFile.rowCount, "\(report.rowCount) rows of \(LogFile.rowCount)")
      benchmark.measurement(rowsPerSecond, Int(Double(report.rowCount) / (elapsed / .seconds(1))))
      try FileManager.default.removeItem(at: fused)
    }

    Benchmark("\(kind.rawValue) read and judged only, 1,000,000 rows", configuration: configuration) { benchmark in
      let feed = LogFeed(path: try kind.url().path)
      var count = 0
      let clock = ContinuousClock()
      benchmark.startMeasurement()
      let start = clock.now
      _ = try feed.run { (block) throws(LogError) in count += block.count }
      let elapsed = start.duration(to: clock.now)
      benchmark.stopMeasurement()
      precondition(count == 3 * LogFile.rowCount, "\(count) samples of \(3 * LogFile.rowCount)")
      benchmark.measurement(rowsPerSecond, Int(Double(LogFile.rowCount) / (elapsed / .seconds(1))))
    }
  }
}
