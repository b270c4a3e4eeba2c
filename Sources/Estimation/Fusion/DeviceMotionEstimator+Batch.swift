public import InertialSensors

extension DeviceMotionEstimator {
  /// Returns the motions of a whole recording: the same values as sample by sample.
  ///
  /// - Parameter samples: The conditioned samples (from `SampleConditioner`, or from `LogFeed`, which uses it), sorted
  ///   by time.
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

  /// Returns the motions of a recording in memory.
  public mutating func motions(of recording: Recording) -> [DeviceMotion] {
    motions(of: recording.samplesInTimeOrder())
  }
}
