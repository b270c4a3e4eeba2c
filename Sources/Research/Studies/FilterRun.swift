public import InertialFilters
public import InertialJobs
public import InertialSensors

/// A run of a filter, or of its offline smoother, over a log: one estimate per gyroscope sample.
public enum FilterRun: Sendable {
  /// Each attitude is estimated from the samples before it.
  case online(any AttitudeFilter)
  /// Every attitude is estimated from the whole recording.
  case offline(any AttitudeSmoother)

  /// Creates a run of a filter at its start.
  ///
  /// - Returns: `nil` if the offline smoother is requested for a filter without one.
  /// - Throws: `SettingError` for an unknown name or a value out of range.
  public init?(_ filter: ConfiguredFilter, smooths: Bool = false) throws(SettingError) {
    if smooths {
      guard let smoother = try filter.kind.makeSmoother(filter.settings) else { return nil }
      self = .offline(smoother)
    } else {
      self = .online(try filter.kind.make(filter.settings))
    }
  }

  /// Runs over samples sorted by time; a field of either channel is used unchanged.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - body: Receives the time of a gyroscope sample and the estimate after all samples up to it.
  public func estimates(of samples: some Sequence<SensorSample>, _ body: (Double, AttitudeEstimate) -> Void) {
    switch self {
    case .online(let filter): Self.run(filter, samples, body)
    case .offline(let smoother): Self.run(smoother, samples, body)
    }
  }

  private static func run<Filter: AttitudeFilter>(
    _ filter: Filter, _ samples: some Sequence<SensorSample>, _ body: (Double, AttitudeEstimate) -> Void
  ) {
    var filter = filter
    var last: Double?
    func report() {
      if let last, let estimate = filter.estimate { body(last, estimate) }
    }
    for sample in samples {
      switch sample.channel {
      case .gyroscope:
        report()
        filter.update(gyroscope: sample.vector, at: sample.time)
        last = sample.time
      case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
      case .magnetometer, .calibratedMagneticField: filter.update(magneticField: sample.vector, at: sample.time)
      default: break
      }
    }
    report()
  }

  private static func run<Smoother: AttitudeSmoother>(
    _ smoother: Smoother, _ samples: some Sequence<SensorSample>, _ body: (Double, AttitudeEstimate) -> Void
  ) {
    var smoother = smoother
    func report() {
      while let late = smoother.next() { body(late.time, late.estimate) }
    }
    for sample in samples {
      switch sample.channel {
      case .gyroscope: smoother.update(gyroscope: sample.vector, at: sample.time)
      case .accelerometer: smoother.update(accelerometer: sample.vector, at: sample.time)
      case .magnetometer, .calibratedMagneticField: smoother.update(magneticField: sample.vector, at: sample.time)
      default: continue
      }
      report()
    }
    smoother.finish()
    report()
  }
}
