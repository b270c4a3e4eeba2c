import Benchmark
import Foundation
import Inertial
import SimulatedLogs

// One minute of every readable format: the time of its reader from format detection to the last sample.
let benchmarks: @Sendable () -> Void = {
  let speed = BenchmarkMetric.custom("MB per second", polarity: .prefersLarger, useScalingFactor: false)
  let samplesPerSecond = BenchmarkMetric.custom(
    "Thousand samples per second", polarity: .prefersLarger, useScalingFactor: false)
  let size = BenchmarkMetric.custom("Kilobytes read", polarity: .prefersSmaller, useScalingFactor: false)
  let configuration = Benchmark.Configuration(
    metrics: [.wallClock, speed, samplesPerSecond, size], timeUnits: .microseconds, warmupIterations: 2,
    maxDuration: .seconds(2), maxIterations: 40)

  for log in FormatLog.all {
    Benchmark("60 s of \(log.format) at \(Int(log.rate)) Hz", configuration: configuration) { benchmark in
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-readers-\(log.format)")
      try? FileManager.default.removeItem(at: folder)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = try log.write(rows: Int(60 * log.rate), to: folder)
      let bytes = try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
        return sum + (attributes[.size] as? Int ?? 0)
      }

      let clock = ContinuousClock()
      benchmark.startMeasurement()
      let start = clock.now
      var reader = try openLog(path: path, options: log.options)
      var count = 0
      var batch: [SensorSample] = []
      while try reader.read(into: &batch) {
        count += batch.count
        batch.removeAll(keepingCapacity: true)
      }
      let seconds = start.duration(to: clock.now) / .seconds(1)
      benchmark.stopMeasurement()

      let format = reader.description.format
      precondition(format == log.describedFormat, "\(log.format) was taken for \(format)")
      precondition(count >= Int(60 * log.rate), "\(count) samples of \(log.format)")
      benchmark.measurement(speed, Int(Double(bytes) / 1e6 / seconds))
      benchmark.measurement(samplesPerSecond, Int(Double(count) / 1e3 / seconds))
      benchmark.measurement(size, bytes / 1000)
    }
  }
}
