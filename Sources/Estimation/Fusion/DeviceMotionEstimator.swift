internal import DequeModule
internal import InertialCalibration
public import InertialFilters
internal import InertialNumerics
internal import InertialRotations
public import InertialSensors
package import InertialSystem

/// Raw samples in, device motions out: one for every gyroscope sample, with Core Motion's meaning.
///
/// Samples are appended in order of time (samples of equal time in any order), each channel on its own clock. A
/// device motion is ready as soon as the other channels have passed its time, so it lags by at most one of their
/// samples. Those of the first second come when the filter has settled, carried back to their own time by the
/// gyroscope, or at once with what is known by then: see `Configuration.Start`. A recording in one go, sample by sample,
/// or resumed from a saved value gives the same numbers.
public struct DeviceMotionEstimator: Sendable, Codable {
  /// What the estimator was made with.
  public let configuration: Configuration
  private var engine: AttitudeEngine

  private var hardIron = HardIronEstimator()
  private var hasCalibratedField = false
  private var fieldIsUsed = false
  private var fieldAccuracy = MagneticFieldAccuracy.uncalibrated

  /// The gyroscope sample whose time has not been passed yet.
  private var open: GyroscopeSample?
  private var lastRateTime: Double?
  /// Motions whose attitude is final and whose acceleration or field is still to come.
  private var drafts: Deque<Draft> = []
  /// Motions that an offline estimate is still to come for; nil online.
  private var late: LateMotions?
  /// Motions of the start, waiting for the filter to settle, each with its rotation since the first.
  private var startDrafts: [Draft] = []
  private var startRotation = Quaternion.identity
  private var startStillness = Stillness()
  private var hasSettled = false

  private var accelerations: SampleInterpolator
  private var fields: SampleInterpolator
  private var ready: Deque<DeviceMotion> = []
  private var latestTime = -Double.greatestFiniteMagnitude
  private var isFinished = false
  /// Turns the filter's earth frame to the asked one: yaw 0 at the start, or true north.
  private var referenceFromEarth: Quaternion?

  private struct GyroscopeSample: Sendable, Codable {
    var time: Double
    var rate: Vector3
  }

  private struct Draft: Sendable, Codable {
    var time: Double
    var rate: Vector3
    var earthFromDevice: Quaternion
    var bias: Vector3
    var sigma: Vector3?
    var flags: AttitudeFlags
    var measurements: [MeasurementOutcome]?
    var accuracy: MagneticFieldAccuracy
    var northIsKnown: Bool
  }

  /// - `filter`: at its start; its heading reference is set by the configuration's frame.
  /// - Throws: `FilterSettingError` where the kind does not take the settings.
  public init(
    filter kind: FilterKind, settings: [String: Double] = [:], configuration: Configuration = Configuration()
  ) throws(FilterSettingError) {
    self.init(
      filter: try kind.make(settings, headingReference: configuration.headingReference), configuration: configuration)
  }

  /// Offline: motions come late, each from all of the recording. Nil where the filter has no offline form.
  ///
  /// - Throws: `FilterSettingError` where the kind does not take the settings.
  public init?(
    smoothing kind: FilterKind, settings: [String: Double] = [:], configuration: Configuration = Configuration()
  ) throws(FilterSettingError) {
    let reference = configuration.headingReference
    guard let smoother = try kind.makeSmoother(settings, headingReference: reference) else { return nil }
    self.init(smoother: smoother, configuration: configuration)
  }

  /// With a filter of the caller's own; its heading reference must suit the frame.
  public init(filter: any AttitudeFilter, configuration: Configuration = Configuration()) {
    self.init(engine: AttitudeEngine(filter), configuration: configuration)
  }

  /// With an offline filter of the caller's own; such an estimator cannot be saved midway.
  public init(smoother: any AttitudeSmoother, configuration: Configuration = Configuration()) {
    self.init(engine: AttitudeEngine(smoother), configuration: configuration)
  }

