internal import InertialFilters
internal import InertialFusion
internal import InertialLogs
internal import InertialRecognition
internal import InertialSensors

extension LogSummary {
  /// The warning about an acceleration whose sample rate is too low for the recognition of steps and activities, in one
  /// line, or `nil` if the rate is sufficient.
  var recognitionRateWarning: String? {
    // Steps need 15 Hz; the margin is for logs whose rate is nominally 15 Hz.
    let rate = [SensorChannel.accelerometer, .deviceUserAcceleration].compactMap { reports[$0]?.meanRate }.max() ?? 0
    guard rate > 0, rate < 14 else { return nil }
    return "accelerometer: \(rounded(rate)) samples per second, and steps, activities and shakes need at least 15"
  }
}

/// The input of recognisers; see `RecognitionFeed`.
extension LogFeed {
  /// Creates a feed for `runMotion`.
  ///
  /// - Parameters:
  ///   - path: The path of a file or folder, or "-" for standard input.
  ///   - auxiliary: The channels that are passed on in addition to the motion and to those of the options.
  ///   - needsRate: Whether a sample rate that is too low to follow the motion is an error.
  init(
    motionOf path: String, options: LogOptions = LogOptions(), auxiliary: Set<AuxiliaryChannel> = [],
    needsRate: Bool = true
  ) {
    self.init(path: path, options: options)
    self.options.auxiliary.formUnion(auxiliary)
    neededChannels = []
    if needsRate { followedChannels = Self.motionChannels }
  }

  /// Reads the log as input of recognisers.
  ///
  /// - Parameters:
  ///   - filter: The filter that fuses a raw log.
  ///   - restart: Called if the samples are read again in better order: earlier calls are void.
  ///   - progress: Called periodically with the fraction of the log that has been read, 0...1.
  ///   - auxiliary: Called with samples of other channels, before motion with the same or a later timestamp.
  ///   - consume: Called with each motion sample, in chronological order.
  /// - Returns: The contents of the log, the source of its motion, and the times of the first and last motion samples
  ///   in seconds, or `nil` without any.
  func runMotion(
    filter: FilterKind = .standard, restart: () -> Void, progress: (Double) -> Void = { _ in },
    auxiliary: (AuxiliarySample) -> Void = { _ in }, consume: (MotionSample) -> Void
  ) throws(FusionError) -> (log: LogSummary, source: MotionSource?, times: (first: Double, last: Double)?) {
    let estimator = try filter.estimator([:], RecognitionFeed.configuration, smooths: false)
    var motion = RecognitionFeed(estimator: estimator)
    var isBegun = false
    var times: (first: Double, last: Double)?
    func handOn(_ input: RecognitionInput) {
      switch input {
      case .motion(let sample):
        times = (times?.first ?? sample.time, sample.time)
        consume(sample)
      case .other(let sample): auxiliary(sample)
      }
    }
    var summary: LogSummary = try run(
      start: { (log) throws(FusionError) in
        if isBegun { restart() }
        isBegun = true
        (motion, times) = (RecognitionFeed(estimator: estimator, channels: log.sensors), nil)
      },
      progress: progress,
      auxiliary: { (block) throws(FusionError) in motion.add(block) },
      consume: { (block) throws(FusionError) in for sample in block { motion.append(sample, handOn) } })
    motion.finish(handOn)
    if !followedChannels.isEmpty, let warning = summary.recognitionRateWarning { summary.warnings.append(warning) }
    return (summary, motion.source, times)
  }

  /// Returns all usable motion samples of the log.
  ///
  /// - Throws: ``FusionError`` if the log cannot be read, or `nothing` if it has no such samples.
  func motionSamples(
    filter: FilterKind = .standard, orThrow nothing: FusionError,
    where isFit: (MotionSample) -> Bool = { _ in true }
  ) throws(FusionError) -> [MotionSample] {
    var samples: [MotionSample] = []
    _ = try runMotion(
      filter: filter, restart: { samples.removeAll() }, consume: { if isFit($0) { samples.append($0) } })
    guard !samples.isEmpty else { throw nothing }
    return samples
  }
}
