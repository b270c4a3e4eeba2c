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
public struct VerticalFilter: Sendable, Codable {
  package let parameters: Parameters
  /// The state, or `nil` before the first barometric altitude.
  package internal(set) var state: State?
  /// The number of dropped altitudes and accelerations: without a finite value, or too late.
  package private(set) var droppedCount = 0
  /// The number of altitudes that were rejected as outliers.
  package internal(set) var rejectedCount = 0

  /// The barometer updates for the smoother, if they are kept.
  private(set) var epochs: [Epoch]?

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - state: The state of an earlier filter with the same parameters, to continue from.
  ///   - keepsTrace: Whether to keep the input of `smoothed`, one kilobyte per barometric altitude.
  package init(parameters: Parameters = Parameters(), state: State? = nil, keepsTrace: Bool = false) {
    self.parameters = parameters
    self.state = state
    guard keepsTrace else { return }
    epochs = []
    self.state?.keepTrace()
  }

  /// Ends the record for the smoother, which is not needed.
  mutating func dropTrace() {
    epochs = nil
    state?.kalman.trace = nil
  }

  /// Corrects a state by the measurements taken, and adds a barometer update to the record for the smoother.
  mutating func close(_ state: inout State) {
    let correction = state.kalman.close()
    state.mean.correct(by: correction)
    guard let count = state.kalman.trace?.count else { return }
    epochs?.append(Epoch(time: state.time, index: count - 1, correction: correction[VerticalState.moving]))
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
  package var estimate: Estimate? { estimate(after: nil) }

  /// Returns the estimate after a motion that another filter has integrated, or after its own.
  func estimate(after motion: VerticalMotion?) -> Estimate? {
    guard let own = state?.motion else { return nil }
    return state?.estimate(parameters, after: motion ?? own)
  }

  /// Returns eᵀ P⁻¹ e of the errors of altitude (m), vertical speed (m/s) and acceleration bias (m/s²), or NaN before
  /// the first altitude. It is χ² distributed with three degrees of freedom if the filter's covariance is correct.
  package func normalizedErrorSquared(_ errors: [Double]) -> Double {
    guard let state, errors.count == 3 else { return .nan }
    var carried = state
    carried.settle(parameters)
    let errors = Vector3(errors[0], errors[1], errors[2])
    guard let information = carried.kalman[VerticalState.moving, VerticalState.moving].inverse else { return .nan }
    return errors.dot(information * errors)
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
    state?.move(value, at: time, parameters)
  }

  /// Adds a barometric altitude in m at a time in seconds. Returns `nil` if it was dropped or is the first.
  @discardableResult
  package mutating func update(barometricAltitude value: Double, at time: Double) -> Innovation? {
    guard value.isFinite, time.isFinite else {
      droppedCount += 1
      return nil
    }
    guard var state else {
      var fresh = State(altitude: value, time: time, parameters: parameters, keepsTrace: epochs != nil)
      close(&fresh)
      state = fresh
      return nil
    }
    self.state = nil
    defer { self.state = state }
    guard time > state.barometerTime, state.time - time <= parameters.maximumDelay else {
      droppedCount += 1
      return nil
    }
    if state.lag == nil { state.lag = parameters.lag(interval: time - state.barometerTime) }
    if state.isInterrupted(at: time, parameters) { state.interrupt(until: time, parameters) }
    if time > state.time {
      let held = state.motion.holds(to: time) ? state.motion.acceleration : nil
      state.advance(to: time, acceleration: held, parameters)
    }
    return correct(&state, by: value, at: time)
  }
}

extension VerticalModel {
  init(lag: Double?, _ motion: VerticalMotion, _ parameters: VerticalFilter.Parameters) {
    self.init(
      lag: lag ?? 0, accelerationDensity: parameters.noiseDensity(in: motion),
      biasDensity: parameters.biasWalk * parameters.biasWalk, isDriven: motion.isKnown)
  }
}

extension VerticalFilter.State {
  /// Adds a vertical acceleration, interpolated linearly between samples. An acceleration older than the gap
  /// threshold is not used.
  mutating func move(_ value: Double, at time: Double, _ parameters: VerticalFilter.Parameters) {
    let isHeld = motion.holds(to: time)
    if !isHeld, isInterrupted(at: time, parameters) { interrupt(until: time, parameters) }
    let mean = 0.5 * (motion.acceleration + value)
    motion.note(value, at: time)
    advance(to: time, acceleration: isHeld ? mean : nil, parameters)
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
  mutating func interrupt(until time: Double, _ parameters: VerticalFilter.Parameters) {
    typealias Index = VerticalState.Index
    settle(parameters)
    var transition = ErrorTransition()
    transition.add(1, of: Index.altitude, to: Index.lagged)
    transition.add(-1, of: Index.lagged, to: Index.lagged)
    transition.fade(ErrorLayout.Block(start: Index.speed, count: 1), by: 0)
    kalman.propagate(by: transition)
    kalman[Index.speed, Index.speed] += parameters.initialSpeedSigma * parameters.initialSpeedSigma
    let reach = VerticalFilter.Parameters.fastest * (time - self.time)
    kalman.add(altitudeVariance: reach * reach)
    // The last state repeats the first; this term keeps their covariance regular.
    kalman[Index.lagged, Index.lagged] += parameters.barometerSigma * parameters.barometerSigma
    (mean.speed, mean.lagged) = (0, mean.altitude)
    motion.reset(at: time)
    rejectedSince = nil
    // A single altitude does not replace the learned noise, regardless of the length of the interruption.
    barometerTime = max(barometerTime, time - parameters.interruption)
  }

  /// Advances to a later time; mean and covariance are updated when they are needed.
  ///
  /// - Parameter acceleration: The mean since the last time, in m/s², or `nil` if the motion is unknown.
  mutating func advance(to time: Double, acceleration: Double?, _ parameters: VerticalFilter.Parameters) {
    guard time > self.time else { return }
    if motion.isKnown != (acceleration != nil) {
      settle(parameters)
      motion.reset(isKnown: acceleration != nil)
    }
    motion.extend(to: time, acceleration ?? 0)
  }

  /// Advances mean and covariance to the current time.
  @inline(never)
  mutating func settle(_ parameters: VerticalFilter.Parameters) {
    guard motion.duration > 0 else { return }
    let model = VerticalModel(lag: lag, motion, parameters)
    model.propagate(&mean, over: motion.duration)
    mean.altitude += motion.rise
    mean.speed += motion.speed
    mean.lagged += model.lag > 0 ? motion.laggedRise : motion.rise
    model.propagate(&kalman, over: motion.duration)
    motion.reset()
  }
}
