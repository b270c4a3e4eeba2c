internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// What a first pass over a log keeps for its path: the motion, the steps and the fixes.
struct TrackRecording: Sendable {
  private(set) var samples: [TrackSample] = []
  private(set) var steps: [PedometerStep] = []
  private(set) var fixes: [PositionFix] = []
  /// By the whole recording.
  private(set) var heights: [HeightReading] = []
  private var altitudes: [(time: Double, possible: VerticalFilters.Possible)] = []
  private(set) var frame: LocalFrame?
  private var pass = StepsPass(isLive: false, keepsAltitudes: true)
  /// Stretches in which whoever carries the device is carried: no step counts there.
  private(set) var rides: [ClosedRange<Double>] = []
  /// Whether there were more moments than are kept, and none is any more.
  private(set) var isOverfull = false
  private let limit: Int

  /// - Parameter limit: of moments.
  init(limit: Int = .max) { self.limit = limit }

  mutating func add(_ motion: DeviceMotion) {
    guard !isOverfull, let sample = TrackSample(motion) else { return }
    if samples.count == limit {
      (samples, altitudes, isOverfull) = ([], [], true)
      return
    }
    samples.append(sample)
    for case .step(let step) in pass.update(MotionSample(motion)) { steps.append(step) }
    guard motion.time >= (altitudes.last?.time ?? -.infinity) + Self.heightSpacing else { return }
    if let possible = pass.altitudes.possible { altitudes.append((motion.time, possible)) }
  }

  /// Seconds between heights that are kept.
  private static let heightSpacing = 0.2

  mutating func add(_ sample: AuxiliarySample) {
    guard !isOverfull else { return }
    if sample.channel == .location, let fix = PositionFix(sample, in: &frame) { fixes.append(fix) }
    _ = pass.update(sample)
  }

  mutating func finish() {
    for case .step(let step) in pass.finish().0 { steps.append(step) }
    rides = pass.rides
    steps.removeAll { [rides] step in rides.contains { $0.contains(step.time) } }
    steps.sort { $0.time < $1.time }
    // Without a trace that can be smoothed nothing is known of the height.
    let smoothed = (try? pass.altitudes.smoothed(altitudes.map(\.possible))) ?? []
    heights = zip(altitudes, smoothed).compactMap { HeightReading($1, at: $0.time) }
  }

  /// The path by the whole recording.
  ///
  /// - Parameters:
  ///   - step: seconds between estimates at least; nil: one for each moment, or each epoch of a navigator.
  ///   - smooths: whether those of a foot and a vehicle know what comes after them, which takes about 60 kB a second.
  func path(
    _ options: TrackOptions, carrying: Carrying, step: Double? = nil, smooths: Bool = true
  ) -> [TrackEstimate] {
    var path: [TrackEstimate] = []
    func isDue(_ time: Double, after last: Double?) -> Bool {
      guard let step, let last else { return true }
      return time - last >= step
    }
    func add(_ estimate: TrackEstimate?) {
      if let estimate, isDue(estimate.time, after: path.last?.time) { path.append(estimate) }
    }
    switch carrying {
    case .foot:
      var tracker = FootTracker(keepsTrace: smooths)
      for sample in samples {
        tracker.update(sample)
        if !smooths { add(tracker.estimate) }
      }
      tracker.smoothed(isClosed: options.isClosed).forEach(add)
    case .vehicle:
      var tracker = VehicleTracker(keepsTrace: smooths)
      var next = 0
      for sample in samples {
        while next < fixes.count, fixes[next].time <= sample.time {
          tracker.update(fixes[next])
          next += 1
        }
        tracker.update(sample)
        if !smooths { add(tracker.estimate?.northUp) }
      }
      for estimate in tracker.smoothed() { add(estimate.northUp) }
    case .auto, .hand, .pocket, .body:
      var parameters = StepTracker.Parameters()
      parameters.height = options.height
      var tracker = StepTracker(parameters, keepsTrace: true)
      for height in heights { tracker.update(height) }
      var next = 0
      for sample in samples {
        tracker.update(sample)
        while next < steps.count, steps[next].time <= sample.time {
          tracker.step(at: steps[next].time, duration: steps[next].duration)
          next += 1
        }
      }
      var times: [Double] = []
      for sample in samples where isDue(sample.time, after: times.last) { times.append(sample.time) }
      path = tracker.smoothed(at: times)
      for index in path.indices { path[index].widen(by: rides) }
    }
    // A vehicle's path has the fixes in it.
    guard !fixes.isEmpty, carrying != .vehicle || path.isEmpty else { return path }
    if path.isEmpty { for sample in samples { add(TrackEstimate(unknownAt: sample.time)) } }
    return FixedPath.joined(path, with: fixes)
  }
}

extension TrackEstimate {
  /// From east, north, up to north, west, up, which the frames with a north have.
  var northUp: TrackEstimate {
    func turned(_ v: Vector3) -> Vector3 { Vector3(v.y, -v.x, v.z) }
    var estimate = self
    (estimate.position, estimate.velocity) = (turned(position), turned(velocity))
    estimate.positionSigma = Vector3(positionSigma.y, positionSigma.x, positionSigma.z)
    estimate.velocitySigma = Vector3(velocitySigma.y, velocitySigma.x, velocitySigma.z)
    return estimate
  }
}

extension TrackSample {
  /// Raw values put together again; nil without an acceleration.
  init?(_ motion: DeviceMotion) {
    guard let user = motion.userAcceleration, !motion.isUnknown else { return nil }
    let up = -motion.gravity
    self.init(
      time: motion.time, rate: motion.rotationRate + motion.gyroscopeBias, force: (up - user) * 9.80665, up: up,
      heading: Self.heading(of: motion.attitude.quaternion, up: up))
  }
}

extension HeightReading {
  /// By the vertical filter; nil before it knows.
  init?(_ estimate: VerticalFilter.Estimate?, at time: Double) {
    guard let estimate, estimate.altitude.isFinite, estimate.altitudeSigma.isFinite else { return nil }
    self.init(
      time: time, height: estimate.altitude, sigma: estimate.altitudeSigma, speed: estimate.verticalSpeed,
      speedSigma: estimate.verticalSpeedSigma)
  }
}
