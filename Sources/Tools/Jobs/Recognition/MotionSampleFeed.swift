internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialRecognition
internal import InertialSensors

/// Reads a log as input of recognisers; see `RecognitionFeed`.
struct MotionSampleFeed {
  /// File, folder, or "-" for standard input.
  var path: String
  /// The options; `options.auxiliary` specifies the channels that are passed on in addition to the motion.
  var options: LogOptions
  /// The filter that fuses a raw log.
  var filter: String
  /// The missing input in the error message for an unusable log: "no acceleration; shakes are found in ...".
  var lack: String
  /// Whether a sample rate that is too low to follow the motion is an error.
  var needsRate = true

  /// - Parameter auxiliary: The channels that are passed on in addition to those of the options.
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

  /// The error for a log without usable samples.
  var nothing: FusionError { .badData("\(path): the log has \(lack)") }

  /// - Parameters:
  ///   - restart: Called if the samples are read again in better order: earlier calls are void.
  ///   - progress: Called periodically with the fraction of the log that has been read, 0...1.
  ///   - auxiliary: Called with samples of other channels, before motion with the same or a later timestamp.
  ///   - consume: Called with each motion sample, in chronological order.
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

  /// Returns all usable motion samples of the log.
  ///
  /// - Throws: ``FusionError`` if the log cannot be read or has no such samples.
  func samples(where isFit: (MotionSample) -> Bool = { _ in true }) throws(FusionError) -> [MotionSample] {
    var samples: [MotionSample] = []
    _ = try run(restart: { samples.removeAll() }, consume: { if isFit($0) { samples.append($0) } })
    guard !samples.isEmpty else { throw nothing }
    return samples
  }
}
