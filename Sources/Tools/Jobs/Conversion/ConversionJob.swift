internal import InertialFilters
package import InertialLogs
package import InertialSensors
internal import InertialSystem

/// The conversion of a log to another format without fusion. The samples are those that `fuse` would use: validated,
/// sorted by time, in the toolkit's units, each stream with its own timestamps.
package struct ConversionJob: Sendable {
  /// The path of a file or folder, or "-" for standard input.
  package var input: String
  /// The path of a file or folder, or "-" for standard output with CSV.
  package var output: String
  /// The format, one of `DatasetFormat.ofSamples`.
  package var format: DatasetFormat
  package var log = LogOptions()
  /// The names in a BIDS dataset.
  package var bids = BIDSEntities()
  /// Facts that only the owner of the dataset knows, for BIDS.
  package var about: DatasetAbout?
  /// The sensor noise in EuRoC's files.
  package var noise = ConversionJob.standardNoise
  /// Whether a CSV file gets a separate metadata file, `OUTPUT.json`; other formats contain the metadata.
  package var writesMetadata = false
  /// Whether time begins at 0. The metadata contains the subtracted time of the first sample.
  package var startsAtZero = false
  /// Whether a CSV header contains the unit after each name, as in `rotationRateX [rad/s]`.
  package var writesUnits = false
  /// Whether an existing output is overwritten.
  package var force = false
  /// Whether a log with any bad or disordered sample is rejected.
  package var strict = false

  /// Additional files that the options were read from. No output replaces them.
  package var readFiles: [String] = []

  private let isFormatGiven: Bool

  /// - Parameter format: The format, or `nil` for the format of the output's extension; CSV for other extensions.
  package init(input: String, output: String, format: DatasetFormat? = nil) {
    (self.input, self.output) = (input, output)
    let named = DatasetFormat(path: output)
    self.format = format ?? (DatasetFormat.ofSamples.contains(named) ? named : .csv)
    isFormatGiven = format != nil
  }

  /// The noise of a phone, as the flagship filter assumes it without a measurement. The random walk of the
  /// accelerometer's bias, 10 µg/√s, is typical of data sheets.
  package static var standardNoise: InertialNoise {
    let filter = MotionPriorKalman.Parameters()
    return InertialNoise(
      gyroscopeNoiseDensity: filter.gyroscopeNoise, gyroscopeRandomWalk: filter.biasNoise,
      accelerometerNoiseDensity: filter.accelerationNoise * standardGravity,
      accelerometerRandomWalk: 1e-5 * standardGravity)
  }

  /// The result of a conversion.
  package struct Report: Sendable, Encodable {
    /// The job, with the input, the output and its format.
    package var job: ConversionJob
    /// The summary of the log and its problems.
    package var log: LogSummary
    /// The number of written samples of each channel.
    package var samples: [SensorChannel: Int] = [:]
    /// The data that the format does not support or that were changed for it, one sentence each.
    package var remarks: [String] = []
    /// The UNIX time of the output's time 0, if the log specifies it.
    package var epoch: Double?

    /// The channels of the output.
    package var channels: [ChannelSummary] {
      samples.sorted { $0.key < $1.key }.map { channel, count in
        ChannelSummary(name: channel.name, samples: count, rate: log.reports[channel]?.meanRate ?? 0)
      }
    }

    /// Encodes the result, as the command `convert --json` prints it.
    package func encode(to encoder: any Encoder) throws {
      let object = EncodedObject([
        "input": job.input, "output": job.output, "outputFormat": job.format.rawValue,
        "format": log.description.format, "formatDescription": log.description.summary,
        "notes": log.description.notes, "epoch": epoch, "channels": channels, "remarks": remarks,
        "warnings": log.warnings,
      ])
      try object.encode(to: encoder)
    }
  }

  /// Reads and writes. The output appears under its name when it is complete, or not at all.
  ///
  /// A log is read twice, first to determine its streams, so that memory is bounded. Standard input is kept in memory.
  package func run(progress: (Double) -> Void = { _ in }) throws(FusionError) -> Report {
    try check()
    var kept: [SensorSample] = []
    let isKept = LogFeed.isStream(input)
    let summary = try feed.run(
      start: { (_) throws(FusionError) in kept = [] },
      progress: { progress($0 / 2) },
      consume: { (block) throws(FusionError) in if isKept { kept += block } })
    let used = summary.reports.mapValues(\.used).filter { $0.value > 0 }
    let channels = format.channels.filter { used[$0] != nil }
    try checkChannels(channels, summary)
    var report = Report(job: self, log: summary)
    report.samples = used.filter { channels.contains($0.key) }
    let leftOut = used.keys.filter { !channels.contains($0) }.sorted()
    if !leftOut.isEmpty {
      report.remarks.append("\(format.rawValue) cannot store: \(leftOut.map(\.name).joined(separator: ", "))")
    }
    var sink = try makeSink(channels, summary)
    if isKept {
      try sink.append(kept)
    } else {
      var isBegun = false
      _ = try feed.run(
        start: { (_) throws(FusionError) in
          // A second start means that the samples are read again in better order: the output so far is void.
          if isBegun { sink = try makeSink(channels, summary) }
          isBegun = true
        },
        progress: { progress(0.5 + $0 / 2) },
        consume: { (block) throws(FusionError) in try sink.append(block) })
    }
    report.remarks += try sink.close()
    report.epoch = sink.metadata.epoch
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
    if format.isFolder {
      try inputs.checkFolder(output)
    } else {
      try inputs.check(output)
      if writesMetadata { try inputs.check(output + ".json") }
    }
    // Existing outputs are reported before the log is read.
    if writesUnits, format != .csv {
      throw .usage("--header-units is for csv: \(format.rawValue) stores the units separately; omit it")
    }
    if output != "-" { try DatasetOutput(format: format, path: output).check(force: force) }
  }

  private func checkChannels(_ channels: [SensorChannel], _ summary: LogSummary) throws(FusionError) {
    let missing: [SensorChannel] =
      format == .euroc ? [.gyroscope, .accelerometer].filter { !channels.contains($0) } : []
    guard missing.isEmpty, !channels.isEmpty else {
      let names =
        missing.isEmpty
        ? "samples that \(format.rawValue) can store" : missing.map(\.name).joined(separator: ", ")
      throw .badData(
        "\(input): the log has no \(names); use another format, or list the channels with 'inertial inspect'")
    }
  }

  private func makeSink(_ channels: [SensorChannel], _ summary: LogSummary) throws(FusionError) -> SampleSink {
    let rows = SampleRows(channels: channels)
    let time = TableColumn(name: "time", unit: "s", meaning: "timestamp of the log")
    let metadata = DatasetMetadata(
      content: "raw sensor samples of an inertial recording, without fusion",
      recipe: log.datasetFacts, columns: [time] + channels.flatMap(\.columns), log: summary.description,
      startsAtZero: startsAtZero)
    let rates = summary.reports.mapValues(\.meanRate).filter { $0.value > 0 }
    let writer: any TableWriter
    var sidecar: AtomicFile?
    do throws(OutputError) {
      switch format {
      case .csv, .tum:
        let names = writesUnits ? metadata.columnNames(withUnits: true) : rows.describedColumns
        writer = try NumberTableWriter(path: output, columns: names, force: force)
        if writesMetadata, output != "-" { sidecar = try AtomicFile(path: output + ".json", force: force) }
      case .hdf5: writer = try HDF5TableWriter(output: output, metadata: metadata, force: force)
      case .parquet: writer = try ParquetTableWriter(output: output, metadata: metadata, force: force)
      case .mcap:
        writer = try MCAPTableWriter(output: output, metadata: metadata, columns: rows.columns, force: force)
      case .npz:
        writer = try NPZTableWriter(
          path: output, columns: rows.columns, streams: channels.map(\.columnNames), force: force
        ) {
          [("metadata", metadata.json())]
        }
      case .euroc:
        writer = try EuRoCSampleTableWriter(
          output: output, noise: noise, rate: rates[.gyroscope], metadata: metadata, force: force)
      case .bids:
        var columnRates: [String: Double] = [:]
        for channel in channels { for name in channel.columnNames { columnRates[name] = rates[channel] } }
        writer = try BIDSTableWriter(
          output: output, isRaw: true, metadata: metadata, entities: bids, about: about, frame: nil,
          rates: columnRates,
          // The table has a row for every timestamp of any stream, so the fastest stream determines its rate.
          nominalRate: summary.description.declaredRate ?? channels.compactMap { rates[$0] }.max(), force: force)
      }
    } catch {
      throw FusionError(error)
    }
    return SampleSink(metadata: metadata, writer: writer, rows: rows, sidecar: sidecar)
  }
}
