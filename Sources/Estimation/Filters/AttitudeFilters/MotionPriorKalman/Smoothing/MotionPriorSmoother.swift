public import InertialNumerics
public import InertialSensors

/// The offline form of `MotionPriorKalman`: the Rauch-Tung-Striebel smoother over the same model (Rauch, Tung and
/// Striebel, "Maximum likelihood estimates of linear dynamic systems", AIAA J. 3 (1965)), in windows that overlap.
///
/// With two passes, the second one's motion prior knows the speeds to come as well as those past, and fields that
/// showed a wrong north are left out. Memory does not grow with the recording: an estimate uses what follows it by
/// `lookahead` seconds at least.
public struct MotionPriorSmoother: AttitudeSmoother, MeasurementReporting {
  private var first: SmoothingPass?
  private var last: SmoothingPass
  /// Samples that the first pass has and the last one has not.
  private var held: [HeldSample] = []
  /// When fields showed a wrong north, s.
  private var disowned: [ClosedRange<Double>] = []
  /// What is final, by windows.
  private var results: [SmoothedEstimates] = []

  /// What it can tell of: as the filter.
  public static var measurementKinds: [MeasurementKind] { MotionPriorKalman.measurementKinds }

  /// What the pass forward makes of measurements, the one that the estimates are smoothed from; nil until somebody asks.
  public var measurements: MeasurementLog? {
    get { last.measurements }
    set { last.measurements = newValue }
  }

  init(parameters: MotionPriorKalman.Parameters) {
    if parameters.passes >= 1.5 { first = SmoothingPass(parameters, isLast: false) }
    last = SmoothingPass(parameters, isLast: true)
  }

  public mutating func update(gyroscope: Vector3, at time: Double) {
    update(HeldSample(sensor: .gyroscope, time: time, value: gyroscope))
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    update(HeldSample(sensor: .accelerometer, time: time, value: accelerometer))
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    update(HeldSample(sensor: .magneticField, time: time, value: magneticField))
  }

  private mutating func update(_ sample: HeldSample) {
    guard first != nil else { return take(sample) }
    held.append(sample)
    first?.update(sample)
    if first?.windowIsFull == true { passOn(isEnd: false) }
  }

  public mutating func finish() {
    if first != nil { passOn(isEnd: true) }
    smooth(isEnd: true)
  }

  public mutating func next() -> TimedAttitudeEstimate? {
    while !results.isEmpty {
      if var estimate = results[0].next() {
        if isDisowned(estimate.time) { estimate.estimate.flags.insert(.magneticDisturbance) }
        return estimate
      }
      results.removeFirst()
    }
    return nil
  }

  private func isDisowned(_ time: Double) -> Bool { disowned.contains { $0.contains(time) } }

  /// What the first pass has made final goes to the last one, with its samples.
  private mutating func passOn(isEnd: Bool) {
    guard let time = first?.smooth(isEnd: isEnd).time else { return }
    if let first {
      last.learn(first.speeds)
      last.learn(biasInformation: first.biasInformation)
      disowned = first.disowned
    }
    // A sample without a time is skipped by the filter, wherever it comes.
    let count = held.firstIndex { $0.time > time } ?? held.count
    for sample in held[..<count] where sample.sensor != .magneticField || !isDisowned(sample.time) { take(sample) }
    held.removeFirst(count)
  }

  private mutating func take(_ sample: HeldSample) {
    last.update(sample)
    if last.windowIsFull { smooth(isEnd: false) }
  }

  private mutating func smooth(isEnd: Bool) {
    if let estimates = last.smooth(isEnd: isEnd).estimates { results.append(estimates) }
  }
}

extension MotionPriorKalman: SmoothableFilter {
  public static var smoothingParameters: Parameters { .smoothing }

  public static func smoother(parameters: Parameters) -> MotionPriorSmoother {
    MotionPriorSmoother(parameters: parameters)
  }
}
