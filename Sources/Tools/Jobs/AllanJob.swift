package import InertialCalibration
package import InertialLogs
internal import InertialNumerics
package import InertialSensors

/// The analysis of the stability of a resting device's sensors over averaging times, and of their noise.
package struct AllanJob: Sendable {
  /// The path of a file or folder, or "-" for standard input.
  package var input: String
  package var log = LogOptions()
  package var kinds = StabilityDeviation.allCases
  /// The number of averaging times, which are evenly spaced on a logarithmic scale.
  package var timeCount = 60
  /// The confidence level of the points' intervals, 0...1.
  package var confidence = 0.95
  /// The analysed interval in seconds since the log's start; `nil` is the end of the log.
  package var start = 0.0
  package var end: Double?

  package init(input: String) { self.input = input }

  /// The results of one axis of a sensor.
  package struct Axis: Sendable {
    /// The name of the axis: x, y or z.
    package var name: String
    /// The curves in rad/s, m/s² or µT, one for each kind.
    package var curves: [StabilityCurve]
    /// The fitted noise, or `nil` if it cannot be determined.
    package var noise: NoiseFit?
  }

  /// The results of one sensor.
  package struct Sensor: Sendable {
    package var channel: SensorChannel
    /// The sample rate within the log's segments, in Hz.
    package var rate: Double
    /// The duration from the first to the last sample, in seconds.
    package var duration: Double
    /// The number of missing samples on the regular grid, and the number of gaps that contain them.
    package var missing: Int
    package var gaps: Int
    /// The number of outliers, which are left out.
    package var outlying: Int
    package var axes: [Axis]
  }

  /// The results for a log.
  package struct Report: Sendable {
    package var log: LogSummary
    package var sensors: [Sensor]
    /// Whether the device rests in the analysed interval. Otherwise the results are not valid as noise parameters of a
    /// filter.
    package var isAtRest: Bool
    /// The notes about the results, one per line.
    package var notes: [String]

    /// The noise profile that `--noise` writes.
    package var profile: NoiseProfile {
      NoiseProfile(
        source: log.description.path,
        sensors: sensors.map {
          NoiseProfile.Sensor(channel: $0.channel, rate: $0.rate, duration: $0.duration, axes: $0.axes.map(\.noise))
        })
    }
  }

  /// The minimum number of samples of a series for a noise estimate.
  private static let minimumSampleCount = 64

  /// - Parameter progress: Called periodically with the fraction of the log that was read, 0...1.
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
          columns[sample.channel, default: Columns()].append(sample, time)
        }
      })
    var notes: [String] = []
    let outlyingAtAll = columns.mapValues(\.outlying)
    let rest = AllanRest(
      columns.map {
        AllanRest.Source(
          channel: $0.key, times: $0.value.times, values: $0.value.values, outlying: outlyingAtAll[$0.key]!)
      })
    if let note = rest.note { notes.append(note) }
    var sensors: [Sensor] = []
    for (channel, columns) in columns.sorted(by: { $0.key < $1.key }) {
      // Outliers are searched again at rest, as they depend on the motion in the series.
      let still = columns.within(rest.rest ?? -.infinity ... .infinity)
      let outlying = still.times.count < columns.times.count ? still.outlying : outlyingAtAll[channel]!
      let clean = still.without(outlying)
      guard clean.times.count >= Self.minimumSampleCount, let grid = SampleGrid(clean.times) else {
        notes.append("\(channel.name): \(clean.times.count) samples, too few for a noise estimate")
        continue
      }
      if let first = outlying.min() {
        let samples = outlying.count == 1 ? "1 sample" : "\(outlying.count) samples"
        notes.append(
          "\(channel.name): \(samples) far beyond its noise excluded, the first at \(seconds(still.times[first])) s")
      }
      sensors.append(sensor(channel, clean, grid, outlying: outlying.count, &notes))
    }
    guard !sensors.isEmpty else {
      throw .badData(
        "\(input): has no sensor with \(Self.minimumSampleCount) samples; use a recording of a device at rest")
    }
    return Report(log: summary, sensors: sensors, isAtRest: rest.rest != nil, notes: notes)
  }

  private struct Columns {
    var times: [Double] = []
    var values: [[Double]] = [[], [], []]

    /// - Parameter time: The time in seconds since the log's first sample.
    mutating func append(_ sample: SensorSample, _ time: Double) {
      times.append(time)
      values[0].append(sample.x)
      values[1].append(sample.y)
      values[2].append(sample.z)
    }

    /// The indices of samples that are outliers on any axis.
    var outlying: Set<Int> { values.reduce(into: []) { $0.formUnion(OutlierDetector.find(in: $1)) } }

    func within(_ span: ClosedRange<Double>) -> Columns { kept { span.contains(times[$0]) } }

    func without(_ outlying: Set<Int>) -> Columns { kept { !outlying.contains($0) } }

    private func kept(_ isKept: (Int) -> Bool) -> Columns {
      let indices = times.indices.filter(isKept)
      guard indices.count < times.count else { return self }
      return Columns(times: indices.map { times[$0] }, values: values.map { axis in indices.map { axis[$0] } })
    }
  }

  private func sensor(
    _ channel: SensorChannel, _ columns: Columns, _ grid: SampleGrid, outlying: Int, _ notes: inout [String]
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
      notes.append("\(channel.name) \(axis.name): no noise estimate, as the values are too few or constant")
    }
    for (axis, series) in zip(axes, series) {
      guard let noise = axis.noise, let doubt = NoiseFitDiagnostic(noise, series) else { continue }
      notes.append("\(channel.name) \(axis.name): \(doubt.words)")
    }
    return Sensor(
      channel: channel, rate: 1 / grid.period, duration: series[0].duration,
      missing: series[0].missing.reduce(0) { $0 + $1.count }, gaps: series[0].missing.count, outlying: outlying,
      axes: axes)
  }
}