  private init(engine: AttitudeEngine, configuration: Configuration) {
    self.engine = engine
    self.configuration = configuration
    late = engine.isOffline ? LateMotions() : nil
    accelerations = SampleInterpolator(longestGap: configuration.longestInterpolation)
    fields = SampleInterpolator(longestGap: configuration.longestInterpolation)
  }

  /// Asks the filter to tell what it makes of each measurement, as `DeviceMotion.measurements`: before the first sample.
  ///
  /// It changes no other number. A filter that does not tell leaves them nil.
  public mutating func reportMeasurements() { engine.reportMeasurements() }

  // MARK: Samples in

  /// Takes the next sample. Channels that no estimate needs are ignored.
  public mutating func append(_ sample: SensorSample) {
    guard sample.time.isFinite else { return }
    if let open, sample.time > open.time { close(open) }
    latestTime = max(latestTime, sample.time)
    switch sample.channel {
    case .gyroscope: appendRate(sample)
    case .accelerometer:
      guard configuration.limits.allowsAcceleration(sample.vector) else { break }
      accelerations.append(sample.vector, at: sample.time)
      if !hasSettled { startStillness.add(acceleration: sample.vector) }
      engine.update(accelerometer: sample.vector, at: sample.time)
    case .magnetometer: appendRawField(sample)
    case .calibratedMagneticField: appendCalibratedField(sample)
    default: return
    }
    resolveDrafts()
    forgetUnneeded()
  }

  /// Says that no sample of this time or an earlier one will come any more, where the caller knows: the motion of this
  /// time need not wait for a sample of a later one.
  package mutating func close(through time: Double) {
    if let open, open.time <= time { close(open) }
    latestTime = max(latestTime, time)
    resolveDrafts()
    forgetUnneeded()
  }

  /// No more samples will come: what waits is completed with what is known.
  public mutating func finish() {
    if let open { close(open) }
    isFinished = true
    engine.finish()
    if !hasSettled, !engine.isOffline { settle() }
    resolveDrafts()
  }

  private mutating func appendRate(_ sample: SensorSample) {
    guard configuration.limits.allowsRotationRate(sample.vector) else { return }
    // One motion for one time: a time that does not rise would come out as a second one, or backwards.
    if let lastRateTime, sample.time <= lastRateTime { return }
    if !hasSettled { integrateStart(sample) }
    lastRateTime = sample.time
    engine.update(gyroscope: sample.vector, at: sample.time)
    open = GyroscopeSample(time: sample.time, rate: sample.vector)
  }

  private mutating func appendRawField(_ sample: SensorSample) {
    guard configuration.frame.usesMagnetometer, configuration.limits.allowsRawField(sample.vector) else {
      return
    }
    switch configuration.field {
    case .calibrated:
      guard !hasCalibratedField else { return }
      use(field: sample.vector, accuracy: .high, at: sample.time)
    case .automatic, .raw:
      guard configuration.field == .raw || !hasCalibratedField else { return }
      hardIron.add(sample.vector)
      use(
        field: hardIron.calibrated(sample.vector), accuracy: hardIron.accuracy, at: sample.time,
        isTrusted: configuration.usesPlausibleRawField && hardIron.presumesNone)
    }
  }

  private mutating func appendCalibratedField(_ sample: SensorSample) {
    guard configuration.frame.usesMagnetometer, configuration.field != .raw,
      configuration.limits.allowsRawField(sample.vector)
    else { return }
    hasCalibratedField = true
    // A device that does not grade its field is one whose makers calibrated it.
    let accuracy =
      sample.w.isNaN
      ? .high
      : Int(exactly: sample.w.rounded()).flatMap(MagneticFieldAccuracy.init(rawValue:)) ?? .uncalibrated
    use(field: sample.vector, accuracy: accuracy, at: sample.time)
  }

  private mutating func use(
    field: Vector3, accuracy: MagneticFieldAccuracy, at time: Double, isTrusted: Bool = false
  ) {
    fieldAccuracy = accuracy
    guard accuracy > .uncalibrated else { return }
    fields.append(field, at: time)
    guard isTrusted || accuracy >= configuration.leastFieldAccuracy else { return }
    engine.update(magneticField: field, at: time)
    fieldIsUsed = true
  }

