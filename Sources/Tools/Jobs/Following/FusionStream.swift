internal import InertialFusion
internal import InertialLive
package import InertialLogs
internal import InertialNumerics
package import InertialSensors

/// What a judged stream tells, to rows.
struct StreamFusion {
  var stage: FusionStage
  var sink: RowSink

  mutating func take(_ event: SensorEvent) throws(FusionError) {
    switch event {
    case .samples(let samples):
      try stage.fuse(samples, into: &sink)
      // A line's samples are all here, and later ones are of later times.
      if let last = samples.last { try stage.close(through: last.time, into: &sink) }
    case .auxiliary(let samples):
      sink.add(samples)
      stage.add(samples)
    case .discontinuity: try stage.beginAnew(into: &sink)
    case .silence, .end: break
    }
  }

  mutating func finish() throws(FusionError) {
    sink.finishAuxiliary()
    try stage.finish(into: &sink)
  }
}

/// Rows of samples in as they come, rows of a dataset out as soon as they are known: what `fuse --follow` does, for a
/// program that has the samples itself.
package struct FusionStream {
  /// Of the rows that come out.
  package let columns: [FusedColumn]
  /// nil where samples come as such.
  private var rows: HeldRows?
  private var judge: StreamJudge
  private var fusion: StreamFusion
  private var isFinished = false

  /// - Parameters:
  ///   - names: of the numbers of a row, which mean what those of a CSV with these names do.
  ///   - table: takes the rows that come out.
  /// - Throws: where the options need the whole log, or do not tell what the numbers are.
  package init(names: [String], options: FusionOptions, table: any TableWriter) throws(FusionError) {
    try self.init(name: HeldTable.name, options: options, table: table)
    var log = options.log
    log.auxiliary = options.wantedChannels
    do throws(LogError) {
      rows = try HeldRows(names: names, options: log.withCalibrationChannels)
    } catch {
      throw FusionError(error)
    }
  }

  /// A stream whose samples the program has as such.
  ///
  /// - Parameters:
  ///   - name: of the stream, for messages.
  ///   - tellsEvents: whether `takeEvents` has what is seen to happen.
  /// - Throws: where the options need the whole log.
  package init(
    name: String, options: FusionOptions, table: any TableWriter, tellsEvents: Bool = false
  ) throws(FusionError) {
    try options.checkStream()
    let declination = try options.declination(
      log: PlaceAndDate(), path: name, reason: "a stream does not say where it is made")
    var description = LogDescription(format: "stream", summary: "a stream of samples, row by row", path: name)
    description.auxiliaryChannels = options.wantedChannels
    columns = options.columns(of: description)
    var log = options.log
    log.auxiliary = options.wantedChannels
    judge = StreamJudge(name: name, options: log)
    fusion = StreamFusion(
      stage: FusionStage(
        estimator: try options.estimator(declination), options: options, keptEvents: tellsEvents ? .live : .none),
      sink: try RowSink(
        table: table, log: description, options: options, declination: declination, needsFacts: false))
  }

  /// Numbers of a row; 0 where samples come as such.
  package var width: Int { rows?.width ?? 0 }

  /// What became of the samples so far, by channel.
  package var channelReports: [SensorChannel: ChannelReport] { judge.channelReports }

  /// How often the clock has jumped, behind which a segment begins.
  package var jumpCount: Int { judge.jumpCount }

  /// What has happened since it was asked last, in the order in which it became known.
  package mutating func takeEvents() -> [RecognisedEvent] { fusion.stage.takeEvents() }

  /// Takes samples that came together, in order of time; none of these times or earlier ones comes any more.
  ///
  /// - Throws: where the stream's values cannot be in their units, and after `finish`.
  package mutating func append(_ motion: [SensorSample], auxiliary: [AuxiliarySample]) throws(FusionError) {
    guard !isFinished else { throw .usage("the stream is finished; begin another") }
    guard !motion.isEmpty || !auxiliary.isEmpty else { return }
    var events: [SensorEvent] = []
    do throws(LogError) {
      try judge.take(motion, auxiliary: auxiliary) { events.append($0) }
    } catch {
      throw FusionError(error)
    }
    for event in events { try fusion.take(event) }
    try fusion.sink.flush()
  }

  /// Takes the samples of one time, the numbers of a row; NaN is no sample.
  ///
  /// - Throws: where the stream's values cannot be in their units, and after `finish`.
  package mutating func append(_ numbers: [Double]) throws(FusionError) {
    guard !isFinished else { throw .usage("the stream is finished; begin another") }
    var motion: [SensorSample] = []
    var auxiliary: [AuxiliarySample] = []
    do throws(LogError) {
      try rows?.take(numbers, into: &motion, auxiliary: &auxiliary)
    } catch {
      throw FusionError(error)
    }
    try append(motion, auxiliary: auxiliary)
  }

  /// No more samples will come: gives the rows that waited for them.
  package mutating func finish() throws(FusionError) {
    guard !isFinished else { return }
    isFinished = true
    var events: [SensorEvent] = []
    judge.finish { events.append($0) }
    for event in events { try fusion.take(event) }
    try fusion.finish()
    try fusion.sink.flush()
  }
}
