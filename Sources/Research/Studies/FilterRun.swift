public import InertialFilters
public import InertialJobs
public import InertialSensors

/// A filter, or its offline form, over a log: one estimate for every gyroscope sample.
public enum FilterRun: Sendable {
  /// Each attitude from what came before it.
  case online(any AttitudeFilter)
  /// Every attitude from the whole recording.
  case offline(any AttitudeSmoother)

  /// A filter at its start.
  ///
  /// - Returns: nil for the offline form of a filter that has none.
  /// - Throws: `FilterSettingError` for an unknown name or a value out of range.
  public init?(_ filter: ConfiguredFilter, smooths: Bool = false) throws(FilterSettingError) {
    if smooths {
      guard let smoother = try filter.kind.makeSmoother(filter.settings) else { return nil }
      self = .offline(smoother)
    } else {
      self = .online(try filter.kind.make(filter.settings))
    }
  }

  /// Runs over samples in order of time; a field of either channel is taken as it is.
  ///
  /// - `body`: takes a gyroscope sample's stamp and what is known when all samples up to it are in.
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