  // MARK: Start

  /// Carries the device's rotation since the first sample along, for motions from before the filter has settled.
  private mutating func integrateStart(_ sample: SensorSample) {
    startStillness.add(rate: sample.vector)
    // Across a gap the attitude is held, as the filter holds it: a rate is not known to last for seconds.
    guard let last = lastRateTime, sample.time - last <= configuration.longestInterpolation else { return }
    let turned = startRotation * Quaternion(rotationVector: sample.vector * (sample.time - last))
    startRotation = turned.normalized ?? startRotation
  }

  /// The filter knows its attitude now: the waiting motions get theirs from it by the way the device has turned since.
  private mutating func settle() {
    guard let estimate = engine.estimate else {
      // Without an accelerometer there is no attitude: finish() leaves nothing to give.
      startDrafts = []
      return
    }
    hasSettled = true
    // A device that lay still has not turned, whatever a bias made of it.
    let hasTurned = !startStillness.isStill
    let earthFromStart = estimate.earthFromDevice * startRotation.conjugate
    for var draft in startDrafts {
      draft.earthFromDevice =
        (hasTurned ? earthFromStart * draft.earthFromDevice : estimate.earthFromDevice).normalized
        ?? estimate.earthFromDevice
      draft.bias = estimate.gyroscopeBias
      draft.sigma = estimate.attitudeSigma
      draft.flags.insert(.converging)
      draft.northIsKnown = fieldIsUsed
      drafts.append(draft)
    }
    startDrafts = []
  }

  // MARK: Motions out

  /// The next device motion in order of time, or nil until more samples came.
  public mutating func next() -> DeviceMotion? {
    while ready.isEmpty, takeLateEstimate() {}
    return ready.popFirst()
  }

  /// Takes the next samples, and appends the motions that have become ready to `motions`: those of `append` and `next`.
  public mutating func append(_ samples: ArraySlice<SensorSample>, motionsTo motions: inout [DeviceMotion]) {
    guard engine.isOffline else {
      for sample in samples { append(sample) }
      // All at once: a motion is large, and is copied one time less.
      motions.append(contentsOf: ready)
      ready.removeAll(keepingCapacity: true)
      return
    }
    for sample in samples {
      append(sample)
      while let motion = next() { motions.append(motion) }
    }
  }

  /// All samples of the gyroscope's time are in: the attitude at that time is final.
  private mutating func close(_ sample: GyroscopeSample) {
    open = nil
    engine.closeMoment()
    let estimate = engine.estimate
    var draft = Draft(
      time: sample.time, rate: sample.rate,
      earthFromDevice: estimate?.earthFromDevice ?? .identity, bias: estimate?.gyroscopeBias ?? .zero,
      sigma: estimate?.attitudeSigma, flags: estimate?.flags ?? .converging, measurements: estimate?.measurements,
      accuracy: fieldAccuracy, northIsKnown: fieldIsUsed)
    guard !engine.isOffline else {
      drafts.append(draft)
      return
    }
    // Given at once, motions do not wait for the filter to settle.
    if configuration.start == .immediate, !hasSettled {
      guard estimate != nil else { return }
      hasSettled = true
    }
    guard !hasSettled else {
      // Where all sensors tick together nothing is to be waited for.
      if drafts.isEmpty, let motion = motion(draft) { ready.append(motion) } else { drafts.append(draft) }
      return
    }
    draft.earthFromDevice = startRotation
    startDrafts.append(draft)
    if let estimate, !estimate.flags.contains(.converging) { settle() }
  }

