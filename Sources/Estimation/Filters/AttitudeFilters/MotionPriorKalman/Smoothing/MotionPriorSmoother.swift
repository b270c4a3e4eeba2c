public import InertialNumerics
public import InertialSensors

/// The offline form of `MotionPriorKalman`: the Rauch-Tung-Striebel smoother over the same model (Rauch, Tung and
/// Striebel, "Maximum likelihood estimates of linear dynamic systems", AIAA J. 3 (1965)), in overlapping windows.
///
/// With two passes, the second pass's motion prior uses future as well as past speeds, and fields that showed a wrong
/// north are omitted. Memory does not grow with the recording: an estimate uses at least the following `lookahead`
/// seconds.
public struct MotionPriorSmoother: AttitudeSmoother, MeasurementReporting {
  private var first: SmoothingPass?
  private var last: SmoothingPass
  /// The samples processed by the first pass but not by the last.
  private var held: [PendingSample] = []
  /// The intervals in which fields showed a wrong north, in s.
  private var disowned: [ClosedRange<Double>] = []
  /// The final estimates, by window.
  private var results: [SmoothedEstimates] = []

  /// The kinds of measurements that the smoother can report, as for the filter.
  public static var measurementKinds: [MeasurementKind] { MotionPriorKalman.measurementKinds }

  /// The measurement outcomes of the forward pass that the estimates are smoothed from, or `nil` if they were not
  /// requested.
  public var measurements: MeasurementLog? {
    get { last.measurements }
    set { last.measurements = newValue }
  }

  init(parameters: MotionPriorKalman.Parameters) {
    if parameters.passes >= 1.5 { first = SmoothingPass(parameters, isLast: false) }
    last = SmoothingPass(parameters, isLast: true)
  }

  public mutating func update(gyroscope: Vector3, at time: Double) {
    update(PendingSample(sensor: .gyroscope, time: time, value: gyroscope))
  }

  public mutating func update(accelerometer: Vector3, at time: Double) {
    update(PendingSample(sensor: .accelerometer, time: time, value: accelerometer))
  }

  public mutating func update(magneticField: Vector3, at time: Double) {
    update(PendingSample(sensor: .magneticField, time: time, value: magneticField))
  }

  private mutating func update(_ sample: PendingSample) {
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

  /// Passes the final results of the first pass to the last pass, with their samples.
  private mutating func passOn(isEnd: Bool) {
    guard let time = first?.smooth(isEnd: isEnd).time else { return }
    if let first {
      last.learn(first.speeds)
      last.learn(biasInformation: first.biasInformation)
      disowned = first.disowned
    }
    // The filter skips samples without a time at any position.
    let count = held.firstIndex { $0.time > time } ?? held.count
    for sample in held[..<count] where sample.sensor != .magneticField || !isDisowned(sample.time) { take(sample) }
    held.removeFirst(count)
  }

  private mutating func take(_ sample: PendingSample) {
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
