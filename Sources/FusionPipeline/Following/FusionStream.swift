internal import DeviceMotionEstimation
internal import Geomagnetism
internal import LiveSensors
package import MotionLogs
internal import Sensors

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
  private var rows: HeldRows
  private var judge: StreamJudge
  private var fusion: StreamFusion
  private var isFinished = false

  /// - Parameters:
  ///   - names: of the numbers of a row, which mean what those of a CSV with these names do.
  ///   - table: takes the rows that come out.
  /// - Throws: where the options need the whole log, or do not tell what the numbers are.
  package init(names: [String], options: FusionOptions, table: any TableWriter) throws(FusionError) {
    try options.checkStream()
    var log = options.log
    log.auxiliary = options.wantedChannels
    do throws(LogError) {
      rows = try HeldRows(names: names, options: log)
    } catch {
      throw FusionError(error)
    }
    let declination = try options.declination(
      log: PlaceAndDate(), path: HeldTable.name, reason: "a stream does not say where it is made")
    var description = LogDescription(
      format: "stream", summary: "a stream of samples, row by row", path: HeldTable.name)
    description.auxiliaryChannels = options.wantedChannels
    columns = options.columns(of: description)
    judge = StreamJudge(name: HeldTable.name, axes: log.axes, calibration: log.calibration)
    fusion = StreamFusion(
      stage: FusionStage(estimator: try options.estimator(declination), options: options),
      sink: try RowSink(
        table: table, log: description, options: options, declination: declination, needsFacts: false))
  }

  /// Numbers of a row.
  package var width: Int { rows.width }

  /// Takes the samples of one time, the numbers of a row; NaN is no sample.
  ///
  /// - Throws: where the stream's values cannot be in their units, and after `finish`.
  package mutating func append(_ numbers: [Double]) throws(FusionError) {
    guard !isFinished else { throw .usage("the stream is finished; begin another") }
    var motion: [SensorSample] = []
    var auxiliary: [AuxiliarySample] = []
    var events: [SensorEvent] = []
    do throws(LogError) {
      try rows.take(numbers, into: &motion, auxiliary: &auxiliary)
      guard !motion.isEmpty || !auxiliary.isEmpty else { return }
      try judge.take(motion, auxiliary: auxiliary) { events.append($0) }
    } catch {
      throw FusionError(error)
    }
    for event in events { try fusion.take(event) }
    try fusion.sink.flush()
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
