public import InertialNumerics
internal import InertialRotations
public import InertialSensors

/// VQF: strapdown integration with separate corrections of inclination and heading, bias estimation and magnetic
/// disturbance rejection.
///
/// D. Laidig and T. Seel, "VQF: Highly accurate IMU orientation estimation with bias estimation and magnetic
/// disturbance rejection", Information Fusion 91 (2023). Gravity is low-passed in the inertial frame of the gyroscope,
/// where motion averages out; the field corrects only the azimuth.
///
/// Each sensor has its own rate, learned from its timestamps or given by the parameters; the gyroscope is integrated
/// over true time steps. With given rates, the results match the published implementation, sample by sample, if each
/// row of a log is in the order gyroscope, accelerometer, field.
///
/// Internally, the force is the negative acceleration and thresholds are in g. The published frame is east-north-up:
/// its heading angle is 90° larger.
public struct VQF: SmoothableFilter, MeasurementReporting {
  public static let name = "vqf"
  public static let summary =
    "gravity low-passed in the gyroscope's own frame, bias from rest and motion, magnetic rejection"
  public static let source = "Laidig and Seel 2023"
  public static let traits: FilterTraits = [
    .accelerometer, .magneticField, .gyroscopeBias, .rest, .restBias, .separatesHeading, .magneticRejection, .offline,
  ]

  /// The reported kinds: the azimuth of the field, without a variance, and the rate at rest.
  public static let measurementKinds: [MeasurementKind] = [.heading, .restRate]

  public let parameters: Parameters
  public private(set) var state: State
  /// The outcomes of the latest measurements, or `nil`. To request them, assign an empty log.
  public var measurements: MeasurementLog?
  private(set) var coefficients: Coefficients

  public init(parameters: Parameters = Parameters()) {
    self.init(parameters: parameters, state: State(parameters))
  }

  public init(parameters: Parameters, state: State) {
    self.parameters = parameters
    self.state = state
    coefficients = Coefficients(parameters, state.intervals)
  }

  /// Creates a filter that uses the field to detect disturbances only, for the runs of the offline form, which corrects
  /// the heading itself.
  init(withoutHeading parameters: Parameters, intervals: VQFIntervals) {
    self.parameters = parameters
    state = State(parameters, intervals: intervals)
    coefficients = Coefficients(parameters, intervals, correctsHeading: false)
  }

  // MARK: Updates

  public mutating func update(gyroscope: Vector3, at time: Double) {
    let sample = state.gate.admit(gyroscope: gyroscope, at: time, gapThreshold: parameters.gapThreshold)
    if sample != .refused { measurements?.begin(at: time) }
    switch sample {
    case .refused: return
    case .first:
      state.hold.restart(at: gyroscope)
      detectRest(gyroscope)
      // With a known rate, the first sample represents the interval before it, like every other sample.
      if state.intervals.gyroscope.value > 0 {
        follow(gyroscope, over: state.intervals.gyroscope.value)
      }
    case .gap:
      enterGap()
      state.hold.restart(at: gyroscope)
      detectRest(gyroscope)
    case .regular(let dt):
      if parameters.gyroscopeRate <= 0, state.intervals.gyroscope.add(dt) { retuneGyroscope() }
      detectRest(gyroscope)
      follow(state.hold.mean(gyroscope, over: dt), over: dt)
    }
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    switch state.gate.admit(accelerometer: accelerometer, at: time, gapThreshold: parameters.gapThreshold) {
    case .refused: return
    case .first, .gap: break
    case .regular(let dt):
      if parameters.accelerometerRate <= 0, state.intervals.accelerometer.add(dt) { retuneAccelerometer() }
    }
    let force = -accelerometer
    if coefficients.learnsAtRest { state.rest.add(force: force, coefficients.restForce, coefficients.rest) }
    let up = state.attitude.level(force, coefficients.force)
    guard coefficients.learnsBias else { return }
    let isResting = coefficients.learnsAtRest && state.rest.isResting
    if isResting, measurements != nil {
      let outcome = state.biasEstimation.outcome(of: state.rest.rate, coefficients.bias)
      measurements?.add(outcome, at: time)
    }
    state.biasEstimation.update(
      up: up, rotation: state.attitude.levelFromDevice.matrix, restRate: isResting ? state.rest.rate : nil,
      coefficients.bias)
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    let step = state.gate.admit(field: magneticField, at: time)
    guard step != .refused, state.attitude.isAligned else { return }
    if case .regular(let dt) = step, dt <= parameters.gapThreshold, parameters.magneticFieldRate <= 0,
      state.intervals.field.add(dt)
    {
      retuneField()
    }
    let field = state.attitude.levelFromDevice.rotate(magneticField)
    var trust = 1.0
    if coefficients.rejectsDisturbances {
      state.field.update(field, rate: state.rest.rate, coefficients.field)
      trust = state.field.trust(coefficients.field)
    }
    guard coefficients.correctsHeading else { return }
    if measurements != nil {
      let error = state.attitude.heading.error(ofAzimuth: field.azimuth)
      measurements?.add(
        MeasurementOutcome(
          .heading, count: 1, innovation: Vector3(-error, 0, 0), variance: nil, normalizedSquared: nil, weight: trust,
          reason: .disturbedField), at: time)
    }
    state.attitude.correctHeading(
      field: field, coefficients.heading, trust: trust, parameters.headingReference)
  }

  // Inlined, as the protocol's getter would otherwise copy the filter.
  @inline(__always)
  public var estimate: AttitudeEstimate? {
    guard state.attitude.isAligned else { return nil }
    var flags = state.flags.union(state.gate.flags)
    if state.attitude.isStartingUp { flags.insert(.converging) }
    if state.rest.isResting { flags.insert(.resting) }
    // The field differs from the learned one. Before a field was learned, this cannot be determined.
    if state.field.isDisturbed, state.field.reference != nil { flags.insert(.magneticDisturbance) }
    return AttitudeEstimate(
      earthFromDevice: state.attitude.earthFromDevice, gyroscopeBias: state.biasEstimation.bias, flags: flags)
  }

  // MARK: Steps

  private mutating func detectRest(_ rate: Vector3) {
    guard coefficients.usesRate else { return }
    state.rest.add(rate: rate, coefficients.restRate, coefficients.rest)
  }

  private mutating func follow(_ rate: Vector3, over dt: Double) {
    guard state.attitude.integrate(rate - state.biasEstimation.bias, over: dt) else { return }
    state.attitude.finishStartUp()
    state.flags.remove(.gap)
  }

  /// Handles a gap: tilt and heading restart; the bias and the learned field are kept.
  private mutating func enterGap() {
    state.flags.insert(.gap)
    state.attitude.restart()
    state.biasEstimation.restart()
    state.rest = RestDetection()
  }

  private mutating func retuneGyroscope() {
    let old = coefficients.restRate
    coefficients.tuneGyroscope(parameters, state.intervals)
    state.rest.retuneRate(from: old, to: coefficients.restRate)
  }

  private mutating func retuneAccelerometer() {
    let (oldForce, oldRest) = (coefficients.force, coefficients.restForce)
    coefficients.tuneAccelerometer(parameters, state.intervals)
    state.attitude.retuneForce(from: oldForce, to: coefficients.force)
    state.biasEstimation.retune(from: oldForce, to: coefficients.force)
    state.rest.retuneForce(from: oldRest, to: coefficients.restForce)
  }

  private mutating func retuneField() {
    let old = coefficients.field.lowPass
    coefficients.tuneField(parameters, state.intervals)
    state.field.retune(from: old, to: coefficients.field.lowPass)
  }
}
