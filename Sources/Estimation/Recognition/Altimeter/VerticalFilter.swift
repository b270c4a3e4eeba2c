internal import InertialNumerics

/// A Kalman filter for altitude and vertical speed at the rate of the motion, driven by the vertical acceleration and
/// corrected by the barometer.
///
/// The accelerometer follows fast changes, but drifts; the barometer is slow and noisy, but does not drift within
/// minutes. The filter is based on Sabatini and Genovese, "A sensor fusion method for tracking vertical velocity and
/// height based on inertial and barometric altimeter measurements", Sensors 14 (2014) 13324. In addition, the
/// acceleration bias and the lag of a barometer that the device smooths are states, and the barometer's noise is
/// learned from its innovations.
///
/// Altitudes have the same zero as the input. Slow changes of the weather (about 1 m in ten minutes) appear as
/// changes of altitude. Samples can have any rate and gaps; while the motion is unknown, the filter smooths the
/// barometer.
public struct VerticalFilter: Sendable {
  package let parameters: Parameters
  /// The state, or `nil` before the first barometric altitude.
  package internal(set) var state: State?
  /// The number of dropped altitudes and accelerations: without a finite value, or too late.
  package private(set) var droppedCount = 0
  /// The number of altitudes that were rejected as outliers.
  package private(set) var rejectedCount = 0

  /// The input of the smoother, if it is kept.
  var trace: [Epoch]?

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - state: The state of an earlier filter with the same parameters, to continue from.
  ///   - keepsTrace: Whether to keep the input of `smoothed`, half a kilobyte per barometric altitude.
  package init(parameters: Parameters = Parameters(), state: State? = nil, keepsTrace: Bool = false) {
    self.parameters = parameters
    self.state = state
    if keepsTrace { trace = [] }
  }

  /// The estimate at the newest time.
  public struct Estimate: Sendable, Hashable, Codable {
    /// The time, in seconds.
    public var time: Double
    /// The altitude above the zero of the barometric altitudes, in m.
    public var altitude: Double
    /// The vertical speed, in m/s, up positive.
    public var verticalSpeed: Double
    /// The bias of the vertical acceleration, in m/s².
    public var accelerationBias: Double
    /// The standard deviation of the altitude relative to the pressure altitude, excluding weather, in m.
    public var altitudeSigma: Double
    /// The standard deviation of the vertical speed, in m/s.
    public var verticalSpeedSigma: Double
    /// The learned standard deviation of a barometric altitude, in m.
    public var barometerSigma: Double
  }

  /// The innovation of a barometric altitude.
  package struct Innovation: Sendable, Hashable {
    /// The measured minus the expected altitude, in m.
    package var value: Double
    /// The expected standard deviation of the innovation, in m.
    package var sigma: Double
    /// Whether the altitude was used; `false` for an outlier.
    package var isAccepted: Bool
  }

  /// The estimate, or `nil` before the first barometric altitude.
  package var estimate: Estimate? {
    guard let state else { return nil }
    let variances = model(state).variances(state.covariance, after: state.motion.duration)
    return Estimate(
      time: state.time, altitude: state.altitude, verticalSpeed: state.verticalSpeed,
      accelerationBias: state.accelerationBias, altitudeSigma: variances.altitude.standardDeviation,
      verticalSpeedSigma: variances.speed.standardDeviation, barometerSigma: barometerVariance(state).standardDeviation)
  }

  /// Returns eᵀ P⁻¹ e of the errors of altitude (m), vertical speed (m/s) and acceleration bias (m/s²), or NaN before
  /// the first altitude. It is χ² distributed with three degrees of freedom if the filter's covariance is correct.
  package func normalizedErrorSquared(_ errors: [Double]) -> Double {
    guard let state, errors.count == 3 else { return .nan }
    let covariance = carriedCovariance(state)
    guard let cholesky = try? FixedCholesky(FixedMatrix<3, 3> { covariance[$0, $1] }) else { return .nan }
    let whitened = cholesky.whiten(FixedVector<3>(errors))
    return whitened.dot(whitened)
  }

  /// Adds the vertical acceleration without gravity, in m/s², up positive, at a time in seconds.
  @inline(__always)
  package mutating func update(verticalAcceleration value: Double, at time: Double) {
    if state?.motion.takesQuietly(value, at: time) != true { take(value, at: time) }
  }

