internal import DequeModule
internal import InertialCalibration
public import InertialFilters
internal import InertialNumerics
internal import InertialRotations
public import InertialSensors
package import InertialSystem

/// Estimates device motions from raw samples: one for every gyroscope sample, with Core Motion's semantics.
///
/// Samples are appended in chronological order (samples with equal timestamps in any order), each channel on its own
/// clock. A device motion is ready as soon as the other channels have passed its time, so it lags by at most one of
/// their samples. The motions of the first second are delivered once the filter has settled, propagated back to their
/// times by the gyroscope, or immediately with the current estimate: see `Configuration.Start`. The results are the
/// same for a whole recording, sample by sample, and after resuming from a saved value.
public struct DeviceMotionEstimator: Sendable, Codable {
  /// The configuration of the estimator. Offline, the first pass can change its field from `automatic` to `raw`.
  public private(set) var configuration: Configuration
  private(set) var engine: AttitudeEngine

  /// The hard iron of a raw field, and the decision to subtract it.
  private(set) var hardIron = HardIronEstimator()
  /// Whether the log has a raw field to calibrate, and whether the device has calibrated the field itself.
  private(set) var hasRawField = false
  private(set) var hasCalibratedField = false
  /// Whether the filter has received a field of sufficient accuracy and of a strength that the earth's can have.
  package private(set) var fieldIsUsed = false
  /// Whether the attitude of an online filter follows the field.
  private var northIsKnown = false
  private var fieldAccuracy = MagneticFieldAccuracy.uncalibrated

  /// The latest gyroscope sample, while samples with its timestamp may still arrive.
  private var openSample: GyroscopeSample?
  private var lastRateTime: Double?
  /// The motions whose attitude is final and whose acceleration or field is pending.
  private var drafts: Deque<PendingMotion> = []
  /// The first motions, buffered until the filter settles, each with its rotation since the first.
  private var startDrafts: [PendingMotion] = []
  private var startRotation = Quaternion.identity
  private var startStillness = StationaryDetector()
  private var hasSettled = false

  private var accelerations: SampleInterpolator
  private var fields: SampleInterpolator
  private var ready = MotionQueue()
  private var latestTime = -Double.greatestFiniteMagnitude
  private var isFinished = false
  /// The rotation from the filter's earth frame to the requested frame: yaw 0 at the start, or true north.
  private var referenceFromEarth: Quaternion?
  /// The last motion's attitude and time in a frame of an unknown north, or `nil`.
  private var lastWithoutNorth: TimedAttitude?

  private struct GyroscopeSample: Sendable, Codable {
    var time: Double
    var rate: Vector3
  }

  private struct TimedAttitude: Sendable, Codable {
    var quaternion: Quaternion
    var time: Double
  }

  private struct PendingMotion: Sendable, Codable {
    var time: Double
    var rate: Vector3
    var earthFromDevice: Quaternion
    var bias: Vector3
    var sigma: Vector3?
    var flags: AttitudeFlags
    var measurements: [MeasurementOutcome]?
    var accuracy: MagneticFieldAccuracy
    var northIsKnown: Bool

    /// Sets the attitude, the bias, sigma and the flags to those of an estimate, and the measurements.
    @inline(__always)
    mutating func set(_ estimate: AttitudeEstimate, _ outcomes: [MeasurementOutcome]?) {
      (earthFromDevice, bias, sigma) = (estimate.earthFromDevice, estimate.gyroscopeBias, estimate.attitudeSigma)
      (flags, measurements) = (estimate.flags, outcomes)
    }
  }

  /// Creates an online estimator with a new filter, whose heading reference follows from the configuration's frame.
  ///
  /// - Throws: `SettingError` if the filter does not accept the settings.
  public init(
    filter kind: FilterKind, settings: [String: Double] = [:], configuration: Configuration = Configuration()
  ) throws(SettingError) {
    self.init(
      filter: try kind.make(settings, headingReference: configuration.headingReference), configuration: configuration)
  }

  /// Creates an online estimator with the default settings of a filter.
  package init(defaultsOf kind: FilterKind, configuration: Configuration = Configuration()) {
    do throws(SettingError) {
      try self.init(filter: kind, configuration: configuration)
    } catch {
      preconditionFailure("a filter's defaults are in their ranges: \(error)")
    }
  }

