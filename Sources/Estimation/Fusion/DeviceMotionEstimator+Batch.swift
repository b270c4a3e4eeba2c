public import InertialSensors

extension DeviceMotionEstimator {
  /// Returns the motions of a whole recording: the same values as sample by sample.
  ///
  /// The samples continue earlier ones, so each recording needs a new estimator.
  ///
  /// - Parameter samples: Valid samples, sorted by time, such as those of `LogFeed`.
  public mutating func motions(of samples: some Sequence<SensorSample>) -> [DeviceMotion] {
    var motions: [DeviceMotion] = []
    for sample in samples {
      append(sample)
      while let motion = next() { motions.append(motion) }
    }
    finish()
    while let motion = next() { motions.append(motion) }
    return motions
  }

  /// Returns the motions of a recording in memory, for which the same holds. Each column has as many values as times.
  public mutating func motions(of recording: Recording) -> [DeviceMotion] {
    motions(of: recording.samplesInTimeOrder())
  }
}