  /// Adds any acceleration.
  @inline(never)
  mutating func take(_ value: Double, at time: Double) {
    guard value.isFinite, time.isFinite, time > state?.motion.accelerationTime ?? -.infinity else {
      droppedCount += 1
      return
    }
    state?.move(value, at: time, parameters, keepsTransition: trace != nil)
  }

  /// Adds a barometric altitude in m at a time in seconds. Returns `nil` if it was dropped or is the first.
  @discardableResult
  package mutating func update(barometricAltitude value: Double, at time: Double) -> Innovation? {
    guard value.isFinite, time.isFinite else {
      droppedCount += 1
      return nil
    }
    guard var state else {
      let fresh = State(altitude: value, time: time, parameters: parameters)
      state = fresh
      keep(fresh, predicted: (fresh.mean, fresh.covariance))
      return nil
    }
    self.state = nil
    defer { self.state = state }
    guard time > state.barometerTime, state.time - time <= parameters.maximumDelay else {
      droppedCount += 1
      return nil
    }
    if state.lag == nil { state.lag = parameters.lag(interval: time - state.barometerTime) }
    if state.isInterrupted(at: time, parameters) {
      state.interrupt(until: time, parameters, keepsTransition: trace != nil)
    }
    if time > state.time {
      let held = state.motion.holds(to: time) ? state.motion.acceleration : nil
      state.advance(to: time, acceleration: held, parameters, keepsTransition: trace != nil)
    }
    return correct(&state, by: value, at: time)
  }

  private mutating func correct(_ state: inout State, by value: Double, at time: Double) -> Innovation? {
    state.settle(parameters, keepsTransition: trace != nil)
    let row = model(state).observation(delay: state.time - time)
    let innovation = value - row.dot(state.mean)
    let expected = row.dot(state.covariance * row)
    let variance = barometerVariance(state)
    let limit = parameters.gate * parameters.gate * (expected + variance)
    // A single outlier should hardly change the learned noise, but a minute of outliers should.
    let known = min(innovation * innovation, 9 * (expected + variance))
    learnNoise(&state, known - expected, after: time - state.barometerTime)
    state.barometerTime = time
    var result = Innovation(value: innovation, sigma: (expected + variance).standardDeviation, isAccepted: true)
    if innovation * innovation > limit {
      let since = state.rejectedSince ?? time
      state.rejectedSince = since
      guard time - since >= parameters.rejectionTime else {
        rejectedCount += 1
        result.isAccepted = false
        keep(state, predicted: (state.mean, state.covariance))
        state.transition = .identity
        return result
      }
      // The pressure has stepped and stayed, so the uncertainty of the altitude includes the step.
      for (row, column) in [(0, 0), (0, 3), (3, 0), (3, 3)] {
        state.covariance[row, column] += innovation * innovation
      }
    }
    state.rejectedSince = nil
    let predicted = (state.mean, state.covariance)
    guard
      let update = try? FixedKalman.update(
        &state.covariance, innovation: innovation, observation: row, variance: variance, on: parameters.core)
    else { return nil }
    state.mean = state.mean + update.correction
    keep(state, predicted: predicted)
    state.transition = .identity
    return result
  }

  /// Records a barometer update for the smoother.
  private mutating func keep(_ state: State, predicted: (mean: FixedVector<4>, covariance: FixedMatrix<4, 4>)) {
    guard trace != nil else { return }
    trace?.append(
      Epoch(
        time: state.time,
        step: .init(
          transition: state.transition, predictedMean: predicted.mean, predictedCovariance: predicted.covariance,
          filteredMean: state.mean, filteredCovariance: state.covariance)))
  }

  private func learnNoise(_ state: inout State, _ excess: Double, after interval: Double) {
    let gain = ExponentialLowPass.gain(after: interval, timeConstant: parameters.noiseTimeConstant)
    state.noiseVariance += gain * (max(0, excess) - state.noiseVariance)
  }

  private func barometerVariance(_ state: State) -> Double {
    let minimum = parameters.barometerSigma * parameters.barometerSigma
    return parameters.noiseTimeConstant.isFinite ? max(minimum, state.noiseVariance) : minimum
  }

  private func model(_ state: State) -> VerticalModel { VerticalModel(state, parameters) }

  private func carriedCovariance(_ state: State) -> FixedMatrix<4, 4> {
    state.carriedCovariance(parameters)
  }
}

