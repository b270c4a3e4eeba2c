import InertialFilters
import InertialFusion
import InertialSimulation
import Testing

@Suite struct DeviceMotionUpdatesTests {
  private let samples = try! Simulation(scenario: .walk, duration: 8, seed: 5).samples()

  private var expected: [DeviceMotion] {
    let standard = FilterKind.standard
    var estimator = try! DeviceMotionEstimator(filter: standard, configuration: .live)
    return estimator.motions(of: samples)
  }

  @Test("a loop over a recording yields exactly the motions of a batch run with the same start, and ends with it")
  func equalsBatch() async {
    let source = RecordingSource(samples: samples, speed: .infinity)
    var motions: [DeviceMotion] = []
    // A buffer far smaller than the recording, so that the source has to wait.
    let updates = source.deviceMotions(bufferSize: 3)
    for await motion in updates { motions.append(motion) }
    // Compared outside the expectation, as a failure would print every motion.
    let isSame = motions == expected
    #expect(isSame && motions.count > 790)
    #expect(updates.droppedCount == 0 && updates.failure == nil && !updates.isSilent)
  }

  @Test("a motion is delivered with the samples of its epoch, without waiting for a later one")
  func withoutDelay() async throws {
    let samples = restingSamples(count: 20)
    let standard = FilterKind.standard
    var estimator = try DeviceMotionEstimator(filter: standard, configuration: .live)
    let expected = estimator.motions(of: samples)
    let source = ManualSource()
    // With a capacity of one, each further motion drops its predecessor.
    let updates = source.deviceMotions(bufferSize: 1)
    let iterator = updates.makeAsyncIterator()
    for place in stride(from: 0, to: samples.count, by: 2) {
      source.receiver?.receive(.samples(Array(samples[place..<(place + 2)])))
    }
    #expect(updates.droppedCount == expected.count - 1)
    let last = await iterator.next()
    #expect(last == expected.last)
  }

  @Test("an interval selects the motions closest to its grid")
  func interval() async {
    let source = RecordingSource(samples: samples, speed: .infinity)
    var times: [Double] = []
    for await motion in source.deviceMotions(interval: 0.02) { times.append(motion.time) }
    let all = expected.map(\.time)
    #expect(abs(times.count - all.count / 2) <= 1)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.02) < 0.005 })
  }

  @Test("a loop that ends detaches from the source, and a new loop continues there")
  func leaving() async {
    let source = RecordingSource(samples: samples, speed: .infinity)
    var count = 0
    for await _ in source.deviceMotions(bufferSize: 1) {
      count += 1
      if count == 10 { break }
    }
    let position = source.position
    #expect(position < 8)
    var first: Double?
    for await motion in source.deviceMotions() {
      first = motion.time
      break
    }
    #expect(first.map { $0 >= position } == true)
  }

  @Test("a cancelled task's loop ends even if the source is silent")
  func cancellation() async {
    let source = RecordingSource(samples: restingSamples(count: 1), isPaused: true)
    let task = Task {
      for await _ in source.deviceMotions() {}
      return true
    }
    task.cancel()
    #expect(await task.value)
  }

  @Test("in real time a slow loop loses the oldest motions, and they are counted")
  func backpressure() async {
    let all = restingSamples(count: 400)
    let source = RecordingSource(samples: all, speed: 200)
    let updates = source.deviceMotions(bufferSize: 8)
    var motions: [DeviceMotion] = []
    for await motion in updates {
      motions.append(motion)
      // The loop consumes no motion until the source has played all samples.
      if motions.count == 1 { source.waitForEndBlocking() }
    }
    #expect(motions.count + updates.droppedCount == 400 && updates.droppedCount > 300)
    #expect(motions.last?.time == all.last?.time)
  }

  @Test("a jump restarts the estimation")
  func jump() async {
    let source = RecordingSource(samples: samples, speed: .infinity)
    var times: [Double] = []
    var hasJumped = false
    for await motion in source.deviceMotions(bufferSize: 1) {
      times.append(motion.time)
      if !hasJumped, motion.time > 4 {
        hasJumped = true
        source.seek(to: 2)
      }
    }
    #expect(zip(times, times.dropFirst()).contains { $1 < $0 - 1 } && times.last == expected.last?.time)
  }
}

extension RecordingSource {
  /// Blocks a loop until the recording has ended.
  fileprivate func waitForEndBlocking() { waitForEnd(timeout: 60) }
}

@Suite struct UpdateGridTests {
  private func taken(_ times: [Double], _ interval: Double) -> [Double] {
    var grid = UpdateGrid()
    return times.filter { grid.selects($0, interval: interval) }
  }

  private func times(_ rate: Double, count: Int = 1000, jitter: Double = 0) -> [Double] {
    var state: UInt64 = 7
    return (0..<count).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(index) / rate + jitter * (Double(state >> 11) / Double(1 << 52) - 1)
    }
  }

  @Test(
    "every sample is selected if the interval is at most the sensor's own, even with a rate error",
    arguments: [(100.0, 0.01), (99.0, 0.01), (101.0, 0.01), (100.0, 0.0), (100.0, 0.003), (50.0, 0.01)])
  func all(rate: Double, interval: Double) {
    let times = times(rate, jitter: 0.001)
    #expect(taken(times, interval) == times)
  }

  @Test("every second sample is selected at twice the interval, even with jitter")
  func second() {
    let times = times(100, jitter: 0.001)
    #expect(taken(times, 0.02) == times.indices.filter { $0.isMultiple(of: 2) }.map { times[$0] })
  }

  @Test("the mean rate matches the requested one between multiples of the sensor's interval")
  func mean() {
    #expect(abs(taken(times(100, count: 3000), 0.015).count - 2000) <= 20)
  }

  @Test("the grid restarts after a gap, and a changed interval takes effect immediately")
  func changes() {
    let before = times(100, count: 10)
    let after = before.map { $0 + 100.003 }
    #expect(taken(before + after, 0.02).filter { $0 > 50 }.count == 5)
    var grid = UpdateGrid()
    var count = 0
    for time in before where grid.selects(time, interval: 1) { count += 1 }
    #expect(count == 1)
    let isSelected = grid.selects(0.1, interval: 0.05)
    #expect(isSelected)
  }
}
