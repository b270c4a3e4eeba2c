internal import InertialFilters
package import InertialLogs
package import InertialSensors

/// One log to another, without fusion: the samples as `fuse` would take them, judged, in order of time, in the toolkit's
/// units, each stream on its own clock.
package struct ConversionJob: Sendable {
  /// File, folder, or "-" for standard input.
  package var input: String
  /// File or folder; "-" is standard output, for CSV.
  package var output: String
  package var format: ConversionFormat
  package var log = LogOptions()
  /// Names in a dataset of BIDS.
  package var bids = BIDSEntities()
  /// What only the owner of the dataset knows, for BIDS.
  package var about: DatasetAbout?
  /// What EuRoC's files say of the sensors' noise.
  package var noise = ConversionJob.standardNoise
  /// Whether a CSV gets a file with the facts about it, `OUTPUT.json`; the other formats have them inside.
  package var writesMetadata = false
  /// Whether time begins at 0: the first sample's is taken off, and kept in the metadata.
  package var startsAtZero = false
  /// Whether the header of a CSV has the unit behind each name, `rotationRateX [rad/s]`.
  package var writesUnits = false
  /// Overwrite an existing output.
  package var force = false
  /// Refuse a log with any bad or disordered sample.
  package var strict = false

  /// Files beside the log that the options were read from: no output replaces one.
  package var readFiles: [String] = []

  private let isFormatGiven: Bool

  /// - `format`: nil = as the output's name says.
  package init(input: String, output: String, format: ConversionFormat? = nil) {
    self.input = input
    self.output = output
    self.format = format ?? ConversionFormat(path: output)
    isFormatGiven = format != nil
  }

  /// A phone's, as the flagship filter takes it to be where nobody has measured it; the walk of the accelerometer's bias,
  /// 10 µg/√s, is of the size that data sheets show.
  package static var standardNoise: InertialNoise {
    let filter = MotionPriorKalman.Parameters()
    return InertialNoise(
      gyroscopeNoiseDensity: filter.gyroscopeNoise, gyroscopeRandomWalk: filter.biasNoise,
      accelerometerNoiseDensity: filter.accelerationNoise * standardGravity,
      accelerometerRandomWalk: 1e-5 * standardGravity)
  }

  /// What was read and written.
  package struct Report: Sendable {
    package var output: String
    /// What was read, and what was wrong with it.
    package var log: LogSummary
    /// Samples of each channel that was written.
    package var samples: [SensorChannel: Int] = [:]
    /// What the format has no place for, or had to be changed for it, a sentence each.
    package var remarks: [String] = []
    /// UNIX time of the output's time 0, where the log says.
    package var epoch: Double?
  }

  /// Reads and writes; the output appears under its name when it is whole, or not at all.
  ///
  /// A log is read twice, first to know its streams, so that memory is bounded; standard input is kept instead.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try check()
    var kept: [SensorSample] = []
    let isKept = LogFinder.isStream(input)
    let summary = try feed.run(
      start: { (_) throws(FusionError) in kept = [] },
      progress: { progress($0 / 2) },
      consume: { (block) throws(FusionError) in if isKept { kept += block } })
    let used = summary.reports.mapValues(\.used).filter { $0.value > 0 }
    let channels = format.channels.filter { used[$0] != nil }
    try checkChannels(channels, summary)
    var report = Report(output: output, log: summary)
    report.samples = used.filter { channels.contains($0.key) }
    let leftOut = used.keys.filter { !channels.contains($0) }.sorted()
    if !leftOut.isEmpty {
      report.remarks.append("\(format.rawValue) has no place for: \(leftOut.map(\.name).joined(separator: ", "))")
    }
    var (sink, metadata) = try makeSink(channels, summary)
    func take(_ sample: SensorSample) throws(FusionError) {
      var sample = sample
      sample.time = metadata.time(sample.time)
      try sink.take(sample)
    }
    if isKept {
      for sample in kept { try take(sample) }
    } else {
      var isBegun = false
      _ = try feed.run(
        start: { (_) throws(FusionError) in
          // A second start means that the samples come again in better order: what was written is void.
          if isBegun { (sink, metadata) = try makeSink(channels, summary) }
          isBegun = true
        },
        progress: { progress(0.5 + $0 / 2) },
        consume: { (block) throws(FusionError) in for sample in block { try take(sample) } })
    }
    report.remarks += try sink.conclude()
    report.epoch = metadata.epoch
    return report
  }

  private var feed: LogFeed {
    var feed = LogFeed(path: input, options: log)
    feed.isStrict = strict
    feed.neededChannels = []
    return feed
  }

  private func check() throws(FusionError) {
    if !isFormatGiven { try DatasetFormat.checkEnding(of: output) }
    guard output != "-" || format == .csv else {
      throw .usage("\(format.rawValue) cannot be written to standard output; give a path with -o, or --format csv")
    }
    let inputs = InputGuard([input] + readFiles)
    if format == .bids || format == .euroc {
      try inputs.checkFolder(output)
    } else {
      try inputs.check(output)
      if writesMetadata { try inputs.check(output + ".json") }
    }
    // What is there is told before the log is read.
    if writesUnits, format != .csv {
      throw .usage("--header-units is for csv: \(format.rawValue) has the units beside the names; leave it out")
    }
    guard output != "-" else { return }
    do throws(OutputError) {
      if format == .bids || format == .euroc {
        try AtomicFolder.check(output, force: force)
      } else {
        _ = try AtomicFile(path: output, force: force)
      }
    } catch {
      throw FusionError(error)
    }
  }

  private func checkChannels(_ channels: [SensorChannel], _ summary: LogSummary) throws(FusionError) {
    let missing: [SensorChannel] =
      format == .euroc ? [.gyroscope, .accelerometer].filter { !channels.contains($0) } : []
    guard missing.isEmpty, !channels.isEmpty else {
      let names =
        missing.isEmpty
        ? "samples that \(format.rawValue) has a place for" : missing.map(\.name).joined(separator: ", ")
      throw .badData("\(input): the log has no \(names); give another format, or 'inertial inspect' to see what it has")
    }
  }

  private func makeSink(
    _ channels: [SensorChannel], _ summary: LogSummary
  ) throws(FusionError) -> (sink: any SampleSink, metadata: DatasetMetadata) {
    let rows = SampleRows(channels: channels)
    let rate = { (channel: SensorChannel) in summary.reports[channel].map(\.meanRate).flatMap { $0 > 0 ? $0 : nil } }
    let units = Dictionary(channels.flatMap { channel in channel.columnNames.map { ($0, channel) } }) { first, _ in
      first
    }
    let columns = rows.columns.map { name in
      guard let channel = units[name] else {
        return DatasetMetadata.Column(name: name, unit: "s", meaning: "time as in the log")
      }
      let unit = name == "magneticFieldAccuracy" ? "1" : channel.unit
      return DatasetMetadata.Column(name: name, unit: unit, meaning: channel.name)
    }
    let metadata = DatasetMetadata(
      content: "samples of an inertial recording as its sensors gave them, without fusion",
      recipe: log.datasetFacts, columns: columns, log: summary.description, startsAtZero: startsAtZero)
    do throws(OutputError) {
      switch format {
      case .csv:
        let names = writesUnits ? metadata.columnNames(withUnits: true) : rows.describedColumns
        let table = try NumberTableWriter(path: output, columns: names, force: force)
        let sidecar = writesMetadata && output != "-" ? try AtomicFile(path: output + ".json", force: force) : nil
        return (TableSampleSink(rows: rows, writer: table, sidecar: sidecar, metadata: metadata), metadata)
      case .hdf5:
        let table = try HDF5RowTable(output: output, metadata: metadata, force: force)
        return (TableSampleSink(rows: rows, writer: table), metadata)
      case .parquet:
        let table = try ParquetTableWriter(output: output, metadata: metadata, force: force)
        return (TableSampleSink(rows: rows, writer: table), metadata)
      case .mcap:
        let table = try MCAPTableWriter(output: output, metadata: metadata, columns: rows.columns, force: force)
        return (TableSampleSink(rows: rows, writer: table), metadata)
      case .npz:
        return (try NPZSampleSink(output: output, channels: channels, metadata: metadata, force: force), metadata)
      case .euroc:
        let sink = try EuRoCSampleSink(
          output: output, noise: noise, rate: rate(.gyroscope), metadata: metadata, force: force)
        return (sink, metadata)
      case .bids: break
      }
    } catch {
      throw FusionError(error)
    }
    var rates: [String: Double] = [:]
    for channel in channels { for name in channel.columnNames { rates[name] = rate(channel) } }
    // The table has a row for every time of any stream: its rate is the fastest stream's.
    let fastest = channels.compactMap(rate).max()
    let table = try BIDSRowTable(
      output: output, kind: .raw, metadata: metadata, entities: bids, about: about, frame: nil, rates: rates,
      nominalRate: summary.description.declaredRate ?? fastest, force: force)
    return (TableSampleSink(rows: rows, writer: table), metadata)
  }
}
