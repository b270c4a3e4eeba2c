internal import InertialNavigation
internal import InertialNumerics
internal import InertialRecognition
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// The motion, steps and position fixes of a whole log, for its path.
struct TrackRecording: Sendable {
  private(set) var samples: [TrackSample] = []
  private(set) var steps: [PedometerStep] = []
  private(set) var fixes: [PositionFix] = []
  /// The heights, estimated from the whole recording.
  private(set) var heights: [HeightEstimate] = []
  private var altitudes: [(time: Double, possible: VerticalFilterBank.Hypotheses)] = []
  private(set) var frame: LocalFrame?
  /// The intervals in which the wearer is in a vehicle; steps do not count there.
  private(set) var rides: [ClosedRange<Double>] = []
  /// Whether the log had more samples than the limit, so that all were discarded.
  private(set) var isOverfull = false
  private let limit: Int

  /// - Parameter limit: The maximum number of samples.
  init(limit: Int = .max) { self.limit = limit }

  /// - Parameter steps: The steps up to the motion's time, with their altitudes.
  mutating func add(_ motion: DeviceMotion, altitudes steps: StepsRecord) {
    guard !isOverfull, let sample = TrackSample(motion) else { return }
    if samples.count == limit {
      (samples, altitudes, isOverfull) = ([], [], true)
      return
    }
    samples.append(sample)
    guard motion.time >= (altitudes.last?.time ?? -.infinity) + Self.heightSpacing else { return }
    if let possible = steps.altitudes.possible { altitudes.append((motion.time, possible)) }
  }

  /// The minimum interval between recorded heights, in seconds.
  private static let heightSpacing = 0.2

  mutating func add(_ sample: AuxiliarySample) {
    if !isOverfull, sample.channel == .location, let fix = PositionFix(sample, in: &frame) { fixes.append(fix) }
  }

  /// - Parameter record: The finished record of the log's steps.
  mutating func finish(_ record: StepsRecord) {
    (steps, rides) = (record.history.steps, record.rides)
    let smoothed = record.altitudes.smoothed(altitudes.map(\.possible))
    heights = zip(altitudes, smoothed).compactMap { HeightEstimate($1, at: $0.time) }
  }

  /// Returns the path, estimated from the whole recording, and the decisions of the tracker.
  ///
  /// - Parameters:
  ///   - step: The minimum interval between estimates, in seconds, except before the last one, or `nil` for one per sample
  ///     or navigator epoch.
  ///   - smooths: Whether foot and vehicle paths are smoothed, which takes about 60 kB per second.
  func path(
    _ options: TrackOptions, carrying: CarryMode, step: Double? = nil, smooths: Bool = true
  ) -> (estimates: [TrackEstimate], decisions: [AutomaticDecision]) {
    var (path, decisions): ([TrackEstimate], [AutomaticDecision]) = ([], [])
    func isDue(_ time: Double, after last: Double?) -> Bool {
      guard let step, let last else { return true }
      return time - last >= step
    }
    var newest: TrackEstimate?
    func add(_ estimate: TrackEstimate?) {
      newest = estimate ?? newest
      if let estimate, isDue(estimate.time, after: path.last?.time) { path.append(estimate) }
    }
    switch carrying {
    case .foot:
      var tracker = FootTracker(options.foot, keepsTrace: smooths)
      for sample in samples {
        tracker.update(sample)
        if !smooths { add(tracker.estimate) }
      }
      tracker.smoothed(isClosed: options.isClosed).forEach(add)
      decisions = tracker.decisions
    case .vehicle:
      let tracker = vehicleTracker(options, keepsTrace: smooths) { if !smooths { add($0.estimate?.northUp) } }
      for estimate in tracker.smoothed() { add(estimate.northUp) }
      decisions = tracker.decisions
    case .auto, .hand, .pocket, .body:
      var times: [Double] = []
      for sample in samples where isDue(sample.time, after: times.last) { times.append(sample.time) }
      if let last = samples.last?.time, last != times.last { times.append(last) }
      let tracker = stepTracker(options, keepsTrace: true, heights: heights)
      path = tracker.smoothed(at: times)
      decisions = tracker.decisions
      for index in path.indices { path[index].widen(by: rides) }
    }
    if let newest, newest.time != path.last?.time { path.append(newest) }
    // A vehicle's path already includes the fixes.
    guard !fixes.isEmpty, carrying != .vehicle || path.isEmpty else { return (path, decisions) }
    if path.isEmpty { for sample in samples { add(TrackEstimate(unknownAt: sample.time)) } }
    return (FixedPath.joined(path, with: fixes), decisions)
  }

  /// Returns the last estimate of a causal path.
  func follow(_ options: TrackOptions, _ carrying: CarryMode) -> TrackEstimate? {
    switch carrying {
    case .foot:
      var tracker = FootTracker(options.foot)
      for sample in samples { tracker.update(sample) }
      return tracker.estimate
    case .vehicle: return vehicleTracker(options).estimate
    case .auto, .hand, .pocket, .body: return stepTracker(options).estimate
    }
  }

  /// Returns a tracker after all samples and fixes.
  ///
  /// - Parameter note: Called with the tracker after each sample.
  private func vehicleTracker(
    _ options: TrackOptions, keepsTrace: Bool = false, note: (VehicleTracker) -> Void = { _ in }
  ) -> VehicleTracker {
    var tracker = VehicleTracker(options.vehicle, keepsTrace: keepsTrace)
    var next = 0
    for sample in samples {
      while next < fixes.count, fixes[next].time <= sample.time {
        tracker.update(fixes[next])
        next += 1
      }
      tracker.update(sample)
      note(tracker)
    }
    return tracker
  }

  /// Returns a tracker after all samples, steps and the given heights.
  private func stepTracker(
    _ options: TrackOptions, keepsTrace: Bool = false, heights: [HeightEstimate] = []
  ) -> StepTracker {
    var tracker = StepTracker(options.walker, keepsTrace: keepsTrace)
    for height in heights { tracker.update(height) }
    var next = 0
    for sample in samples {
      tracker.update(sample)
      while next < steps.count, steps[next].time <= sample.time {
        tracker.step(at: steps[next].time, duration: steps[next].duration, length: steps[next].length)
        next += 1
      }
    }
    return tracker
  }
}

extension TrackEstimate {
  /// The estimate, rotated from east, north, up to north, west, up as in the frames with a north axis.
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
  /// Creates a sample from the reconstructed raw values, or returns `nil` without an acceleration.
  init?(_ motion: DeviceMotion) {
    guard let user = motion.userAcceleration, !motion.isUnknown else { return nil }
    let up = -motion.gravity
    self.init(
      time: motion.time, rate: motion.rotationRate + motion.gyroscopeBias, force: (up - user) * standardGravity, up: up,
      heading: Self.heading(of: motion.attitude.quaternion, up: up))
  }
}

extension HeightEstimate {
  /// Creates a reading from the vertical filter's estimate, or returns `nil` if it is unknown.
  init?(_ estimate: VerticalFilter.Estimate?, at time: Double) {
    guard let estimate, estimate.altitude.isFinite, estimate.altitudeSigma.isFinite else { return nil }
    self.init(
      time: time, height: estimate.altitude, sigma: estimate.altitudeSigma, speed: estimate.verticalSpeed,
      speedSigma: estimate.verticalSpeedSigma)
  }
}