extension VerticalModel {
  init(_ state: VerticalFilter.State, _ parameters: VerticalFilter.Parameters) {
    self.init(
      lag: state.lag ?? 0, accelerationDensity: parameters.noiseDensity(in: state.motion),
      biasDensity: parameters.biasWalk * parameters.biasWalk, isDriven: state.motion.isKnown)
  }
}

extension VerticalFilter.State {
  /// Adds a vertical acceleration, interpolated linearly between samples. An acceleration older than the gap
  /// threshold is not used.
  mutating func move(
    _ value: Double, at time: Double, _ parameters: VerticalFilter.Parameters, keepsTransition: Bool
  ) {
    let isHeld = motion.holds(to: time)
    if !isHeld, isInterrupted(at: time, parameters) {
      interrupt(until: time, parameters, keepsTransition: keepsTransition)
    }
    let mean = 0.5 * (motion.acceleration + value)
    motion.note(value, at: time)
    advance(to: time, acceleration: isHeld ? mean : nil, parameters, keepsTransition: keepsTransition)
  }

  /// Whether a sample at a time is the first after an interruption. If there has been no motion yet, the interval of
  /// the barometer is not limited.
  func isInterrupted(at time: Double, _ parameters: VerticalFilter.Parameters) -> Bool {
    motion.accelerationTime > -.greatestFiniteMagnitude
      && time - max(motion.accelerationTime, barometerTime) > parameters.interruption
  }

  /// Continues after an interruption: at an altitude that was reachable in the meantime, with an unknown vertical
  /// speed and a barometer that has settled.
  @inline(never)
  mutating func interrupt(
    until time: Double, _ parameters: VerticalFilter.Parameters, keepsTransition: Bool
  ) {
    settle(parameters, keepsTransition: keepsTransition)
    var change = FixedMatrix<4, 4>()
    (change[0, 0], change[2, 2], change[3, 0]) = (1, 1, 1)
    let reach = VerticalFilter.Parameters.fastest * (time - self.time)
    let speedSigma = parameters.initialSpeedSigma
    var noise = FixedMatrix<4, 4>(diagonal: FixedVector(reach * reach, speedSigma * speedSigma, 0, reach * reach))
    (noise[0, 3], noise[3, 0]) = (reach * reach, reach * reach)
    // The last state repeats the first; this term keeps their covariance regular.
    noise[3, 3] += parameters.barometerSigma * parameters.barometerSigma
    FixedKalman.predict(&covariance, transition: change, processNoise: noise, on: parameters.core)
    if keepsTransition { transition = change * transition }
    (mean[1], mean[3]) = (0, mean[0])
    motion.reset(at: time)
    rejectedSince = nil
    // A single altitude does not replace the learned noise, regardless of the length of the interruption.
    barometerTime = max(barometerTime, time - parameters.interruption)
  }

  /// Advances to a later time; mean and covariance are updated when they are needed.
  ///
  /// - Parameters:
  ///   - acceleration: The mean since the last time, in m/s², or `nil` if the motion is unknown.
  ///   - keepsTransition: Whether a smoother needs the transition.
  mutating func advance(
    to time: Double, acceleration: Double?, _ parameters: VerticalFilter.Parameters, keepsTransition: Bool
  ) {
    guard time > self.time else { return }
    if motion.isKnown != (acceleration != nil) {
      settle(parameters, keepsTransition: keepsTransition)
      motion.reset(isKnown: acceleration != nil)
    }
    motion.extend(to: time, acceleration ?? 0)
  }

  /// Advances mean and covariance to the current time.
  @inline(never)
  mutating func settle(_ parameters: VerticalFilter.Parameters, keepsTransition: Bool) {
    guard motion.duration > 0 else { return }
    let model = VerticalModel(self, parameters)
    let change = model.transition(motion.duration)
    mean = change * mean
    mean[0] += motion.rise
    mean[1] += motion.speed
    mean[3] += model.lag > 0 ? motion.laggedRise : motion.rise
    model.carry(&covariance, over: motion.duration)
    if keepsTransition { transition = change * transition }
    motion.reset()
  }

  func carriedCovariance(_ parameters: VerticalFilter.Parameters) -> FixedMatrix<4, 4> {
    var carried = self
    carried.settle(parameters, keepsTransition: false)
    return carried.covariance
  }
}
