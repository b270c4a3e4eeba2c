internal import LinearAlgebra
internal import Navigation
internal import Recognition
internal import Rotations
internal import Sensors
internal import SystemLibrary

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

  // MARK: How it was carried

  /// Speed of a fix that is no walk, m/s, and for how long, s.
  private static let drivingSpeed = 4.0
  private static let drivingTime = 15.0
  /// A swing turns faster, rad/s; in the stance after it nothing does, for so long, s.
  private static let swingRate = 3.0
  private static let stanceRate = 0.8
  private static let stanceForce = 1.2
  private static let stanceTime = 0.08
  /// Half of the swings of a foot turn faster at their peak, rad/s: a walker's shank and foot reach 5 to 10, a thigh, an arm or a
  /// bicycle's handlebar 3 to 4.
  private static let footRate = 4.5
  /// A stride follows the one before within so long, s, and strides take that share of the time in which the device swings.
  private static let strideTime = 0.4...2.5
  private static let strideShare = 0.3
  /// Fewest swings that tell a foot. A shorter way wants `--on foot`.
  private static let fewestSwings = 10
  /// Fewest steps that are a walk, and not what a hand does.
  private static let fewestSteps = 8

  func decision() -> CarryingDecision {
    var driven = 0.0
    for (a, b) in zip(fixes, fixes.dropFirst()) where b.time - a.time < 5 {
      if let velocity = b.velocity, velocity.norm > Self.drivingSpeed { driven += b.time - a.time }
    }
    if driven > Self.drivingTime {
      return CarryingDecision(
        carrying: .vehicle, reason: "position fixes are faster than \(Self.drivingSpeed) m/s for \(Int(driven)) s")
    }
    let swings = swings
    if swings.count >= Self.fewestSwings, swings.peak > Self.footRate, swings.share > Self.strideShare {
      let rate = (swings.peak * 10).rounded() / 10
      return CarryingDecision(
        carrying: .foot, reason: "\(swings.count) swings of \(rate) rad/s at their peak end in a standstill")
    }
    return CarryingDecision(carrying: .hand, reason: "no swings of a foot, no fixes of a drive: steps and headings")
  }

  /// Swings that end in a standstill: how many, the median of their peaks, rad/s, and the share of the time in which the device
  /// swings that they are strides.
  private var swings: (count: Int, peak: Double, share: Double) {
    var (peaks, peak, quiet) = ([Double](), 0.0, nil as Double?)
    var (last, stride, swinging, striding) = (-Double.infinity, nil as Double?, 0.0, 0.0)
    var before: Double?
    for sample in samples {
      let rate = sample.rate.norm
      if rate > Self.swingRate { last = sample.time }
      if rate > Self.swingRate || peak > 0 { peak = max(peak, rate) }
      if let before, sample.time - last < 1 { swinging += min(sample.time - before, 0.2) }
      before = sample.time
      guard rate < Self.stanceRate, abs(sample.force.norm - 9.81) < Self.stanceForce else {
        quiet = nil
        continue
      }
      let since = quiet ?? sample.time
      quiet = since
      guard peak > 0, sample.time - since > Self.stanceTime else { continue }
      if let stride, Self.strideTime.contains(sample.time - stride) { striding += sample.time - stride }
      peaks.append(peak)
      (stride, peak) = (sample.time, 0)
    }
    peaks.sort()
    return (peaks.count, peaks.isEmpty ? 0 : peaks[peaks.count / 2], swinging > 0 ? striding / swinging : 0)
  }

  /// Why there are no steps that a path could rest on; nil where there are, or where it rests on something else.
  func lack(_ carrying: Carrying) -> String? {
    guard carrying != .foot, carrying != .vehicle, steps.count < Self.fewestSteps else { return nil }
    return
      "the log has no steps of a walk, no swings of a foot and no position fixes of a drive, and without such help an "
      + "accelerometer's position is wrong by metres after seconds"
  }

  // MARK: The path

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
    return path
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

extension TrackEstimate {
  /// A walker's place is not known behind a ride, which no step tells of: a car or a train goes that fast on average, m/s.
  private static let rideSpeed = 15.0

  /// Takes stretches in which somebody is carried by wheels into the sigma.
  mutating func widen(by rides: [ClosedRange<Double>]) {
    let ridden = rides.reduce(0) { $0 + max(0, min(time, $1.upperBound) - $1.lowerBound) }
    if ridden > 0 { widen(by: Self.rideSpeed * ridden) }
  }

  /// Takes a standard deviation of the place over the ground, m, by component, into the sigma.
  mutating func widen(by far: Double) {
    positionSigma.x = (positionSigma.x * positionSigma.x + far * far).squareRoot()
    positionSigma.y = (positionSigma.y * positionSigma.y + far * far).squareRoot()
  }
}
