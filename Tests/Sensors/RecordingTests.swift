import Testing

@Suite("Recording") struct RecordingTests {
  @Test("columns keep the order of their samples; all samples are sorted by time, then channel, then file")
  func order() throws {
    let samples = [
      SensorSample(time: 2, channel: .magnetometer, x: 1, y: 2, z: 3),
      SensorSample(time: 1, channel: .accelerometer, x: 4), SensorSample(time: 2, channel: .gyroscope, x: 5),
      SensorSample(time: 1, channel: .accelerometer, x: 6),
      SensorSample(time: 0, channel: .referenceAttitude, Quaternion(x: 0.5, y: 0.5, z: -0.5, w: 0.5)),
      SensorSample(time: 0, channel: .accelerometer, x: 7, w: -1),
    ]
    let recording = Recording(samples)
    let accelerometer = try #require(recording[.accelerometer])
    let kept = (0..<accelerometer.count).map { accelerometer.sample(at: $0, of: .accelerometer) }
    #expect(kept == [samples[1], samples[3], samples[5]])
    #expect(accelerometer.w == [0, 0, -1] && recording[.deviceGravity] == nil)
    #expect(recording.samplesInTimeOrder() == [samples[5], samples[4], samples[1], samples[3], samples[2], samples[0]])
    #expect(Recording().samplesInTimeOrder().isEmpty)
  }

  @Test("the fourth component is kept bit for bit, and takes no space in channels without it")
  func fourthComponents() throws {
    let half = Quaternion(x: 1, y: 0, z: 0, w: 0)
    var recording = Recording([
      SensorSample(time: 0, channel: .deviceAttitude, half), SensorSample(time: 0, channel: .gyroscope, .unitX),
      SensorSample(time: 0, channel: .calibratedMagneticField, .unitX),
      SensorSample(time: 1, channel: .calibratedMagneticField, .unitY, w: -0.0),
      SensorSample(time: 2, channel: .calibratedMagneticField, .unitZ, w: 2),
    ])
    #expect(recording[.deviceAttitude]?.quaternions == [half] && recording[.gyroscope]?.w.isEmpty == true)
    recording.columns[.calibratedMagneticField]?.append(.zero, at: 3)
    let field = try #require(recording[.calibratedMagneticField])
    #expect(field.w[0].isNaN && field.w[1...] == [0, 2] && field.w[1].sign == .minus && field.count == 4)
    // A field without an accuracy has an unknown one.
    let accuracies = (0..<4).map { field.sample(at: $0, of: .calibratedMagneticField).w }
    #expect(accuracies[1...2] == [0, 2] && accuracies[0].isNaN && accuracies[3].isNaN)
  }

  @Test("sorting preserves the file's order among thousands of samples with equal timestamps and channels")
  func stable() {
    let samples = (0..<5000).map { SensorSample(time: Double($0 % 2), channel: .gyroscope, x: Double($0)) }
    let sorted = Recording(samples).samplesInTimeOrder()
    #expect(sorted.map(\.x) == [0.0, 1].flatMap { Array(stride(from: $0, to: 5000, by: 2)) })
  }

  @Test("a sample's vector and quaternion are its numbers, and its line does not affect equality")
  func samples() {
    let q = Quaternion(x: 0.1, y: 0.2, z: 0.3, w: 0.4)
    var sample = SensorSample(time: 1, channel: .deviceAttitude, q)
    #expect(sample.quaternion == q && sample.vector == Vector3(0.1, 0.2, 0.3))
    let other = sample
    sample.line = 7
    #expect(sample == other)
    sample.w = 0.5
    #expect(sample != other)
  }

  @Test("channels have unique names, and corrected channels precede the correcting ones")
  func channels() {
    #expect(Set(SensorChannel.allCases.map(\.name)).count == SensorChannel.allCases.count)
    #expect(SensorChannel.gyroscope.rawValue < SensorChannel.accelerometer.rawValue)
    #expect(SensorChannel.accelerometer.rawValue < SensorChannel.magnetometer.rawValue)
  }

  @Test("flags are distinct bits with unique names")
  func flags() {
    let union = AttitudeFlags.names.reduce(AttitudeFlags()) { $0.union($1.flag) }
    #expect(AttitudeFlags.names.count == 8 && union.rawValue == 0xFF && Set(AttitudeFlags.names.map(\.name)).count == 8)
  }
}
