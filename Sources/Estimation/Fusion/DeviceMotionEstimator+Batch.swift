public import InertialSensors

extension DeviceMotionEstimator {
  /// The motions of a whole recording in one go: the same numbers as sample by sample.
  ///
  /// - Parameter samples: in order of time, judged (`SampleConditioner`, or `LogFeed`, which uses it).
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

  /// The motions of a recording in memory.
  public mutating func motions(of recording: Recording) -> [DeviceMotion] {
    motions(of: recording.samplesInTimeOrder())
  }
}
