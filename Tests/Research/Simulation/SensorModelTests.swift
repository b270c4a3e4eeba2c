import Testing

@Suite("Sensor models") struct SensorModelTests {
  private func gyroscope(
    _ model: SensorModel, _ trajectory: any Trajectory = RestTrajectory(), duration: Double, seed: UInt64 = 1
  ) -> [SensorSample] {
    let suite = SensorSuite(gyroscope: model, accelerometer: nil, magnetometer: nil, referenceRate: nil)
    return Simulation(trajectory: trajectory, sensors: suite, duration: duration, seed: seed).samples()
  }

  private func variance(_ values: [Double]) -> Double { Statistics.variance(values)! }

  @Test("white noise has the stated density at any rate", arguments: [50.0, 400])
  func noiseDensity(rate: Double) {
    let model = with(SensorModel(rate: rate)) { $0.noiseDensity = 0.01 }
    let samples = gyroscope(model, duration: 33_334 / rate)
    #expect(samples.count == 33_334)
    // 10⁵ numbers: the relative deviation of the variance is √(2/10⁵) = 0.45 %, so 2 % are over four of them.
    let values = samples.flatMap { [$0.x, $0.y, $0.z] }
    #expect(isNear((variance(values) / rate).squareRoot(), 0.01, within: 0.01 * 0.01))
    #expect(isNear(values.reduce(0, +) / 100_000, 0, within: 4 * 0.01 * rate.squareRoot() / 316))
    // White: adjacent samples are uncorrelated.
    let xs = samples.map(\.x)
    let correlation = zip(xs, xs.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / variance(xs) / Double(xs.count)
    #expect(abs(correlation) < 0.025)
  }

  @Test("the variance of a walking bias grows linearly with time")
  func biasWalk() {
    let model = with(SensorModel(rate: 4)) { $0.biasWalk = 0.02 }
    let times = [10.0, 20, 40]
    var ends = [[Double]](repeating: [], count: times.count)
    for seed in 0..<300 as Range<UInt64> {
      let samples = gyroscope(model, duration: 40.2, seed: seed)
      for (index, time) in times.enumerated() {
        let sample = samples[Int(time * 4)]
        ends[index] += [sample.x, sample.y, sample.z]
      }
    }
    for (index, time) in times.enumerated() {
      // 900 walks: the relative deviation of the variance is √(2/900) = 4.7 %.
      #expect(isNear(variance(ends[index]) / (0.02 * 0.02 * time), 1, within: 0.19))
    }
  }

  @Test("bias, scale and misalignment form the stated linear map")
  func linearErrors() {
    var model = SensorModel(rate: 10)
    (model.bias, model.scale) = (Vector3(0.1, -0.2, 0.3), Vector3(1.1, 0.9, 2))
    model.misalignment = Matrix3(rows: Vector3(1, 0.01, 0.02), Vector3(-0.03, 1, 0.04), Vector3(0.05, -0.06, 1))
    let trajectory = ConingTrajectory(halfAngle: 1, frequency: 0.7)
    for sample in gyroscope(model, trajectory, duration: 3) {
      let truth = trajectory.state(at: sample.time).angularRate
      let scaled = Vector3(1.1 * truth.x, 0.9 * truth.y, 2 * truth.z)
      let expected = Vector3(
        scaled.x + 0.01 * scaled.y + 0.02 * scaled.z + 0.1, -0.03 * scaled.x + scaled.y + 0.04 * scaled.z - 0.2,
        0.05 * scaled.x - 0.06 * scaled.y + scaled.z + 0.3)
      #expect(isNear(sample.vector, expected, within: 1e-12))
    }
  }

  @Test("quantised values are multiples of the quantum, at most half of it from the true value")
  func quantisation() {
    let model = with(SensorModel(rate: 50)) { $0.quantum = 0.25 }
    let trajectory = ConingTrajectory(halfAngle: 0.5, frequency: 0.3)
    for sample in gyroscope(model, trajectory, duration: 5) {
      #expect(sample.x == (sample.x / 0.25).rounded() * 0.25)
      let error = sample.vector - trajectory.state(at: sample.time).angularRate
      #expect(error.maximumMagnitude <= 0.125 + 1e-12)
    }
  }

  @Test("values beyond the range are clipped to it, others are unchanged")
  func clipping() {
    let model = with(SensorModel(rate: 50)) { $0.range = 0.8 }
    let trajectory = ConingTrajectory(halfAngle: 0.5, frequency: 0.4)
    var (clipped, free) = (0, 0)
    for sample in gyroscope(model, trajectory, duration: 5) {
      let truth = trajectory.state(at: sample.time).angularRate
      for axis in 0..<3 {
        if abs(truth[axis]) > 0.8 {
          #expect(abs(sample.vector[axis]) == 0.8 && sample.vector[axis].sign == truth[axis].sign)
          clipped += 1
        } else {
          #expect(sample.vector[axis] == truth[axis])
          free += 1
        }
      }
    }
    #expect(clipped > 50 && free > 50)
  }

  @Test("a delayed value is the true value before the delay, and an offset shifts the ticks")
  func delay() {
    let model = with(SensorModel(rate: 50)) { ($0.delay, $0.startOffset) = (0.037, 0.004) }
    let trajectory = ConingTrajectory(halfAngle: 0.5, frequency: 0.4)
    for (index, sample) in gyroscope(model, trajectory, duration: 5).enumerated() {
      #expect(isNear(sample.time, 0.004 + 0.02 * Double(index), within: 1e-12))
      #expect(isNear(sample.vector, trajectory.state(at: sample.time - 0.037).angularRate, within: 1e-12))
    }
  }

  @Test("a clock's jitter only affects timestamps, an interval's jitter affects measurements and timestamps")
  func jitter() {
    let trajectory = ConingTrajectory(halfAngle: 0.5, frequency: 1)
    for jitter in [\SensorModel.clockJitter, \.intervalJitter] {
      var model = SensorModel(rate: 100)
      model[keyPath: jitter] = 5e-4
      var deviations: [Double] = []
      for (index, sample) in gyroscope(model, trajectory, duration: 50).enumerated() {
        let tick = Double(index) / 100
        deviations.append(sample.time - tick)
        let time = jitter == \.clockJitter ? tick : sample.time
        #expect(sample.vector == trajectory.state(at: time).angularRate)
      }
      #expect(isNear(variance(deviations).squareRoot(), 5e-4, within: 3e-5))
    }
  }

  @Test("jitter of any size keeps the timestamps in order")
  func jitterKeepsOrder() {
    let model = with(SensorModel(rate: 100)) { ($0.clockJitter, $0.intervalJitter) = (1, 1) }
    let times = gyroscope(model, duration: 20).map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("gaps drop the samples in them and leave all others bitwise unchanged")
  func gaps() {
    var model = SensorModel(rate: 100)
    (model.noiseDensity, model.biasWalk) = (0.01, 0.01)
    let whole = gyroscope(model, duration: 10)
    model.gaps = [2...3, 5.005...6.5]
    let gappy = gyroscope(model, duration: 10)
    let expected = whole.filter { !(2...3).contains($0.time) && !(5.005...6.5).contains($0.time) }
    #expect(gappy == expected && gappy.count == 1000 - 101 - 150)
  }

  @Test("lost samples have the stated frequency")
  func losses() {
    let model = with(SensorModel(rate: 100)) { $0.lossProbability = 0.2 }
    let count = gyroscope(model, duration: 100).count
    // Deviation √(10⁴ · 0.2 · 0.8) = 40.
    #expect(abs(count - 8000) < 160)
  }
}

@Suite("Fault injection") struct FaultInjectionTests {
  private let samples = Simulation(trajectory: WalkTrajectory(), sensors: .phone, duration: 5).samples()

  @Test(
    "a fault replaces the selected samples of its channel only",
    arguments: [SampleFault.notANumber, .infinite, .zero, .impossible, .replaced(Vector3(1, 2, 3))])
  func faults(fault: SampleFault) {
    let spoiled = samples.injecting(fault, into: .accelerometer, at: 2.5, count: 3)
    var changed: [SensorSample] = []
    for (before, after) in zip(samples, spoiled) {
      #expect(before.time == after.time && before.channel == after.channel)
      let value = after.vector
      let isSame = before == after
      if !isSame { changed.append(after) }
      guard !isSame else { continue }
      switch fault {
      case .notANumber: #expect(value.x.isNaN && value.y.isNaN && value.z.isNaN)
      case .infinite: #expect(value.x == .infinity)
      case .zero: #expect(value == .zero)
      case .impossible: #expect(value.isFinite && value.norm > 1000)
      case .replaced(let replacement): #expect(value == replacement)
      }
    }
    #expect(changed.count == 3)
    #expect(changed.allSatisfy { $0.channel == .accelerometer && $0.time >= 2.5 && $0.time < 2.54 })
  }

  @Test("removing drops the selected channels, or all, in a time interval")
  func removing() {
    let some = samples.removing([.magnetometer], in: 1...2)
    #expect(some.allSatisfy { $0.channel != .magnetometer || !(1...2).contains($0.time) })
    #expect(samples.count - some.count == 50)
    let all = samples.removing(in: 1...2)
    #expect(all.allSatisfy { !(1...2).contains($0.time) } && all.count < some.count)
  }

  @Test("duplicating repeats one sample, swapping reverses the order of one pair in a stream")
  func duplicatingAndSwapping() {
    let doubled = samples.duplicating(.gyroscope, at: 1)
    #expect(doubled.count == samples.count + 1 && zip(doubled, doubled.dropFirst()).count { $0 == $1 } == 1)
    #expect(samples.duplicating(.gyroscope, at: 100) == samples)

    let swapped = samples.swappingWithNext(.gyroscope, at: 1)
    let times = swapped.filter { $0.channel == .gyroscope }.map(\.time)
    #expect(zip(times, times.dropFirst()).count { $0 > $1 } == 1 && Recording(swapped).samplesInTimeOrder() == samples)
    #expect(samples.swappingWithNext(.gyroscope, at: 100) == samples)
  }
}