  /// Creates an offline estimator, whose motions come late and use the whole recording, or returns `nil` if the filter
  /// has no offline form.
  ///
  /// - Throws: `SettingError` if the filter does not accept the settings.
  public init?(
    smoothing kind: FilterKind, settings: [String: Double] = [:], configuration: Configuration = Configuration()
  ) throws(SettingError) {
    let reference = configuration.headingReference
    guard let smoother = try kind.makeSmoother(settings, headingReference: reference) else { return nil }
    self.init(smoother: smoother, configuration: configuration)
    guard configuration.frame.usesMagnetometer, configuration.field != .calibrated else { return }
    var raw = configuration
    raw.field = .raw
    engine.fieldPass = FieldPass(
      try DeviceMotionEstimator(filter: kind, settings: settings, configuration: raw))
  }

  /// Creates an estimator with the caller's filter, whose heading reference must suit the frame.
  public init(filter: any AttitudeFilter, configuration: Configuration = Configuration()) {
    self.init(engine: AttitudeEngine(filter), configuration: configuration)
  }

  /// Creates an estimator with the caller's offline filter. Such an estimator cannot be saved midway.
  public init(smoother: any AttitudeSmoother, configuration: Configuration = Configuration()) {
    self.init(engine: AttitudeEngine(smoother), configuration: configuration)
  }

  private init(engine: AttitudeEngine, configuration: Configuration) {
    self.engine = engine
    self.configuration = configuration
    accelerations = SampleInterpolator(maximumGap: configuration.maximumInterpolationInterval)
    fields = SampleInterpolator(maximumGap: configuration.maximumInterpolationInterval)
  }

  /// Turns on the reporting of measurement outcomes in `DeviceMotion.measurements`. Call it before the first sample.
  ///
  /// No other value changes. If the filter does not report outcomes, they stay `nil`.
  public mutating func reportMeasurements() { engine.reportMeasurements() }

  // MARK: Samples in

  /// Appends the next sample. Channels that no estimate needs are ignored.
  public mutating func append(_ sample: SensorSample) {
    guard sample.time.isFinite else { return }
    if engine.isOffline, engine.fieldPass != nil { return addToFieldPass(sample) }
    if let openSample, sample.time > openSample.time { close(openSample) }
    latestTime = max(latestTime, sample.time)
    switch sample.channel {
    case .gyroscope: appendRate(sample)
    case .accelerometer:
      guard configuration.limits.allowsAcceleration(sample.vector) else { break }
      accelerations.append(sample.vector, at: sample.time)
      if !hasSettled, !engine.isOffline { startStillness.add(acceleration: sample.vector) }
      engine.update(accelerometer: sample.vector, at: sample.time)
    case .magnetometer: appendRawField(sample)
    case .calibratedMagneticField: appendCalibratedField(sample)
    default: return
    }
    resolveDrafts()
    forgetUnneeded()
  }

  /// Marks the times up to `time` as complete: no sample with this timestamp or an earlier one follows. The motion at
  /// this time then does not wait for a later sample.
  package mutating func close(through time: Double) {
    if engine.isOffline, engine.fieldPass != nil { return }
    if let openSample, openSample.time <= time { close(openSample) }
    latestTime = max(latestTime, time)
    resolveDrafts()
    forgetUnneeded()
  }

  /// Finishes the input and completes the pending motions with the available samples.
  public mutating func finish() {
    endFieldPass()
    if let openSample { close(openSample) }
    isFinished = true
    engine.finish()
    if !hasSettled, !engine.isOffline { settle() }
    resolveDrafts()
  }

