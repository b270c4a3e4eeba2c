internal import AttitudeFilters
internal import DeviceMotionEstimation
internal import LinearAlgebra
internal import MotionLogs
internal import Sensors
internal import Signals

/// A log as recognisers take it: accelerations with and without gravity, and rotation rates.
///
/// A raw log is fused; of a log with the device's own user acceleration that is taken; without a gyroscope gravity is
/// taken off by a low-pass.
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
    if needsRate { feed.followedChannels = [.accelerometer, .gyroscope, .deviceUserAcceleration] }
    var stage: MotionSampleStage?
    var gravity = GravityLowPass()
    var ready: [MotionSample] = []
    var waiting = WaitingAuxiliary()
    let summary = try feed.run(
      start: { (_) throws(FusionError) in
        if stage != nil { restart() }
        stage = MotionSampleStage(estimator: try kind.estimator([:], .init(), smooths: false))
        gravity = GravityLowPass()
        waiting = WaitingAuxiliary()
      },
      progress: progress,
      auxiliary: { (block) throws(FusionError) in waiting.add(block) },
      consume: { (sample) throws(FusionError) in
        stage?.append(sample) { ready.append($0) }
        for sample in ready {
          for other in waiting.take(until: sample.time) { auxiliary(other) }
          consume(gravity.completed(sample))
        }
        ready.removeAll(keepingCapacity: true)
      })
    stage?.finish { ready.append($0) }
    for sample in ready {
      for other in waiting.take(until: sample.time) { auxiliary(other) }
      consume(gravity.completed(sample))
    }
    for other in waiting.take(until: .infinity) { auxiliary(other) }
    return (summary, stage?.source)
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

/// Takes gravity off where nothing better does, by a low-pass of half a second.
private struct GravityLowPass {
  private var lowPass = VectorExponentialLowPass(timeConstant: 0.5)
  private var lastTime: Double?

  mutating func completed(_ sample: MotionSample) -> MotionSample {
    defer { lastTime = sample.time }
    guard sample.userAcceleration == nil, let acceleration = sample.acceleration else { return sample }
    var sample = sample
    let gravity = lowPass.update(acceleration, after: sample.time - (lastTime ?? sample.time))
    sample.userAcceleration = acceleration - gravity
    return sample
  }
}
