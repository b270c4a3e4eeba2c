import InertialNumerics
import InertialRecognition
import TestSupport
import Testing

struct VerticalFilterTests {
  private func rms(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
  }

  /// Returns the parameters that match the simulation.
  private func matched(_ simulation: VerticalSimulation) -> VerticalFilter.Parameters {
    with(.init()) {
      ($0.accelerationNoise, $0.barometerSigma) = (simulation.accelerationNoise, simulation.barometerSigma)
      ($0.barometerLag, $0.motionNoise, $0.biasWalk, $0.noiseTimeConstant) = (simulation.lag, 0, 1e-4, .infinity)
    }
  }

  @Test("a lift ride has smaller altitude and speed errors than with the barometer alone", arguments: [1.0, 5, 25])
  func beatsBarometer(barometerRate: Double) throws {
    var simulation = VerticalSimulation(barometerRate: barometerRate)
    simulation.lag = barometerRate == 1 ? 3 : 0
    var samples: [(time: Double, value: Double)] = []
    simulation.run(acceleration: { _, _ in }, barometer: { samples.append(($0, $1)) })
    let estimates = simulation.filtered().filter { $0.time > 15 }
    var errors = (altitude: [Double](), held: [Double](), speed: [Double](), difference: [Double]())
    for estimate in estimates {
      let truth = simulation.truth(estimate.time)
      errors.altitude.append(estimate.altitude - truth.altitude)
      errors.speed.append(estimate.verticalSpeed - truth.speed)
      let newest = try #require(samples.lastIndex { $0.time <= estimate.time })
      let before = try #require(samples.lastIndex { $0.time <= samples[newest].time - 0.999 })
      let speed = (samples[newest].value - samples[before].value) / (samples[newest].time - samples[before].time)
      errors.held.append(samples[newest].value - truth.altitude)
      errors.difference.append(speed - truth.speed)
    }
    #expect(rms(errors.altitude) < (barometerRate == 1 ? 0.35 : 0.8) * rms(errors.held))
    #expect(rms(errors.speed) < 0.6 * rms(errors.difference) && rms(errors.altitude) < 0.5)
  }