  /// An offline estimate that has become final goes to the motions of its time. One at a time: at the end of a recording
  /// all of them are.
  private mutating func takeLateEstimate() -> Bool {
    guard let estimate = late?.early ?? engine.next() else { return false }
    hasSettled = true
    // What the motion needs beside the attitude may still come.
    late?.early = drafts.first.map { $0.time <= estimate.time } == true ? estimate : nil
    guard late?.early == nil else { return false }
    while let motion = late?.next(through: estimate.time) {
      // What is known of north at the end holds from the start.
      let draft = Draft(
        time: motion.time, rate: motion.rate, earthFromDevice: estimate.estimate.earthFromDevice,
        bias: estimate.estimate.gyroscopeBias, sigma: estimate.estimate.attitudeSigma, flags: estimate.estimate.flags,
        measurements: estimate.estimate.measurements,
        accuracy: MagneticFieldAccuracy(rawValue: motion.accuracy) ?? .uncalibrated, northIsKnown: fieldIsUsed)
      ready.append(self.motion(draft, acceleration: motion.acceleration, field: motion.field))
    }
    return true
  }

  /// Why an offline form gives no motions any more; nil where all is well.
  package var failure: SpillError? { engine.failure ?? late?.failure }

  private mutating func resolveDrafts() {
    guard hasSettled || engine.isOffline else { return }
    while let draft = drafts.first, let (acceleration, field) = values(for: draft) {
      drafts.removeFirst()
      if engine.isOffline {
        late?.append(
          LateMotions.Motion(
            time: draft.time, rate: draft.rate, acceleration: acceleration, field: field,
            accuracy: draft.accuracy.rawValue))
      } else {
        ready.append(motion(draft, acceleration: acceleration, field: field))
      }
    }
  }

  /// The acceleration and the field at the time of a draft; nil where one of them may still come.
  private mutating func values(for draft: Draft) -> (acceleration: Vector3?, field: Vector3?)? {
    guard
      let acceleration = accelerations.value(at: draft.time, latestTime: latestTime, isFinished),
      let field = fieldValue(for: draft)
    else { return nil }
    return (acceleration, field)
  }

  /// The motion of a draft; nil where its acceleration or field may still come.
  private mutating func motion(_ draft: Draft) -> DeviceMotion? {
    values(for: draft).map { motion(draft, acceleration: $0.acceleration, field: $0.field) }
  }

  /// While no motion waits, nobody asks for what is old: without this, a log whose gyroscope ends or is missing
  /// would be kept whole.
  private mutating func forgetUnneeded() {
    guard open == nil, drafts.isEmpty, startDrafts.isEmpty else { return }
    let time = latestTime - configuration.longestInterpolation
    accelerations.forget(before: time)
    fields.forget(before: time)
  }

  /// .some(nil): there is none at this time; nil: it may still come.
  private mutating func fieldValue(for draft: Draft) -> Vector3?? {
    guard configuration.frame.usesMagnetometer, draft.accuracy > .uncalibrated else { return .some(nil) }
    return fields.value(at: draft.time, latestTime: latestTime, isFinished)
  }

  private mutating func motion(_ draft: Draft, acceleration: Vector3?, field: Vector3?) -> DeviceMotion {
    let frameRotation = referenceFromEarth ?? startOrientation(of: draft)
    referenceFromEarth = frameRotation
    let attitude = Attitude(quaternion: frameRotation * draft.earthFromDevice)
    let gravity = attitude.gravity
    let isNorth = configuration.frame.isNorthReferenced && draft.northIsKnown
    return DeviceMotion(
      time: draft.time, attitude: attitude, gravity: gravity,
      userAcceleration: acceleration.map { $0 - gravity }, rotationRate: draft.rate - draft.bias,
      magneticField: field, magneticFieldAccuracy: draft.accuracy,
      heading: isNorth ? attitude.heading(pointing: configuration.pointingAxis) : -1,
      attitudeSigma: draft.sigma, gyroscopeBias: draft.bias, flags: draft.flags, measurements: draft.measurements)
  }

  /// In the arbitrary frames the first motion has yaw 0; in the true-north frame magnetic north is turned by the declination.
  private func startOrientation(of draft: Draft) -> Quaternion {
    switch configuration.frame {
    case .xMagneticNorthZVertical: .identity
    case .xTrueNorthZVertical:
      // East is −Y: a field that points D east of true north has azimuth −D in true-north axes.
      Quaternion(angle: -configuration.declination, axis: .unitZ)
    default:
      Quaternion(angle: -EulerAngles(draft.earthFromDevice).yaw, axis: .unitZ)
    }
  }
}
