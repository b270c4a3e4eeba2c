internal import InertialLive
internal import InertialLogs
internal import InertialNumerics
package import InertialSensors

/// A stream that accepts rows of samples and outputs rows of a dataset as soon as they are available. It equals `fuse
/// --follow` for a program that has the samples itself.
package struct FusionStream {
  /// The columns of the output rows.
  package let columns: [FusedColumn]
  let queue: RowQueue
  /// The reader of input rows, or `nil` if the input consists of samples.
  var rows: StreamedRows?
  var processor: StreamProcessor
  var stage: FusionStage
  private(set) var isFinished = false
  /// The options as a JSON object and the names of the numbers in a row, if the stream was begun with them.
  var request: (options: String, names: [String])?

  /// Creates a stream for rows of numbers.
  ///
  /// - Parameters:
  ///   - names: The names of the numbers in a row, with the same meaning as CSV columns.
  /// - Throws: ``FusionError`` if an option needs the whole log or the meaning of the numbers is unknown.
  package init(names: [String], options: FusionOptions) throws(FusionError) {
    try self.init(name: InMemoryTable.name, options: options)
    do throws(LogError) {
      rows = try StreamedRows(names: names, options: options.streamLog.withCalibrationChannels)
    } catch {
      throw FusionError(error)
    }
  }

  /// Creates a stream for samples.
  ///
  /// - Parameters:
  ///   - name: The name of the stream, for messages.
  ///   - reportsEvents: Whether `takeEvents` returns recognised events.
  /// - Throws: ``FusionError`` if an option needs the whole log.
  package init(name: String, options: FusionOptions, reportsEvents: Bool = false) throws(FusionError) {
    try options.checkStream()
    var options = options
    options.isCausal = true
    let declination = try options.declination(log: PlaceAndDate(), path: name, reason: "a stream has no location")
    var description = LogDescription(format: "stream", summary: "a stream of samples, row by row", path: name)
    description.auxiliaryChannels = options.wantedChannels
    columns = options.columns(of: description)
    queue = RowQueue(width: columns.count)
    processor = StreamProcessor(name: name, options: options.streamLog)
    stage = FusionStage(
      estimator: try options.estimator(declination),
      sink: RowSink(
        writer: queue, log: description, options: options,
        metadata: DatasetMetadata(log: description, options: options, declination: declination, needsChecksum: false)),
      options: options,
      // The segments of activities are known only at the end, and columns report them live.
      keptEvents: reportsEvents ? Recognition.allCases.filter { $0 != .activity } : [])
  }

  /// The number of values in an input row, or 0 if the input consists of samples.
  package var width: Int { rows?.width ?? 0 }

  /// The reports on the samples so far, by channel.
  package var channelReports: [SensorChannel: ChannelReport] { processor.channelReports }

  /// The number of clock jumps, each of which begins a new segment.
  package var jumpCount: Int { processor.jumpCount }

  /// The number of output rows so far.
  package var rowCount: Int { queue.rowCount }

  /// Returns the numbers of the output rows since the previous call, row by row.
  package func takeRows() -> [Double] { queue.take() }

  /// Copies the output rows since the previous call to a buffer, as many as fit, and returns their number. The others
  /// remain for the next call.
  package func takeRows(into rows: UnsafeMutableBufferPointer<Double>) -> Int { queue.take(into: rows) }

  /// Returns the events since the previous call, in the order of detection.
  package mutating func takeEvents() -> [RecognisedEvent] { stage.recognition?.takeEvents() ?? [] }

  /// Appends samples that arrived together, sorted by time. Later calls must not contain these times or earlier ones.
  ///
  /// - Throws: ``FusionError`` if the values are implausible in their units, or after `finish`.
  package mutating func append(_ motion: [SensorSample], auxiliary: [AuxiliarySample]) throws(FusionError) {
    guard !isFinished else { throw .usage("the stream is finished; begin another") }
    guard !motion.isEmpty || !auxiliary.isEmpty else { return }
    var events: [SensorEvent] = []
    do throws(LogError) {
      try processor.append(motion, auxiliary: auxiliary) { events.append($0) }
    } catch {
      throw FusionError(error)
    }
    for event in events { try stage.append(event) }
    try stage.sink.flush()
  }

  /// Appends the samples of one epoch, as the numbers of a row; NaN means no sample.
  ///
  /// - Throws: ``FusionError`` if the values are implausible in their units, or after `finish`.
  package mutating func append(_ numbers: [Double]) throws(FusionError) {
    guard !isFinished else { throw .usage("the stream is finished; begin another") }
    var motion: [SensorSample] = []
    var auxiliary: [AuxiliarySample] = []
    do throws(LogError) {
      try rows?.take(numbers, into: &motion, auxiliary: &auxiliary)
    } catch {
      throw FusionError(error)
    }
    stage.expect(rows?.sensors)
    try append(motion, auxiliary: auxiliary)
  }

  /// Finishes the input and writes the pending rows.
  ///
  /// - Throws: ``FusionError`` if there is no row because the samples of a required sensor are missing.
  package mutating func finish() throws(FusionError) {
    guard !isFinished else { return }
    isFinished = true
    var events: [SensorEvent] = []
    processor.finish { events.append($0) }
    for event in events { try stage.append(event) }
    try stage.finish()
    try stage.sink.flush()
    let reports = channelReports
    guard rowCount == 0, reports.contains(where: { $0.value.count > 0 }) else { return }
    for channel in [SensorChannel.accelerometer, .gyroscope] where reports[channel]?.count ?? 0 == 0 {
      throw .badData(
        "the stream has no \(channel.name) samples; fusing needs an accelerometer and a gyroscope")
    }
  }
}