  @Test("the errors match the covariance: NEES of altitude, speed and bias", arguments: [0.0, 3])
  func consistent(lag: Double) {
    let runs = 60
    var sums = [Int: Double]()
    for seed in 1...runs {
      var random = SeededGenerator(seed: UInt64(seed) + 1000)
      var simulation = VerticalSimulation(
        rise: 0, rate: 50, lag: lag, barometerSigma: 0.2, accelerationNoise: 0.3, seed: UInt64(seed), end: 31)
      simulation.drift = random.normal()
      simulation.bias = 0.3 * random.normal()
      var filter = VerticalFilter(parameters: matched(simulation))
      simulation.run(
        acceleration: { time, value in
          filter.update(verticalAcceleration: value, at: time)
          guard let estimate = filter.estimate, let second = [500: 10, 1000: 20, 1500: 30][Int((time * 50).rounded())]
          else {
            return
          }
          let truth = simulation.truth(time)
          let errors = [
            estimate.altitude - truth.altitude, estimate.verticalSpeed - truth.speed,
            estimate.accelerationBias - simulation.bias,
          ]
          sums[second, default: 0] += filter.normalizedErrorSquared(errors)
        }, barometer: { filter.update(barometricAltitude: $1, at: $0) })
    }
    // Each run contributes three numbers.
    let band = ChiSquare(degreesOfFreedom: Double(3 * runs)).band(0.998)
    #expect(sums.count == 3)
    for (second, sum) in sums { #expect(band.contains(sum), "\(second) s: \(sum) outside \(band)") }
  }

  @Test("altitude and speed do not depend on the sample rate of the motion", arguments: [15.0, 50, 400])
  func rates(rate: Double) throws {
    var simulation = VerticalSimulation(rate: rate)
    (simulation.accelerationNoise, simulation.barometerSigma) = (0, 0)
    for estimate in simulation.filtered(matched(VerticalSimulation())) where estimate.time > 15 {
      let truth = simulation.truth(estimate.time)
      #expect(abs(estimate.altitude - truth.altitude) < 0.15 && abs(estimate.verticalSpeed - truth.speed) < 0.1)
    }
  }

  @Test("an outlier is rejected, but a permanent step of the pressure is followed")
  func outliers() throws {
    var filter = VerticalFilter()
    func second(_ time: Int, _ altitude: Double) -> VerticalFilter.Innovation? {
      let innovation = filter.update(barometricAltitude: altitude, at: Double(time))
      for index in 1...50 { filter.update(verticalAcceleration: 0, at: Double(time) + Double(index) / 50.5) }
      return innovation
    }
    for time in 0..<30 { _ = second(time, 0) }
    #expect(second(30, 20)?.isAccepted == false)
    #expect(abs(try #require(filter.estimate).altitude) < 0.1)
    #expect(filter.rejectedCount == 1)
    for time in 31..<40 { #expect(second(time, 0)?.isAccepted == true) }
    for time in 40..<70 { _ = second(time, 20) }
    #expect(abs(try #require(filter.estimate).altitude - 20) < 1)
    #expect(filter.rejectedCount <= 7)
  }

  @Test("the filter learns the noise of a windy barometer, and keeps the minimum without wind")
  func learnsNoise() throws {
    let wind = try #require(VerticalSimulation(barometerRate: 10, lag: 0, barometerSigma: 1).filtered().last)
    #expect((0.6...1.4).contains(wind.barometerSigma))
    let calm = try #require(
      VerticalSimulation(rise: 0, barometerRate: 10, lag: 0, barometerSigma: 0.01).filtered().last)
    #expect(calm.barometerSigma < 0.08)
  }

  @Test("without motion, the filter smooths the barometer, and its sigma grows without barometer samples")
  func barometerOnly() throws {
    var filter = VerticalFilter()
    var random = SeededGenerator(seed: 3)
    for index in 0...300 {
      let time = Double(index) / 5
      filter.update(barometricAltitude: 0.3 * time + 0.1 * random.normal(), at: time)
    }
    var estimate = try #require(filter.estimate)
    #expect(abs(estimate.altitude - 18) < 0.15)
    #expect(abs(estimate.verticalSpeed - 0.3) < 3 * estimate.verticalSpeedSigma)
    #expect(estimate.verticalSpeedSigma < 0.5)
    let sigma = estimate.altitudeSigma
    filter.update(verticalAcceleration: 0, at: 70)
    estimate = try #require(filter.estimate)
    #expect(estimate.time == 70 && estimate.altitudeSigma > 10 * sigma)
  }

  @Test("a late altitude applies at its own time, and is dropped if it is too late")
  func late() throws {
    var (onTime, late) = (VerticalFilter(), VerticalFilter())
    let simulation = VerticalSimulation(rise: 0, drift: 0.5, lag: 0, barometerSigma: 0, bias: 0)
    var pending: [(time: Double, value: Double)] = []
    simulation.run(
      acceleration: { time, value in
        onTime.update(verticalAcceleration: value, at: time)
        late.update(verticalAcceleration: value, at: time)
        while let first = pending.first, first.time < time - 0.5 {
          late.update(barometricAltitude: first.value, at: first.time)
          pending.removeFirst()
        }
      },
      barometer: {
        onTime.update(barometricAltitude: $1, at: $0)
        pending.append(($0, $1))
      })
    let (a, b) = (try #require(onTime.estimate), try #require(late.estimate))
    #expect(abs(a.altitude - b.altitude) < 0.1)
    #expect(late.droppedCount == 0)
    late.update(barometricAltitude: 500, at: 57.5)
    late.update(barometricAltitude: .nan, at: 70)
    late.update(verticalAcceleration: .infinity, at: 70)
    late.update(verticalAcceleration: 1, at: 3)
    #expect(late.droppedCount == 4 && late.estimate == b)
  }

  @Test("the barometer bridges a gap in the motion")
  func gap() throws {
    let simulation = VerticalSimulation(start: 25)
    var filter = VerticalFilter()
    simulation.run(
      acceleration: { time, value in
        if !(24..<40).contains(time) { filter.update(verticalAcceleration: value, at: time) }
      }, barometer: { filter.update(barometricAltitude: $1, at: $0) })
    #expect(abs(try #require(filter.estimate).altitude - 9) < 0.6)
  }

  @Test("a fall just before a pause of the recording is not extrapolated into the pause", arguments: [1.0, 5])
  func interruption(barometerRate: Double) throws {
    // The device falls by one metre within 0.6 s, and the recording pauses for half a minute during the fall.
    var simulation = VerticalSimulation(rise: -1, start: 20, duration: 0.6, barometerRate: barometerRate, end: 90)
    simulation.lag = barometerRate == 1 ? 3 : 0
    var filter = VerticalFilter(keepsTrace: true)
    var estimates: [VerticalFilter.Estimate] = []
    simulation.run(
      acceleration: { time, value in
        guard !(20.3..<50).contains(time) else { return }
        filter.update(verticalAcceleration: value, at: time)
        if let estimate = filter.estimate { estimates.append(estimate) }
      },
      barometer: { if !(20.3..<50).contains($0) { filter.update(barometricAltitude: $1, at: $0) } })
    // If the filter ignored the pause, it would end 60 m lower, with barometer noise of tens of metres afterwards.
    let behind = estimates.filter { $0.time >= 51 }
    #expect(behind.count > 3000)
    // A barometer with a lag of three seconds takes a few of them to show that the device stands still.
    #expect(behind.allSatisfy { abs($0.altitude + 1) < 2 && abs($0.verticalSpeed) < 1.5 })
    #expect(behind.allSatisfy { $0.time < 60 || abs($0.altitude + 1) < 0.8 && abs($0.verticalSpeed) < 0.5 })
    #expect(behind.allSatisfy { $0.barometerSigma < 0.3 })
    for estimate in filter.smoothed(estimates) where estimate.time < 19 || estimate.time > 52 {
      #expect(abs(estimate.altitude - simulation.truth(estimate.time).altitude) < 0.8)
    }
  }

  @Test("the sigma after an interruption covers the reachable altitudes until the next barometer sample")
  func reachOfInterruption() throws {
    var filter = VerticalFilter()
    for index in 0..<100 {
      filter.update(verticalAcceleration: 0, at: Double(index) / 10)
      if index % 10 == 0 { filter.update(barometricAltitude: 0, at: Double(index) / 10) }
    }
    let before = try #require(filter.estimate)
    filter.update(verticalAcceleration: 0, at: 19.9)
    let after = try #require(filter.estimate)
    #expect(abs(after.altitude - before.altitude) < 0.05 && after.verticalSpeed == 0)
    #expect(abs(after.altitudeSigma - 50) < 1 && abs(after.verticalSpeedSigma - 1) < 0.01)
    filter.update(barometricAltitude: 30, at: 20)
    #expect(abs(try #require(filter.estimate).altitude - 30) < 0.1 && filter.rejectedCount == 0)
  }

  @Test("a restored state continues with the same results")
  func savedState() throws {
    let simulation = VerticalSimulation()
    var (whole, parted) = (VerticalFilter(), VerticalFilter())
    simulation.run(
      acceleration: { time, value in
        whole.update(verticalAcceleration: value, at: time)
        parted.update(verticalAcceleration: value, at: time)
        if time == 22.5 { parted = VerticalFilter(state: try! savedAndRestored(parted.state)) }
      },
      barometer: {
        whole.update(barometricAltitude: $1, at: $0)
        parted.update(barometricAltitude: $1, at: $0)
      })
    #expect(try #require(whole.estimate) == #require(parted.estimate))
  }

  @Test("there is no estimate before the first altitude")
  func empty() {
    var filter = VerticalFilter()
    filter.update(verticalAcceleration: 0, at: 0)
    #expect(filter.estimate == nil)
  }

  @Test("the lag is determined by the interval of the barometer's samples, unless it is specified")
  func lag() {
    for (interval, given, expected) in [(1.0, nil, 3.0), (0.04, nil, 0), (1, 1.5, 1.5)] as [(Double, Double?, Double)] {
      var filter = VerticalFilter(parameters: with(.init()) { $0.barometerLag = given })
      filter.update(barometricAltitude: 0, at: 0)
      filter.update(barometricAltitude: 0, at: interval)
      #expect(filter.state?.lag == expected)
    }
  }

  @Test("smoothing brings altitude and speed closer to the ground truth, within their sigmas", arguments: [0.0, 3])
  func smoothed(lag: Double) throws {
    var simulation = VerticalSimulation(lag: lag, barometerSigma: 0.2, accelerationNoise: 0.3)
    simulation.barometerRate = lag > 0 ? 1 : 5
    var parameters = matched(simulation)
    parameters.initialSpeedSigma = 0.1
    let (filter, estimates) = simulation.run(VerticalFilter(parameters: parameters, keepsTrace: true))
    let smoothed = filter.smoothed(estimates)
    #expect(smoothed.map(\.time) == estimates.map(\.time))
    func errors(_ estimates: [VerticalFilter.Estimate]) -> (altitude: Double, speed: Double) {
      (
        rms(estimates.map { $0.altitude - simulation.truth($0.time).altitude }),
        rms(estimates.map { $0.verticalSpeed - simulation.truth($0.time).speed })
      )
    }
    let (before, after) = (errors(estimates), errors(smoothed))
    #expect(after.altitude < 0.8 * before.altitude && after.speed < 0.8 * before.speed)
    let inside = smoothed.count { abs($0.altitude - simulation.truth($0.time).altitude) < 2 * $0.altitudeSigma }
    #expect(Double(inside) > 0.85 * Double(smoothed.count))
    // No later altitude can change the last estimate.
    #expect(abs(try #require(smoothed.last).altitude - (try #require(estimates.last)).altitude) < 1e-9)
    #expect(VerticalFilter(keepsTrace: true).smoothed([]).isEmpty)
  }
}