  private mutating func appendRate(_ sample: SensorSample) {
    guard configuration.limits.allowsRotationRate(sample.vector) else { return }
    // A gyroscope sample whose time does not increase would give a duplicate motion or one out of order.
    if let lastRateTime, sample.time <= lastRateTime { return }
    // Offline, no motion waits for the filter to settle.
    if !hasSettled, !engine.isOffline { integrateStart(sample) }
    lastRateTime = sample.time
    engine.update(gyroscope: sample.vector, at: sample.time)
    openSample = GyroscopeSample(time: sample.time, rate: sample.vector)
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
      hasRawField = true
      let before = hardIron.offset
      hardIron.add(field: sample.vector, at: sample.time)
      if hardIron.offset != before { engine.recalibrateField(by: hardIron.offset - before) }
      use(
        field: hardIron.calibrated(sample.vector), accuracy: hardIron.accuracy, at: sample.time,
        isTrusted: configuration.usesPlausibleRawField || hardIron.decision == .offset)
    }
  }

  private mutating func appendCalibratedField(_ sample: SensorSample) {
    guard configuration.frame.usesMagnetometer, configuration.field != .raw,
      configuration.limits.allowsRawField(sample.vector)
    else { return }
    hasCalibratedField = true
    // A device that does not grade its field has a factory-calibrated field.
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
    guard isTrusted || accuracy >= configuration.minimumFieldAccuracy,
      // Iron next to the device, or a calibration of the device that has not finished, is not the earth's field.
      HardIronEstimator.possibleStrength.contains(field.norm)
    else { return }
    engine.update(magneticField: field, at: time)
    fieldIsUsed = true
  }

  // MARK: First pass

  /// Adds a sample to the first pass of an offline estimate, which a log without a raw field does not need.
  private mutating func addToFieldPass(_ sample: SensorSample) {
    engine.fieldPass?.append(sample)
    if configuration.field == .automatic, engine.fieldPass?.lacksRawField(at: sample.time) == true { endFieldPass() }
  }

  /// Ends the first pass, and appends its samples with the hard iron that it has found.
  ///
  /// The raw field without it replaces the device's own if it has the accuracy of a field that the filter uses, and if
  /// the hard iron has not changed: one offset describes the whole log.
  private mutating func endFieldPass() {
    guard var fieldPass = engine.fieldPass else { return }
    engine.fieldPass = nil
    hardIron = fieldPass.estimator.hardIron.finalized
    if configuration.field == .automatic, fieldPass.calibratedFieldTime != nil {
      (hasRawField, hasCalibratedField) = (fieldPass.estimator.hasRawField, true)
      if hardIron.decision == .offset, hardIron.changeTime == nil,
        hardIron.accuracy >= configuration.minimumFieldAccuracy
      {
        configuration.field = .raw
      }
    }
    do throws(SpillError) {
      while let sample = try fieldPass.next() { append(sample) }
    } catch {
      engine.fail(error)
    }
  }

  // MARK: Start

  /// Integrates the device's rotation since the first sample, for motions from before the filter has settled.
  private mutating func integrateStart(_ sample: SensorSample) {
    startStillness.add(rate: sample.vector)
    // Across a gap, the attitude is held, as in the filter: a rate is not assumed to last for seconds.
    guard let last = lastRateTime, sample.time - last <= configuration.maximumInterpolationInterval else { return }
    let turned = startRotation * Quaternion(rotationVector: sample.vector * (sample.time - last))
    startRotation = turned.normalized ?? startRotation
  }

  /// Settles the start: the buffered motions get their attitudes from the filter's attitude and the rotation since
  /// their times.
  private mutating func settle() {
    guard let estimate = engine.estimate else {
      // Without an accelerometer there is no attitude, so `finish()` has no motions to deliver.
      startDrafts = []
      return
    }
    hasSettled = true
    // A stationary device has not rotated, even if the bias suggests it.
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

  /// Removes the motions that are ready.
  mutating func discardMotions() { ready.removeAll() }

  /// Removes and returns the next device motion in chronological order, or `nil` if more samples are needed.
  public mutating func next() -> DeviceMotion? {
    if engine.isOffline { while ready.isEmpty, takeLateEstimate() {} }
    return ready.popFirst()
  }

  /// Appends samples, and appends the motions that have become ready to `motions`, as `append` and `next` do.
  public mutating func append(_ samples: ArraySlice<SensorSample>, motionsTo motions: inout [DeviceMotion]) {
    guard engine.isOffline else { return deliver(to: &motions) { for sample in samples { $0.append(sample) } } }
    for sample in samples {
      append(sample)
      while let motion = next() { motions.append(motion) }
    }
  }

  /// Marks the times up to `time` as complete, and appends the motions that have become ready to `motions`.
  package mutating func close(through time: Double, motionsTo motions: inout [DeviceMotion]) {
    guard engine.isOffline else { return deliver(to: &motions) { $0.close(through: time) } }
    close(through: time)
    while let motion = next() { motions.append(motion) }
  }

  /// Appends the motions of an online estimator to `motions`. They are large, so they are created in the caller's array.
  @inline(__always)
  private mutating func deliver(to motions: inout [DeviceMotion], _ work: (inout Self) -> Void) {
    while let motion = ready.popFirst() { motions.append(motion) }
    swap(&ready.motions, &motions)
    work(&self)
    swap(&ready.motions, &motions)
  }

  /// Closes the epoch of a gyroscope sample: its attitude is final.
  private mutating func close(_ sample: GyroscopeSample) {
    openSample = nil
    var draft = PendingMotion(
      time: sample.time, rate: sample.rate, earthFromDevice: .identity, bias: .zero, flags: .converging,
      accuracy: fieldAccuracy, northIsKnown: northIsKnown)
    guard !engine.isOffline else {
      drafts.append(draft)
      return
    }
    var hasEstimate = false
    if let estimate = engine.endEpoch() {
      hasEstimate = true
      draft.set(estimate, engine.outcomes)
      if fieldIsUsed, !northIsKnown {
        northIsKnown = engine.followsFields
        draft.northIsKnown = northIsKnown
      }
      if configuration.frame.usesMagnetometer, configuration.field != .calibrated {
        hardIron.add(rate: sample.rate - draft.bias, up: draft.earthFromDevice.rotateInverse(.unitZ), at: sample.time)
      }
    }
    // With the immediate start, motions do not wait for the filter to settle.
    if configuration.start == .immediate, !hasSettled {
      guard hasEstimate else { return }
      hasSettled = true
    }
    guard !hasSettled else {
      // If all sensors share their timestamps, no sample is pending.
      if !drafts.isEmpty || !resolve(draft) { drafts.append(draft) }
      return
    }
    let isSettled = hasEstimate && !draft.flags.contains(.converging)
    draft.earthFromDevice = startRotation
    startDrafts.append(draft)
    if isSettled { settle() }
  }

  /// Applies the next final offline estimate to the motions of its time. One at a time: at the end of a recording all
  /// estimates are final.
  private mutating func takeLateEstimate() -> Bool {
    guard let estimate = engine.next() else { return false }
    hasSettled = true
    // The motion's acceleration or field may still be pending.
    engine.early = drafts.first.map { $0.time <= estimate.time } == true ? estimate : nil
    guard engine.early == nil else { return false }
    while let motion = engine.nextMotion(through: estimate.time) {
      // Offline, the final knowledge of north applies to all motions.
      var draft = PendingMotion(
        time: motion.time, rate: motion.rate, earthFromDevice: .identity, bias: .zero, flags: [],
        accuracy: MagneticFieldAccuracy(rawValue: motion.accuracy) ?? .uncalibrated, northIsKnown: fieldIsUsed)
      draft.set(estimate.estimate, estimate.outcomes)
      deliver(draft, acceleration: motion.acceleration, field: motion.field)
    }
    return true
  }

  /// The error that stopped an offline form, or `nil` without an error.
  package var failure: SpillError? { engine.failure }

  private mutating func resolveDrafts() {
    guard !drafts.isEmpty, hasSettled || engine.isOffline else { return }
    while let draft = drafts.first, resolve(draft) { drafts.removeFirst() }
  }

  /// Completes a draft with the acceleration and the field at its time. Returns `false` if one of them may still
  /// arrive.
  @inline(__always)
  private mutating func resolve(_ draft: PendingMotion) -> Bool {
    guard
      let acceleration = accelerations.value(at: draft.time, latestTime: latestTime, isFinished),
      let field = fieldValue(for: draft)
    else { return false }
    if engine.isOffline {
      engine.append(
        AttitudeEngine.LateMotion(
          time: draft.time, rate: draft.rate, acceleration: acceleration, field: field,
          accuracy: draft.accuracy.rawValue))
    } else {
      deliver(draft, acceleration: acceleration, field: field)
    }
    return true
  }

  /// Discards old samples while no motion is pending. Otherwise, a log whose gyroscope ends or is missing would stay in
  /// memory completely.
  private mutating func forgetUnneeded() {
    guard openSample == nil, drafts.isEmpty, startDrafts.isEmpty else { return }
    let time = latestTime - configuration.maximumInterpolationInterval
    accelerations.forget(before: time)
    fields.forget(before: time)
  }

  /// Returns the field at the time of a draft: `.some(nil)` if it has no value, `nil` if it may still arrive.
  private mutating func fieldValue(for draft: PendingMotion) -> Vector3?? {
    guard configuration.frame.usesMagnetometer, draft.accuracy > .uncalibrated else { return .some(nil) }
    return fields.value(at: draft.time, latestTime: latestTime, isFinished)
  }

  /// Appends the motion of a draft to `ready`.
  @inline(__always)
  private mutating func deliver(_ draft: PendingMotion, acceleration: Vector3?, field: Vector3?) {
    let frameRotation = referenceFromEarth ?? makeReferenceFromEarth(for: draft)
    referenceFromEarth = frameRotation
    let attitude = Attitude(quaternion: frameRotation * draft.earthFromDevice)
    let gravity = attitude.gravity
    let isNorth = configuration.frame.isNorthReferenced && draft.northIsKnown
    var (sigma, flags) = (draft.sigma, draft.flags)
    if isNorth {
      if let last = lastWithoutNorth { noteArrivalOfNorth(attitude, after: last, draft, &flags) }
      lastWithoutNorth = nil
      if let z = sigma?.z { sigma?.z = (z * z + ironHeadingVariance(field, gravity: gravity)).squareRoot() }
    } else if configuration.frame.isNorthReferenced {
      sigma?.z = Self.unknownHeadingSigma
      lastWithoutNorth = TimedAttitude(quaternion: attitude.quaternion, time: draft.time)
    }
    ready.motions.append(
      DeviceMotion(
        time: draft.time, attitude: attitude, gravity: gravity,
        userAcceleration: acceleration.map { $0 - gravity }, rotationRate: draft.rate - draft.bias,
        magneticField: field, magneticFieldAccuracy: draft.accuracy,
        heading: isNorth ? attitude.heading(pointing: configuration.pointingAxis) : -1,
        attitudeSigma: sigma, gyroscopeBias: draft.bias, flags: flags, measurements: draft.measurements))
  }

  /// The standard deviation of a heading of which nothing is known, in radians: that of a uniform distribution.
  private static let unknownHeadingSigma = .pi / 3.squareRoot()

  /// The fraction of devices with a hard iron (150 µT along each axis) whose raw field has a plausible strength.
  private static let plausibleFraction = 0.05

  /// Returns the variance of the heading from the hard iron of a raw field, in rad²: from the probability that the
  /// field has one that is not subtracted, or from the uncertainty of the subtracted one. Equation (10) of
  /// docs/theory/hard-iron.md.
  private func ironHeadingVariance(_ field: Vector3?, gravity: Vector3) -> Double {
    guard hasRawField, configuration.field == .raw || !hasCalibratedField else { return 0 }
    let unknown = Self.unknownHeadingSigma * Self.unknownHeadingSigma
    switch hardIron.decision {
    case .unchanged:
      let odds = Self.plausibleFraction * exp(hardIron.evidence)
      return unknown * odds / (1 + odds)
    case .offset:
      guard let field else { return 0 }
      let down = field.dot(gravity)
      let horizontal = field.squaredNorm - down * down
      return horizontal > 0 ? min(unknown, 0.5 * hardIron.horizontalVariance / horizontal) : unknown
    }
  }

  /// Flags the first attitude in the frame of north if it differs from the last one and the rotation since.
  private func noteArrivalOfNorth(
    _ attitude: Attitude, after last: TimedAttitude, _ draft: PendingMotion, _ flags: inout AttitudeFlags
  ) {
    let turned = Quaternion(rotationVector: (draft.rate - draft.bias) * (draft.time - last.time))
    let expected = last.quaternion * turned
    if (expected.conjugate * attitude.quaternion).angle > AttitudeFlags.jumpAngle { flags.insert(.jumped) }
  }

  /// Returns the rotation that gives the first motion yaw 0 in the arbitrary frames, and applies the declination in the
  /// true-north frame.
  private func makeReferenceFromEarth(for draft: PendingMotion) -> Quaternion {
    let frame = configuration.frame
    // In a set of frames, north takes precedence, as in `isNorthReferenced`.
    return if frame.contains(.xTrueNorthZVertical) {
      // East is −Y: a field that points D east of true north has azimuth −D in true-north axes.
      Quaternion(angle: -configuration.declination, axis: .unitZ)
    } else if frame.contains(.xMagneticNorthZVertical) {
      .identity
    } else {
      Quaternion(angle: -EulerAngles(draft.earthFromDevice).yaw, axis: .unitZ)
    }
  }
}

/// The motions that are ready, in chronological order. It is encoded as an array of those that were not taken.
private struct MotionQueue: Sendable, Codable {
  var motions: [DeviceMotion] = []
  /// The index of the next motion in `motions`.
  private var first = 0

  init() {}

  var isEmpty: Bool { motions.isEmpty }

  mutating func removeAll() {
    motions.removeAll(keepingCapacity: true)
    first = 0
  }

  mutating func popFirst() -> DeviceMotion? {
    guard !motions.isEmpty else { return nil }
    let motion = motions[first]
    first += 1
    if first == motions.count { removeAll() }
    return motion
  }

  init(from decoder: any Decoder) throws { motions = try [DeviceMotion](from: decoder) }

  func encode(to encoder: any Encoder) throws { try Array(motions[first...]).encode(to: encoder) }
}
