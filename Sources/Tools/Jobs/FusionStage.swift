internal import InertialCalibration
internal import InertialEvaluation
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// Fuses samples to device motions at the requested times, and passes these to the sink of their rows.
struct FusionStage {
  /// The number of samples, motions or rows that are processed together, few enough for a core's own cache.
  static let blockLength = 512

  /// The sink of the rows. The caller flushes and closes it.
  var sink: RowSink
  private var estimator: DeviceMotionEstimator
  private var resampler: DeviceMotionResampler?
  /// The motions that are passed to the sink together.
  private var motions: [DeviceMotion] = []
  /// Whether any motion had a heading.
  private var knewNorth = false
  /// Whether the filter has received a usable field, in any finished segment.
  private(set) var fieldIsUsed = false

  private let frame: AttitudeReferenceFrame
  private let gap: Double
  /// The initial state, used to restart the stage.
  private let fresh: (estimator: DeviceMotionEstimator, resampler: DeviceMotionResampler?)
  /// Whether gaps restart the estimator.
  private let splits: Bool
  /// The number of output times in gaps before the last restart, at a fixed output rate.
  private var skippedBefore = 0
  private var lastRateTime: Double?
  /// The number of gyroscope samples in this segment, and of the resulting motions.
  private var segmentCounts = (rates: 0, motions: 0)
  /// The number of segments with rows.
  private(set) var segmentCount = 0
  /// The number of gyroscope samples in segments without an attitude.
  private var unusedRateCount = 0
  /// The recognisers, or `nil` if there are none.
  var recognition: RecognitionStage?
  /// Whether the sensors of a stream are known to the recognisers.
  private var knowsSensors = false
  /// The recognised values of the motions that are passed to the sink together, one row per motion.
  private var recognisedRows: [Double] = []
  /// The rows at a fixed output rate that are passed to the sink together.
  private var resampled: [DeviceMotion] = []
  /// The statistics of the filter's measurements, or `nil` if they are not requested.
  private(set) var measurements: [MeasurementStatistics]?
  /// The lines of the gyroscope samples, or `nil` if no row has one.
  private var lines: SampleLines?

  /// - Parameters:
  ///   - sink: The sink of the rows, to which no row was passed.
  ///   - record: The record for the recognisers that use the whole log, or `nil` if all are causal.
  ///   - sensors: The channels of the sensors that can occur, or `nil` if unknown.
  ///   - keptEvents: The recognitions whose events are kept, which takes memory.
  ///   - talliesMeasurements: Whether the statistics of the filter's measurements are kept.
  init(
    estimator: DeviceMotionEstimator, sink: RowSink, options: FusionOptions,
    record: LogRecord? = nil, sensors: Set<SensorChannel>? = nil, keptEvents: [Recognition] = [],
    talliesMeasurements: Bool = false
  ) {
    (self.estimator, self.sink) = (estimator, sink)
    frame = options.motion.frame
    gap = options.gap
    resampler = options.rate.map { DeviceMotionResampler(rate: $0, maximumGap: options.gap) }
    resampler?.maximumFilledGap = GapPolicy.maximumFilledGap
    splits = options.gaps == .split
    switch options.gaps {
    case .hold: resampler?.filling = .hold
    case .nan: resampler?.filling = .unknown
    case .split, nil: break
    }
    fresh = (estimator, resampler)
    if options.columns.contains(.line), options.rate == nil { lines = SampleLines() }
    recognition = RecognitionStage(
      options.recognitions.filter { record?.recognitions.contains($0) != true },
      given: [
        .track: TrackAnnotator(options.track, frame: options.start), .posture: PostureAnnotator(options.placement),
      ], kept: keptEvents, record: record, sensors: sensors)
    if talliesMeasurements { measurements = [] }
  }

  /// The automatic decisions of the fusion since the last gap that splits the dataset, and of the recognisers.
  var decisions: [AutomaticDecision] { estimator.decisions + (recognition?.decisions ?? []) }

