package import InertialCalibration
package import InertialLogs
internal import InertialNumerics
package import InertialSensors

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
    /// Samples that stick out of the noise, which are left out.
    package var outlying: Int
    package var axes: [Axis]
  }

  /// What was found.
  package struct Report: Sendable {
    package var log: LogSummary
    package var sensors: [Sensor]
    /// Whether the device rests in what was looked at. Else the figures are of motion, and no filter should have them.
    package var isAtRest: Bool
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
      // What sticks out beside motion may not do so at rest, and the other way round.
      let still = columns.within(rest.rest ?? -.infinity ... .infinity)
      let outlying = still.times.count < columns.times.count ? still.outlying : outlyingAtAll[channel]!
      let clean = still.without(outlying)
      guard clean.times.count >= Self.fewestSamples, let grid = SampleGrid(clean.times) else {
        notes.append("\(channel.name): \(clean.times.count) samples, too few to tell noise")
        continue
      }
      if let first = outlying.min() {
        let samples = outlying.count == 1 ? "1 sample" : "\(outlying.count) samples"
        notes.append(
          "\(channel.name): \(samples) far beyond its noise, the first at \(seconds(still.times[first])) s; left out")
      }
      sensors.append(sensor(channel, clean, grid, outlying: outlying.count, &notes))
    }
    guard !sensors.isEmpty else {
      throw .badData("\(input): has no sensor with \(Self.fewestSamples) samples; give a recording of a resting device")
    }
    return Report(log: summary, sensors: sensors, isAtRest: rest.rest != nil, notes: notes)
  }

  private struct Columns {
    var times: [Double] = []
    var values: [[Double]] = [[], [], []]

    /// - Parameter time: seconds since the log's first sample.
    mutating func append(_ sample: SensorSample, _ time: Double) {
      times.append(time)
      values[0].append(sample.x)
      values[1].append(sample.y)
      values[2].append(sample.z)
    }

    /// The indices of samples that stick out of their noise on any axis.
    var outlying: Set<Int> { values.reduce(into: []) { $0.formUnion(OutlyingSamples.find(in: $1)) } }

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
      notes.append("\(channel.name) \(axis.name): its values are too few, or never change; no noise is told")
    }
    for (axis, series) in zip(axes, series) {
      guard let noise = axis.noise, let doubt = NoiseDoubt(noise, series) else { continue }
      notes.append("\(channel.name) \(axis.name): \(doubt.words)")
    }
    return Sensor(
      channel: channel, rate: 1 / grid.period, duration: series[0].duration,
      missing: series[0].missing.reduce(0) { $0 + $1.count }, gaps: series[0].missing.count, outlying: outlying,
      axes: axes)
  }
}
