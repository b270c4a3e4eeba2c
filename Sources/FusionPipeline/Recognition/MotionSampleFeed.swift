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
  var filter = FilterKind.standard

  init(path: String, options: LogOptions = LogOptions()) {
    self.path = path
    self.options = options
  }

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
          waiting.handOn(until: sample.time, auxiliary)
          consume(gravity.completed(sample))
        }
        ready.removeAll(keepingCapacity: true)
      })
    stage?.finish { ready.append($0) }
    for sample in ready {
      waiting.handOn(until: sample.time, auxiliary)
      consume(gravity.completed(sample))
    }
    waiting.handOn(until: .infinity, auxiliary)
    return (summary, stage?.source)
  }

  /// Every moment, in memory.
  func samples() throws(FusionError) -> [MotionSample] {
    var samples: [MotionSample] = []
    _ = try run(restart: { samples.removeAll() }, consume: { samples.append($0) })
    return samples
  }
}

/// Samples of other channels until the motion, which the fusion holds back, has come to their time.
private struct WaitingAuxiliary {
  private var samples: [AuxiliarySample] = []
  private var isSorted = true

  mutating func add(_ block: [AuxiliarySample]) {
    samples += block
    isSorted = false
  }

  mutating func handOn(until time: Double, _ consume: (AuxiliarySample) -> Void) {
    guard !samples.isEmpty else { return }
    if !isSorted {
      // Stable, so that samples of one time keep their order.
      samples = samples.indices.sorted { (samples[$0].time, $0) < (samples[$1].time, $1) }.map { samples[$0] }
      isSorted = true
    }
    let count = samples.firstIndex { $0.time > time } ?? samples.count
    guard count > 0 else { return }
    for sample in samples[..<count] { consume(sample) }
    samples.removeFirst(count)
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