  /// The warnings about missing parts of the motions, one line per warning; complete after `finish`.
  var warnings: [String] {
    var lines: [String] = []
    if frame.isNorthReferenced, !knewNorth {
      let isDeclared = estimator.configuration.field == .calibrated
      let possible = HardIronEstimator.possibleStrength
      let strength = "\(Int(possible.lowerBound)) to \(Int(possible.upperBound))"
      lines.append(
        "north is unknown: the magnetic field never "
          + (isDeclared ? "had the strength of the earth's, \(strength) µT" : "reached a usable accuracy")
          + ", so yaw is arbitrary and heading is -1; "
          + (isDeclared
            ? "check the field's unit, or omit --field calibrated to estimate the hard iron"
            : "turn the device through all attitudes while recording, or add --field calibrated if the log's field "
              + "has no hard-iron bias"))
    }
    if let relative = sink.relative, relative.reference == nil, sink.rowCount > 0 {
      lines.append("no row is at or after the time of --relative-to, so the relative attitude is empty")
    }
    if unusedRateCount > 0 {
      lines.append(
        "\(unusedRateCount) gyroscope samples between gaps have no row, as there is no acceleration to start from")
    }
    if let resampler, resampler.filling != .none, skippedCount > 0 {
      lines.append(
        "\(skippedCount) rows at the rate are omitted: --gaps fills no gap longer than "
          + "\(Int(GapPolicy.maximumFilledGap)) s; use --gaps split, or cut the log there")
    }
    return lines
  }

  /// Sets the channels of a stream's sensors, once they are known.
  mutating func expect(_ sensors: @autoclosure () -> Set<SensorChannel>?) {
    guard recognition != nil, !knowsSensors, let sensors = sensors() else { return }
    recognition!.expect(sensors)
    knowsSensors = true
  }

  /// Adds samples of other channels. Add all samples up to a time before the motion samples of later times.
  mutating func add(_ block: [AuxiliarySample]) {
    sink.add(block)
    recognition?.add(block)
  }

  /// Adds motion samples, sorted by time, and passes the rows that they complete to the sink.
  mutating func fuse(_ samples: [SensorSample]) throws(FusionError) {
    for start in stride(from: 0, to: samples.count, by: Self.blockLength) {
      let part = samples[start..<min(start + Self.blockLength, samples.count)]
      if splits {
        try fuseSegments(part)
      } else {
        try fuse(part)
      }
    }
  }

  /// Writes the rows that no later sample can change, given that all samples up to `time` have been added.
  mutating func close(through time: Double) throws(FusionError) {
    estimator.close(through: time, motionsTo: &motions)
    recognition?.close(through: time)
    if !motions.isEmpty { try writeRows() }
  }

  /// Finishes the input, and passes the last rows to the sink.
  mutating func finish() throws(FusionError) {
    sink.finishAuxiliary()
    try finishMotions()
  }

  /// Finishes the motions; samples of other channels may follow.
  private mutating func finishMotions() throws(FusionError) {
    try drain()
    closeSegment()
    recognition?.finish()
  }

  /// Restarts the stage for another stream. Later samples are independent of earlier samples.
  mutating func restart() throws(FusionError) {
    let segments = segmentCount
    try finishMotions()
    if segmentCount > segments { sink.segment += 1 }
    skippedBefore += resampler?.skippedCount ?? 0
    (estimator, resampler) = fresh
    lines?.restart()
    recognition?.restart()
    lastRateTime = nil
  }

  private mutating func fuse(_ samples: ArraySlice<SensorSample>) throws(FusionError) {
    recognition?.add(samples)
    lines?.add(samples)
    estimator.append(samples, motionsTo: &motions)
    try writeRows()
  }

  private mutating func fuseSegments(_ samples: ArraySlice<SensorSample>) throws(FusionError) {
    var start = samples.startIndex
    for index in samples.indices {
      let sample = samples[index]
      // The new segment begins at the first sample of any channel after the gap.
      if let last = lastRateTime, sample.time - last > gap {
        try fuse(samples[start..<index])
        try drain()
        if closeSegment() { sink.segment += 1 }
        estimator = fresh.estimator
        recognition?.restart()
        (start, lastRateTime) = (index, nil)
      }
      if sample.channel == .gyroscope {
        lastRateTime = sample.time
        segmentCounts.rates += 1
      }
    }
    try fuse(samples[start...])
  }

  /// - Returns: Whether the segment had a row.
  @discardableResult
  private mutating func closeSegment() -> Bool {
    defer { segmentCounts = (0, 0) }
    guard segmentCounts.motions > 0 else {
      unusedRateCount += segmentCounts.rates
      return false
    }
    segmentCount += 1
    return true
  }

  /// Finishes the estimator and passes its last motions on.
  private mutating func drain() throws(FusionError) {
    estimator.finish()
    fieldIsUsed = fieldIsUsed || estimator.fieldIsUsed
    // An offline filter returns the whole recording here, so it is passed on in parts.
    while let motion = estimator.next() {
      motions.append(motion)
      if motions.count == Self.blockLength { try writeRows() }
    }
    if let failure = estimator.failure { throw .badData("\(failure)") }
    try writeRows()
  }

