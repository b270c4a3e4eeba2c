internal import InertialEvaluation
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors

/// Samples in, device motions at the asked times out.
struct FusionStage {
  private var estimator: DeviceMotionEstimator
  private var resampler: DeviceMotionResampler?
  /// Motions on their way to the sink.
  private var motions: [DeviceMotion] = []
  /// Whether any motion had a heading.
  private var knewNorth = false

  private let frame: AttitudeReferenceFrame
  private let gap: Double
  /// What is begun with, for a new beginning.
  private let fresh: (estimator: DeviceMotionEstimator, resampler: DeviceMotionResampler?, holder: RateHolder?)
  /// Whether gaps are new beginnings.
  private let splits: Bool
  /// Times of the asked rate that fell into gaps before the last new beginning.
  private var skippedBefore = 0
  private var lastRateTime: Double?
  /// Rates of this segment, and motions made of them.
  private var segmentCounts = (rates: 0, motions: 0)
  /// Segments that have a row.
  private(set) var segmentCount = 0
  /// Rates of segments that never had an attitude.
  private var unusedRateCount = 0
  private var holder: RateHolder?
  private var ready: [SensorSample] = []
  /// nil where nothing is to be recognised.
  private var recognition: RecognitionStage?
  /// What the filter has made of its measurements; nil where that is not to be told.
  private(set) var measurements: [MeasurementTally]?
  /// Which of `motions` were made of rates that were put in.
  private var heldPlaces: Set<Int> = []

  /// - Parameters:
  ///   - annotators: those that do not begin as the options say; a path's may be there where the options want none.
  ///   - keptEvents: whether what is recognised is also kept as events, and which of it; with all, measurements are counted.
  init(
    estimator: DeviceMotionEstimator, options: FusionOptions, annotators: [Recognition: any MotionAnnotator] = [:],
    keptEvents: RecognitionStage.KeptEvents = .none
  ) {
    self.estimator = estimator
    frame = options.motion.frame
    gap = options.gap
    resampler = options.rate.map { DeviceMotionResampler(rate: $0, longestGap: options.gap) }
    resampler?.longestFilled = GapPolicy.longestFilled
    splits = options.gaps == .split
    switch options.gaps {
    case .hold:
      holder = RateHolder(gap: options.gap)
      resampler?.filling = .hold
    case .nan: resampler?.filling = .unknown
    case .split, nil: break
    }
    fresh = (estimator, resampler, holder)
    let given: [Recognition: any MotionAnnotator] = [
      .track: TrackAnnotator(options.track), .posture: PostureAnnotator(options.placement),
    ]
    recognition = RecognitionStage(
      options.recognitions + (annotators[.track] == nil || options.hasTrack ? [] : [.track]),
      given: given.merging(annotators) { $1 }, kept: keptEvents)
    if keptEvents == .all, options.wantsMeasurements { measurements = [] }
  }

  /// What recognisers saw happen, once all motions are there; empty where that was not to be kept.
  var events: [RecognisedEvent] { recognition?.events ?? [] }

  /// What finds the path, or has kept what that needs; nil where no path is wanted.
  var track: TrackAnnotator? { recognition?.track }

  /// What tells by the whole log, of the recognisers that have gathered it.
  mutating func recalling(_ recognitions: [Recognition]) throws(FusionError) -> [Recognition: any MotionAnnotator] {
    try recognition?.recalling(recognitions) ?? [:]
  }

  /// What recognisers saw happen since it was asked last.
  mutating func takeEvents() -> [RecognisedEvent] { recognition?.takeEvents() ?? [] }

  /// What the motions lack, once all are there; one line each, for the user.
  var warnings: [String] {
    var lines: [String] = []
    if frame.isNorthReferenced, !knewNorth {
      lines.append(
        "north was never known: the field never reached a usable accuracy, so yaw is arbitrary and heading is -1; "
          + "turn the device through all attitudes while recording, or give --field calibrated if the log's field "
          + "is free of the device's own")
    }
    if unusedRateCount > 0 {
      lines.append(
        "\(unusedRateCount) gyroscope samples between gaps have no row: there is no acceleration to start from")
    }
    if let resampler, resampler.filling != .none, skippedCount > 0 {
      lines.append(
        "\(skippedCount) rows at the rate are left out: --gaps fills no gap that is longer than "
          + "\(Int(GapPolicy.longestFilled)) s; give --gaps split, or cut the log there")
    }
    return lines
  }

  /// Takes samples of other channels for the recognisers: all up to a time before the motions of later times.
  mutating func add(_ block: [AuxiliarySample]) { recognition?.add(block) }

