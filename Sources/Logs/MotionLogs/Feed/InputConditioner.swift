package import InertialSensors

/// The stages between the reader of a file or stream and the fusion, in this order: axes, calibration, statistics of
/// units, clock offsets, and a `SampleConditioner` for limits and the order of times.
package struct InputConditioner {
  private let axes: [SensorAxes]
  private var calibration: CalibrationPass?
  /// The channels that only the calibration needs.
  private let calibrationChannels: Set<AuxiliaryChannel>
  /// The motion sensors that are also requested unchanged, and the auxiliary channels that repeat them.
  private let repeated: [SensorChannel: AuxiliaryChannel]
  /// The offsets to subtract from the times of channels, in seconds.
  private let offsets: [SensorChannel: Double]
  private var sampleConditioner: SampleConditioner
  private var auxiliaryConditioner = AuxiliaryConditioner()
  /// The statistics for the checks of units and channels.
  package var validator: LogValidator
  /// The statistics of a file's samples, or `nil` for a stream.
  var inspection: Inspection?

  /// Creates the stages of a log or stream.
  ///
  /// - Parameters:
  ///   - name: The name of the log, for messages.
  ///   - horizon: The maximum time by which a sample may be out of order, in seconds; infinity to sort the whole log.
  ///   - offsets: The offsets to subtract from the times of channels, in seconds.
  package init(
    name: String, options: LogOptions, horizon: Double, isStrict: Bool = false, offsets: [SensorChannel: Double] = [:]
  ) {
    axes = options.axes
    calibration = options.calibration.map(CalibrationPass.init)
    calibrationChannels = options.withCalibrationChannels.auxiliary.subtracting(options.auxiliary)
    repeated = options.auxiliary.repeatedMotion
    self.offsets = offsets
    sampleConditioner = SampleConditioner(horizon: horizon)
    validator = LogValidator(path: name, isStrict: isStrict)
  }

  /// The results of each sensor's samples.
  package var channelReports: [SensorChannel: ChannelReport] { sampleConditioner.channelReports }
  /// The results of each auxiliary channel's samples.
  package var auxiliaryReports: [AuxiliaryChannel: AuxiliaryReport] { auxiliaryConditioner.reports }
  /// The warnings about the calibration, one per line.
  var calibrationWarnings: [String] { calibration?.warnings ?? [] }
  // Mutating, although they change nothing: others would copy the stages to be called.
  /// Whether no sample waits for earlier ones.
  package var isEmpty: Bool { mutating get { sampleConditioner.isEmpty } }
  /// The number of finite accelerations as read.
  package var accelerationCount: Int { mutating get { validator.accelerationCount } }

  /// Returns whether a sample that is not only for the calibration is earlier than a time in seconds.
  func delivers(anyOf auxiliary: [AuxiliarySample], before time: Double) -> Bool {
    auxiliary.contains { $0.time < time && !calibrationChannels.contains($0.channel) }
  }

  /// Removes samples that are invalid, that only the calibration needs, or that are earlier than `earliest`. Call it
  /// before the motion of later times.
  ///
  /// - Parameter earliest: The time in seconds before which a sample is late.
  package mutating func condition(_ auxiliary: inout [AuxiliarySample], earliest: Double = -.infinity) {
    guard !auxiliary.isEmpty else { return }
    calibration?.add(auxiliary.filter { calibrationChannels.contains($0.channel) })
    var valid: [AuxiliarySample] = []
    valid.reserveCapacity(auxiliary.count)
    for var sample in auxiliary where !calibrationChannels.contains(sample.channel) {
      if auxiliaryConditioner.judge(&sample, earliest: earliest) { valid.append(sample) }
    }
    calibration?.add(valid)
    auxiliary = valid
  }

  /// Conditions motion samples in the order of the log, and appends the samples that no later one can precede to
  /// `ready`.
  ///
  /// - Parameter dropsLate: Whether a late sample is dropped, as in a stream.
  /// - Returns: `false` at a late sample, unless late samples are dropped.
  package mutating func condition(
    _ motion: inout [SensorSample], into ready: inout [SensorSample], dropsLate: Bool
  ) -> Bool {
    for axes in axes { axes.apply(to: &motion) }
    calibration?.apply(to: &motion)
    for sample in motion { validator.add(raw: sample) }
    inspection?.add(raw: motion)
    if !offsets.isEmpty {
      for index in motion.indices { motion[index].time -= offsets[motion[index].channel] ?? 0 }
    }
    guard sampleConditioner.append(motion, releasingTo: &ready, dropsLate: dropsLate) else { return false }
    inspection?.add(ready)
    return true
  }

  /// Ends the input: no sample waits any longer.
  package mutating func finish() { sampleConditioner.finish() }

  /// Restarts the order for another clock. All samples must have been taken.
  package mutating func restart() { sampleConditioner.restart() }

  /// Appends samples after `finish`, sorted by time, until `ready` has `limit` samples.
  package mutating func release(to ready: inout [SensorSample], atMost limit: Int = .max) {
    sampleConditioner.release(to: &ready, atMost: limit)
    inspection?.add(ready)
  }

  /// Returns the auxiliary samples that repeat conditioned motion samples.
  ///
  /// - Parameter earliest: The time in seconds before which a sample is late.
  package mutating func repetitions(of motion: [SensorSample], earliest: Double = -.infinity) -> [AuxiliarySample] {
    guard !repeated.isEmpty else { return [] }
    return motion.compactMap { sample in
      guard var copy = repeated[sample.channel].map({ AuxiliarySample(sample, as: $0) }),
        auxiliaryConditioner.judge(&copy, earliest: earliest)
      else { return nil }
      return copy
    }
  }
}

extension InputConditioner {
  /// The part of the stages that depends on a stream's samples.
  package struct State: Codable {
    fileprivate var calibration: CalibrationPass?
    fileprivate var sampleConditioner: SampleConditioner
    fileprivate var auxiliaryConditioner: AuxiliaryConditioner
    fileprivate var validator: LogValidator
  }

  /// The state, with which stages of the same options continue.
  package var state: State {
    get {
      State(
        calibration: calibration, sampleConditioner: sampleConditioner, auxiliaryConditioner: auxiliaryConditioner,
        validator: validator)
    }
    set {
      (calibration, sampleConditioner) = (newValue.calibration, newValue.sampleConditioner)
      (auxiliaryConditioner, validator) = (newValue.auxiliaryConditioner, newValue.validator)
    }
  }
}