  /// Passes the motions, or the rows at the output rate, to the recognisers and the sink.
  private mutating func writeRows() throws(FusionError) {
    defer { motions.removeAll(keepingCapacity: true) }
    segmentCounts.motions += motions.count
    if !knewNorth, frame.isNorthReferenced { knewNorth = motions.indices.contains { motions[$0].heading >= 0 } }
    if measurements != nil { for motion in motions { measurements!.add(motion.measurements, at: motion.time) } }
    guard resampler != nil else {
      recognition?.update(motions, into: &recognisedRows)
      try sink.append(motions, recognised: recognisedRows, lines: takeLines())
      return
    }
    recognisedRows.removeAll(keepingCapacity: true)
    try resample()
    try writeResampled()
  }

  /// Returns the line of each motion's gyroscope sample, or no lines if no row has one.
  private mutating func takeLines() throws(FusionError) -> [UInt32] {
    do throws(SpillError) { return try lines?.take(for: motions) ?? [] } catch { throw .badData("\(error)") }
  }

  /// Resamples the motions. The recognisers get the motions themselves; a row has the values recognised at its time.
  private mutating func resample() throws(FusionError) {
    for motion in motions {
      var isSeen = recognition == nil
      resampler!.append(motion)
      while let row = resampler!.next() {
        if !isSeen, row.time >= motion.time - DeviceMotionResampler.slack {
          recognition!.update(motion)
          isSeen = true
        } else {
          recognition?.advance(to: row.time)
        }
        if recognition != nil { recognisedRows += recognition!.values }
        try append(row)
      }
      if !isSeen { recognition!.update(motion) }
    }
  }

  /// Adds a row, and passes the rows to the sink once they are as many as a block has.
  private mutating func append(_ row: DeviceMotion) throws(FusionError) {
    resampled.append(row)
    if resampled.count == Self.blockLength { try writeResampled() }
  }

  private mutating func writeResampled() throws(FusionError) {
    try sink.append(resampled, recognised: recognisedRows)
    resampled.removeAll(keepingCapacity: true)
    recognisedRows.removeAll(keepingCapacity: true)
  }

  var skippedCount: Int { skippedBefore + (resampler?.skippedCount ?? 0) }
}

extension FusionStage {
  /// The part of a stream's stage that depends on the samples.
  struct State: Codable {
    fileprivate var estimator: DeviceMotionEstimator
    fileprivate var resampler: DeviceMotionResampler?
    fileprivate var lines: SampleLines?
    fileprivate var recognition: RecognitionStage.State?
    fileprivate var sink: RowSink.State
    fileprivate var knewNorth: Bool
    fileprivate var knowsSensors: Bool
    fileprivate var lastRateTime: Double?
    fileprivate var skippedBefore: Int
    /// The number of gyroscope samples and of motions in the segment.
    fileprivate var rateCount: Int
    fileprivate var motionCount: Int
    fileprivate var segmentCount: Int
    fileprivate var unusedRateCount: Int
  }

  /// Returns the state, with which `restore` continues.
  ///
  /// - Throws: ``FusionError`` if a recogniser cannot be saved.
  func state() throws(FusionError) -> State {
    State(
      estimator: estimator, resampler: resampler, lines: lines,
      recognition: try recognition?.state(), sink: sink.state, knewNorth: knewNorth, knowsSensors: knowsSensors,
      lastRateTime: lastRateTime, skippedBefore: skippedBefore, rateCount: segmentCounts.rates,
      motionCount: segmentCounts.motions, segmentCount: segmentCount, unusedRateCount: unusedRateCount)
  }

  /// Continues from the state of a stage of the same options.
  mutating func restore(_ state: State) throws(FusionError) {
    if let saved = state.recognition { try recognition?.restore(saved) }
    (estimator, resampler, lines) = (state.estimator, state.resampler, state.lines)
    (sink.state, knewNorth, knowsSensors) = (state.sink, state.knewNorth, state.knowsSensors)
    (lastRateTime, skippedBefore) = (state.lastRateTime, state.skippedBefore)
    segmentCounts = (state.rateCount, state.motionCount)
    (segmentCount, unusedRateCount) = (state.segmentCount, state.unusedRateCount)
  }
}