  mutating func fuse(_ samples: [SensorSample], into sink: inout RowSink) throws(FusionError) {
    // Few enough that the motions stay in a core's own cache.
    for start in stride(from: 0, to: samples.count, by: 512) {
      let part = samples[start..<min(start + 512, samples.count)]
      if splits {
        try fuseSegments(part, into: &sink)
      } else if holder != nil {
        ready.removeAll(keepingCapacity: true)
        for sample in part { holder!.add(sample, to: &ready) }
        try fuse(ready[...], into: &sink)
      } else {
        try fuse(part, into: &sink)
      }
    }
  }

  /// Writes what can be known when no sample of this time or an earlier one comes any more.
  mutating func close(through time: Double, into sink: inout RowSink) throws(FusionError) {
    estimator.close(through: time)
    while let motion = estimator.next() { motions.append(motion) }
    if !motions.isEmpty { try give(to: &sink) }
  }

  mutating func finish(into sink: inout RowSink) throws(FusionError) {
    if holder != nil {
      ready.removeAll(keepingCapacity: true)
      holder!.finish(to: &ready)
      try fuse(ready[...], into: &sink)
    }
    try drain(into: &sink)
    closeSegment()
    recognition?.finish()
  }

  /// Begins anew, as with another stream: what comes next does not follow what came before.
  mutating func beginAnew(into sink: inout RowSink) throws(FusionError) {
    let segments = segmentCount
    try finish(into: &sink)
    if segmentCount > segments { sink.segment += 1 }
    skippedBefore += resampler?.skippedCount ?? 0
    (estimator, resampler, holder) = fresh
    recognition?.restart()
    lastRateTime = nil
  }

  private mutating func fuse(_ samples: ArraySlice<SensorSample>, into sink: inout RowSink) throws(FusionError) {
    estimator.append(samples, motionsTo: &motions)
    try give(to: &sink)
  }

  private mutating func fuseSegments(
    _ samples: ArraySlice<SensorSample>, into sink: inout RowSink
  ) throws(FusionError) {
    var start = samples.startIndex
    for index in samples.indices {
      let sample = samples[index]
      // At the first sample of any channel behind the pause: what comes between belongs to what follows.
      if let last = lastRateTime, sample.time - last > gap {
        try fuse(samples[start..<index], into: &sink)
        try drain(into: &sink)
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
    try fuse(samples[start...], into: &sink)
  }

  /// - Returns: whether the segment had a row.
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

  private mutating func drain(into sink: inout RowSink) throws(FusionError) {
    estimator.finish()
    // An offline filter gives the whole recording now: not all of it at once.
    while let motion = estimator.next() {
      motions.append(motion)
      if motions.count == 512 { try give(to: &sink) }
    }
    if let failure = estimator.failure { throw .badData("\(failure)") }
    try give(to: &sink)
  }

  private mutating func give(to sink: inout RowSink) throws(FusionError) {
    defer { motions.removeAll(keepingCapacity: true) }
    segmentCounts.motions += motions.count
    if !knewNorth { knewNorth = motions.contains { $0.heading >= 0 } }
    if holder != nil { markHeld() }
    if measurements != nil { for motion in motions { measurements!.add(motion.measurements, at: motion.time) } }
    if recognition != nil {
      try giveRecognised(to: &sink)
      return
    }
    guard resampler != nil else {
      try sink.append(motions)
      return
    }
    for motion in motions {
      resampler!.append(motion)
      while let resampled = resampler!.next() { try sink.append(resampled) }
    }
  }

  /// Recognisers see the motions themselves, before a rate of the rows; a row has what was known at its time.
  private mutating func giveRecognised(to sink: inout RowSink) throws(FusionError) {
    for (place, motion) in motions.enumerated() {
      // What was put in to turn on across a pause is no motion that anybody made.
      var isSeen = heldPlaces.contains(place)
      guard resampler != nil else {
        recognition!.update(motion)
        sink.recognised = recognition!.values
        try sink.append(motion)
        continue
      }
      resampler!.append(motion)
      while let row = resampler!.next() {
        if !isSeen, row.time >= motion.time - DeviceMotionResampler.slack {
          recognition!.update(motion)
          isSeen = true
        } else {
          recognition!.advance(to: row.time)
        }
        sink.recognised = recognition!.values
        try sink.append(row)
      }
      if !isSeen { recognition!.update(motion) }
    }
  }

  /// Motions of rates that were put in are flagged at a fixed rate, and no rows without one.
  private mutating func markHeld() {
    heldPlaces.removeAll(keepingCapacity: true)
    guard resampler != nil else {
      motions.removeAll { holder!.isHeld($0.time) }
      return
    }
    for index in motions.indices where holder!.isHeld(motions[index].time) {
      motions[index].flags.insert(.gap)
      heldPlaces.insert(index)
    }
  }

  var skippedCount: Int { skippedBefore + (resampler?.skippedCount ?? 0) }
}
