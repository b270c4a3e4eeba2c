internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialRecognition
internal import InertialSensors

/// A log as recognisers take it: see `RecognitionFeed`.
struct MotionSampleFeed {
  /// File, folder, or "-" for standard input.
  var path: String
  /// `options.auxiliary` says which channels are handed on beside the motion.
  var options: LogOptions
  /// What fuses a raw log.
  var filter: String
  /// What a log that has nothing for the recogniser lacks, for the message: "no acceleration; shakes are found in ...".
  var lack: String
  /// Whether a motion that is too slow to be followed is an error, and not only of no use.
  var needsRate = true

  /// - Parameter auxiliary: channels that are handed on beside those that the options ask for.
  init(
    path: String, options: LogOptions = LogOptions(), filter: String = FilterKind.standard,
    auxiliary: Set<AuxiliaryChannel> = [], lack: String = "no acceleration"
  ) {
    self.path = path
    self.options = options
    self.options.auxiliary.formUnion(auxiliary)
    self.filter = filter
    self.lack = lack
  }

  /// For a log that nothing could be handed on of.
  var nothing: FusionError { .badData("\(path): the log has \(lack)") }

  /// - Parameters:
  ///   - restart: called where the samples come again in better order: what was handed on is void.
  ///   - progress: called now and then with the share of the log that was read, 0 to 1.
  ///   - auxiliary: called with samples of other channels, each before motion of its own or a later time.
  ///   - consume: called with each moment, in order of time.
  func run(
    restart: () -> Void, progress: (Double) -> Void = { _ in },
    auxiliary: (AuxiliarySample) -> Void = { _ in }, consume: (MotionSample) -> Void
  ) throws(FusionError) -> (LogSummary, MotionSource?) {
    let kind = try FilterKind.known(filter)
    var feed = LogFeed(path: path, options: options)
    feed.neededChannels = []
    if needsRate { feed.followedChannels = LogFeed.motionChannels }
    let fresh = RecognitionFeed(estimator: try kind.estimator([:], .init(), smooths: false))
    var motion = fresh
    var isBegun = false
    func handOn(_ input: RecognitionInput) {
      switch input {
      case .motion(let sample): consume(sample)
      case .other(let sample): auxiliary(sample)
      }
    }
    let summary: LogSummary = try feed.run(
      start: { (_) throws(FusionError) in
        if isBegun { restart() }
        isBegun = true
        motion = fresh
      },
      progress: progress,
      auxiliary: { (block) throws(FusionError) in motion.add(block) },
      consume: { (block) throws(FusionError) in for sample in block { motion.append(sample, handOn) } })
    motion.finish(handOn)
    return (summary, motion.source)
  }

  /// Every moment that is fit, in memory.
  ///
  /// - Throws: also where there is none.
  func samples(where isFit: (MotionSample) -> Bool = { _ in true }) throws(FusionError) -> [MotionSample] {
    var samples: [MotionSample] = []
    _ = try run(restart: { samples.removeAll() }, consume: { if isFit($0) { samples.append($0) } })
    guard !samples.isEmpty else { throw nothing }
    return samples
  }
}
