public import InertialFilters
internal import InertialFusion
internal import InertialRotations
internal import InertialSensors

/// The configuration of a filter: its kind and its settings.
public struct ConfiguredFilter: Sendable {
  /// The kind of the filter.
  public var kind: FilterKind
  /// The parameters by name; other parameters keep their defaults.
  public var settings: [String: Double]

  /// Creates a configuration. The settings are validated when the filter is created from it.
  public init(_ kind: FilterKind, settings: [String: Double] = [:]) {
    (self.kind, self.settings) = (kind, settings)
  }
}

extension EvaluationJob {
  /// Returns the processing time of each filter alone, without reading and without the estimator, in nanoseconds per
  /// gyroscope sample. Each time is the best of three runs over the recording on one thread.
  ///
  /// The filters run alternately, so that a temporary load on the machine affects all of them.
  ///
  /// - Parameter progress: Called with the completed fraction, 0...1.
  func costs(
    _ recording: ReferenceRecording, _ filters: [ConfiguredFilter], progress: (Double) -> Void = { _ in }
  ) throws(FusionError) -> [Double?] {
    let usesField = options.motion.frame.usesMagnetometer
    let hasCalibrated = recording.samples.contains { $0.channel == .calibratedMagneticField }
    let fieldChannel: SensorChannel = hasCalibrated ? .calibratedMagneticField : .magnetometer
    let relevant = recording.samples.filter {
      $0.channel == .gyroscope || $0.channel == .accelerometer || (usesField && $0.channel == fieldChannel)
    }
    let rateCount = relevant.count { $0.channel == .gyroscope }
    guard rateCount > 0 else { return Array(repeating: nil, count: filters.count) }
    var best = [Double](repeating: .infinity, count: filters.count)
    for turn in 0..<3 {
      for (index, filter) in filters.enumerated() {
        try checkStop(recording.path)
        best[index] = min(best[index], try seconds(filter, over: relevant))
        progress(Double(turn * filters.count + index + 1) / Double(3 * filters.count))
      }
    }
    return best.map { $0 / Double(rateCount) * 1e9 }
  }

  private func seconds(_ filter: ConfiguredFilter, over samples: [SensorSample]) throws(FusionError) -> Double {
    do throws(SettingError) {
      if options.smooths, let smoother = try filter.kind.makeSmoother(filter.settings) {
        return seconds(smoother, over: samples)
      }
      return seconds(try filter.kind.make(filter.settings), over: samples)
    } catch {
      throw FusionError(error)
    }
  }

  private func seconds<Smoother: AttitudeSmoother>(_ smoother: Smoother, over samples: [SensorSample]) -> Double {
    var smoother = smoother
    var last: TimedAttitudeEstimate?
    let duration = ContinuousClock().measure {
      for sample in samples {
        switch sample.channel {
        case .gyroscope: smoother.update(gyroscope: sample.vector, at: sample.time)
        case .accelerometer: smoother.update(accelerometer: sample.vector, at: sample.time)
        default: smoother.update(magneticField: sample.vector, at: sample.time)
        }
        while let estimate = smoother.next() { last = estimate }
      }
      smoother.finish()
      while let estimate = smoother.next() { last = estimate }
    }
    precondition(last != nil || samples.allSatisfy { $0.channel != .accelerometer })
    return duration / .seconds(1)
  }

  private func seconds<Filter: AttitudeFilter>(_ filter: Filter, over samples: [SensorSample]) -> Double {
    var filter = filter
    let duration = ContinuousClock().measure {
      for sample in samples {
        switch sample.channel {
        case .gyroscope: filter.update(gyroscope: sample.vector, at: sample.time)
        case .accelerometer: filter.update(accelerometer: sample.vector, at: sample.time)
        default: filter.update(magneticField: sample.vector, at: sample.time)
        }
      }
    }
    // Using the result keeps the optimiser from dropping the work.
    precondition(filter.estimate != nil || samples.allSatisfy { $0.channel != .accelerometer })
    return duration / .seconds(1)
  }
}
