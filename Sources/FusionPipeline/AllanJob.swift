package import Calibration
internal import LinearAlgebra
package import MotionLogs
package import Sensors

/// The stability of a resting device's sensors over averaging times, and the noise that explains it.
package struct AllanJob: Sendable {
  /// File, folder, or "-" for standard input.
  package var input: String
  package var log = LogOptions()
  package var kinds = StabilityDeviation.allCases
  /// Averaging times, at even steps of their logarithm.
  package var timeCount = 60
  /// Of the points' intervals, 0 to 1.
  package var confidence = 0.95
  /// Seconds since the log's start that are looked at; nil: to the end.
  package var start = 0.0
  package var end: Double?

  package init(input: String) { self.input = input }

  /// One axis of a sensor.
  package struct Axis: Sendable {
    /// x, y or z.
    package var name: String
    /// In rad/s, m/s² or µT; one for each kind.
    package var curves: [StabilityCurve]
    /// nil where the axis tells nothing.
    package var noise: NoiseFit?
  }

  /// One sensor.
  package struct Sensor: Sendable {
    package var channel: SensorChannel
    /// Samples a second within the log's runs.
    package var rate: Double
    /// Seconds from the first sample to the last.
    package var duration: Double
    /// Places of the regular grid without a sample, and in how many runs they lie.
    package var missing: Int
    package var gaps: Int
    package var axes: [Axis]
  }

  /// What was found.
  package struct Report: Sendable {
    package var log: LogSummary
    package var sensors: [Sensor]
    /// What a reader of the figures should know, a line each.
    package var notes: [String]

    /// For `--noise`.
    package var profile: NoiseProfile {
      NoiseProfile(
        source: log.description.path,
        sensors: sensors.map {
          NoiseProfile.Sensor(channel: $0.channel, rate: $0.rate, duration: $0.duration, axes: $0.axes.map(\.noise))
        })
    }
  }

  /// A shorter series tells nothing of its noise.
  private static let fewestSamples = 64

  /// - Parameter progress: called now and then with the share of the log that was read, 0 to 1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var feed = LogFeed(path: input, options: log)
    feed.neededChannels = []
    feed.readsAhead = true
    var columns: [SensorChannel: Columns] = [:]
    var first: Double?
    let summary = try feed.run(
      start: { (_) throws(FusionError) in (columns, first) = ([:], nil) }, progress: progress,
      consume: { (block) throws(FusionError) in
        for sample in block where NoiseUnits(sample.channel) != nil {
          first = first ?? sample.time
          let time = sample.time - first!
          guard time >= start, time <= end ?? .infinity else { continue }
          columns[sample.channel, default: Columns()].append(sample)
        }
      })
    var notes: [String] = []
    var sensors: [Sensor] = []
    for (channel, columns) in columns.sorted(by: { $0.key < $1.key }) {
      guard columns.times.count >= Self.fewestSamples, let grid = SampleGrid(columns.times) else {
        notes.append("\(channel.name): \(columns.times.count) samples, too few to tell noise")
        continue
      }
      sensors.append(sensor(channel, columns, grid, &notes))
    }
    guard !sensors.isEmpty else {
      throw .badData("\(input): has no sensor with \(Self.fewestSamples) samples; give a recording of a resting device")
    }
    return Report(log: summary, sensors: sensors, notes: notes)
  }

  private struct Columns {
    var times: [Double] = []
    var values: [[Double]] = [[], [], []]

    mutating func append(_ sample: SensorSample) {
      times.append(sample.time)
      values[0].append(sample.x)
      values[1].append(sample.y)
      values[2].append(sample.z)
    }
  }

  private func sensor(
    _ channel: SensorChannel, _ columns: Columns, _ grid: SampleGrid, _ notes: inout [String]
  ) -> Sensor {
    let scale = NoiseUnits(channel)!.valueScale
    let series = columns.values.map { values in
      RegularSeries(scale == 1 ? values : values.map { scale * $0 }, on: grid)
    }
    let factors = StabilityCurve.factors(timeCount, sampleCount: grid.count)
    let curves = StabilityCurve.curves(of: series, kinds: kinds, factors: factors, confidence: confidence)
    let fits = NoiseFit.fits(of: series)
    let axes = zip(["x", "y", "z"], zip(curves, fits)).map { Axis(name: $0, curves: $1.0, noise: $1.1) }
    for axis in axes where axis.noise == nil {
      notes.append("\(channel.name) \(axis.name): its values are too few, or never change; no noise is told")
    }
    for (axis, series) in zip(axes, series) where Self.moves(series) {
      notes.append(
        "\(channel.name) \(axis.name): its values differ from second to second as those of a moving device do; give a "
          + "recording at rest, or the part of it with --start and --end")
    }
    return Sensor(
      channel: channel, rate: 1 / grid.period, duration: series[0].duration,
      missing: series[0].missing.reduce(0) { $0 + $1.count }, gaps: series[0].missing.count, axes: axes)
  }

  /// Whether the means of seconds are spread by outliers: motion comes and goes, noise does not.
  private static func moves(_ series: RegularSeries) -> Bool {
    let width = max(1, Int((1 / series.period).rounded()))
    let means = stride(from: 0, to: series.values.count - width, by: width).map { start in
      series.values[start..<(start + width)].reduce(0, +) / Double(width)
    }
    // Differences of neighbours are free of drift.
    let differences = zip(means, means.dropFirst()).map { abs($0 - $1) }.sorted()
    guard differences.count >= 20 else { return false }
    // Of normal numbers the largest of a day's seconds is 7 times the median.
    return differences[differences.count - 1 - differences.count / 100] > 8 * differences[differences.count / 2]
  }
}
