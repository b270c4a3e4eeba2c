package import InertialCalibration
package import InertialLogs
internal import InertialNumerics
internal import InertialSensors

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

  /// The minimum number of samples of a series for a noise estimate.
  private static let minimumSampleCount = 64

  /// - Parameter progress: Called periodically with the fraction of the log that was read, 0...1.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    var feed = LogFeed(path: input, options: log)
    feed.neededChannels = []
    feed.readsAhead = true
    var recording = Recording()
    var (first, last): (Double?, Double) = (nil, 0)
    let summary = try feed.run(
      start: { (_) throws(FusionError) in (recording, first) = (Recording(), nil) }, progress: progress,
      consume: { (block) throws(FusionError) in
        for var sample in block where NoiseUnits(sample.channel) != nil {
          first = first ?? sample.time
          sample.time -= first!
          last = max(last, sample.time)
          guard sample.time >= start, sample.time <= end ?? .infinity else { continue }
          recording.append(sample)
        }
      })
    var notes: [String] = []
    let outlyingAtAll = recording.columns.mapValues(\.outlying)
    let rest = Self.rest(in: recording, outlying: outlyingAtAll)
    if let note = rest.note { notes.append(note) }
    var sensors: [Report.Sensor] = []
    for (channel, column) in recording.columns.sorted(by: { $0.key < $1.key }) {
      // Outliers are searched again at rest, as they depend on the motion in the series.
      let still = column.within(rest.span ?? -.infinity ... .infinity)
      let outlying = still.count < column.count ? still.outlying : outlyingAtAll[channel]!
      let clean = still.without(outlying)
      guard clean.count >= Self.minimumSampleCount, let grid = SampleGrid(clean.times) else {
        notes.append("\(channel.name): \(clean.count) samples, too few for a noise estimate")
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
      guard start <= last else {
        throw .usage("\(input): the log ends at \(seconds(last)) s, before --start; use an earlier --start")
      }
      throw .badData(
        "\(input): has no sensor with \(Self.minimumSampleCount) samples; use a recording of a device at rest")
    }
    return Report(
      input: summary.description.path, format: summary.description.format, isAtRest: rest.span != nil,
      sensors: sensors, warnings: summary.warnings + notes)
  }

  private func sensor(
    _ channel: SensorChannel, _ column: SensorColumn, _ grid: SampleGrid, outlying: Int, _ notes: inout [String]
  ) -> Report.Sensor {
    let units = NoiseUnits(channel)!
    let scale = units.valueScale
    let series = column.axes.map { values in
      RegularSeries(scale == 1 ? values : values.map { scale * $0 }, on: grid)
    }
    let factors = StabilityCurve.factors(timeCount, sampleCount: grid.count)
    let curves = StabilityCurve.curves(of: series, kinds: kinds, factors: factors, confidence: confidence)
    let fits = NoiseFit.fits(of: series)
    let axes = zip(["x", "y", "z"], zip(curves, fits)).map { Report.Axis(name: $0, curves: $1.0, noise: $1.1) }
    for axis in axes where axis.noise == nil {
      notes.append("\(channel.name) \(axis.name): no noise estimate, as the values are too few or constant")
    }
    for (axis, series) in zip(axes, series) {
      guard let noise = axis.noise, let doubt = NoiseFitDiagnostic(noise, series) else { continue }
      notes.append("\(channel.name) \(axis.name): \(doubt.words)")
    }
    return Report.Sensor(
      units: units, rate: 1 / grid.period, duration: series[0].duration,
      missingSamples: series[0].missing.reduce(0) { $0 + $1.count }, gaps: series[0].missing.count,
      outlyingSamples: outlying, axes: axes)
  }
}

extension SensorColumn {
  /// The values of each axis.
  var axes: [[Double]] { [values.map(\.x), values.map(\.y), values.map(\.z)] }

  /// The indices of samples that are outliers on any axis.
  fileprivate var outlying: Set<Int> { axes.reduce(into: []) { $0.formUnion(OutlierDetector.find(in: $1)) } }

  fileprivate func within(_ span: ClosedRange<Double>) -> SensorColumn { kept { span.contains(times[$0]) } }

  fileprivate func without(_ outlying: Set<Int>) -> SensorColumn { kept { !outlying.contains($0) } }

  private func kept(_ isKept: (Int) -> Bool) -> SensorColumn {
    let indices = times.indices.filter(isKept)
    guard indices.count < count else { return self }
    return SensorColumn(times: indices.map { times[$0] }, values: indices.map { values[$0] })
  }
}

extension StabilityDeviation {
  /// Returns the deviations with the given names, each once.
  ///
  /// - Throws: ``FusionError`` if a name is unknown.
  package static func list(_ names: [String]) throws(FusionError) -> [StabilityDeviation] {
    var kinds: [StabilityDeviation] = []
    for name in names {
      guard let kind = StabilityDeviation(rawValue: name) else {
        let all = allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("there is no deviation '\(name)'; there are \(all)")
      }
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    return kinds
  }
}
