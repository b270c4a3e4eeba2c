import InertialNumerics
import InertialRecognition
import InertialSensors
import Testing

struct FloorDetectorTests {
  @Test("a lift is one floor change without steps; stairs are one with steps", arguments: [1.0, 5, 25], [1.0, -1])
  func kinds(barometerRate: Double, sign: Double) throws {
    let lag = barometerRate == 1 ? 3.0 : 0
    let lift = VerticalSimulation(rise: 9 * sign, barometerRate: barometerRate, lag: lag).floors()
    #expect(lift.count == 1)
    let ride = try #require(lift.first)
    #expect(ride.kind == .lift && ride.direction == (sign > 0 ? .up : .down))
    #expect(abs(ride.height - 9) < 1 && ride.floors == 3)
    #expect(abs(ride.start - 20) < 3.5 && abs(ride.end - 30) < 3.5)
    // The largest speed is 1.8 m/s, the mean over ten seconds 0.9.
    #expect((0.7...1.5).contains(ride.meanSpeed))
    let stairs = VerticalSimulation(
      rise: 6 * sign, duration: 18, walk: 5..<55, barometerRate: barometerRate, lag: lag
    ).floors()
    #expect(stairs.count == 1)
    let climb = try #require(stairs.first)
    #expect(climb.kind == .stairs && climb.direction == (sign > 0 ? .up : .down))
    #expect(abs(climb.height - 6) < 1 && climb.floors == 2 && climb.steppingFraction == 1)
  }

  @Test("level walking, rest and weather are not floor changes")
  func none() {
    #expect(VerticalSimulation(rise: 0, walk: 0..<60).floors().isEmpty)
    #expect(VerticalSimulation(rise: 0).floors().isEmpty)
    #expect(VerticalSimulation(rise: 0, drift: 0.03, end: 600).floors().isEmpty)
    #expect(VerticalSimulation(rise: 0, barometerRate: 25, lag: 0, barometerSigma: 0.15).floors().isEmpty)
  }

  @Test("less than half a floor does not count, but at a log's end three stairs do, while getting up does not")
  func small() {
    #expect(VerticalSimulation(rise: 0.8, duration: 2).floors().isEmpty)
    #expect(VerticalSimulation(rise: 1, duration: 5, walk: 0..<60).floors().isEmpty)
    let stairs = VerticalSimulation(rise: 2, duration: 10, walk: 0..<60, end: 27.5).floors()
    #expect(stairs.map(\.kind) == [.stairs])
    #expect((stairs.first?.height ?? 9) < 2)
    #expect(VerticalSimulation(rise: 0.8, duration: 2, end: 23).floors().isEmpty)
  }

  @Test("lying down from standing is not a lift ride, within or at the end of a log; a ride of one floor is")
  func lyingDown() {
    for end in [23.5, 26, 60] {
      #expect(VerticalSimulation(rise: -1.2, duration: 2.5, end: end).floors().isEmpty, "\(end) s")
    }
    #expect(VerticalSimulation(rise: -3, duration: 6).floors().map(\.kind) == [.lift])
  }

  @Test("a floor change without motion has an unknown kind")
  func noMotion() throws {
    let events = VerticalSimulation().floors(hasMotion: false)
    let event = try #require(events.first)
    #expect(events.count == 1 && event.kind == .unknown && event.steppingFraction == nil && abs(event.height - 9) < 1)
  }

  @Test("a log that ends during a floor change reports the height so far, compensated for the barometer's lag")
  func endsOnTheWay() throws {
    let simulation = VerticalSimulation(rise: 30, start: 10, duration: 20, end: 22)
    let events = simulation.floors()
    let event = try #require(events.first)
    #expect(events.count == 1 && event.kind == .lift)
    #expect(abs(event.height - simulation.truth(event.end).altitude) < 1.5)
  }

  /// Returns the floor changes for altitudes at regular intervals, without other data.
  private func floors(_ altitudes: [Double]) -> [FloorEvent] {
    var detector = FloorDetector()
    let events = altitudes.enumerated().compactMap { index, altitude in
      detector.update(altitude: altitude, filtered: altitude, at: Double(index))
    }
    return events + detector.finish()
  }

  @Test("a landing does not split a floor change, but a longer stop and a reversal do")
  func parts() {
    let level = Array(repeating: 0.0, count: 10)
    func up(_ from: Double) -> [Double] { (1...10).map { from + 0.3 * Double($0) } }
    let landing = floors(level + up(0) + Array(repeating: 3, count: 4) + up(3) + Array(repeating: 6, count: 20))
    #expect(landing.map(\.floors) == [2])
    let stop = floors(level + up(0) + Array(repeating: 3, count: 15) + up(3) + Array(repeating: 6, count: 20))
    #expect(stop.map(\.floors) == [1, 1])
    let turn = floors(level + up(0) + up(0).reversed() + level)
    #expect(turn.map(\.direction) == [.up, .down])
  }

  @Test("a gap ends a floor change; altitudes that are not finite are ignored; an empty log has no floor changes")
  func gaps() {
    var detector = FloorDetector()
    for index in 0..<10 {
      for value in [0.4 * Double(index), .nan] {
        #expect(detector.update(altitude: value, filtered: value, at: Double(index)) == nil)
      }
    }
    let events = (0..<10).compactMap { detector.update(altitude: 50, filtered: 50, at: 100 + Double($0)) }
    #expect(events.count == 1)
    #expect(events.first.map { abs($0.height - 3.6) < 0.01 && $0.end <= 9 } == true)
    #expect(detector.finish().isEmpty && floors([]).isEmpty && floors([1]).isEmpty)
  }

  @Test("floor changes too fast for steps, or too long for a lift, have an unknown kind")
  func neither() {
    let ski = VerticalSimulation(rise: -60, duration: 30, walk: 0..<60)
    let hill = VerticalSimulation(rise: 0, drift: 0.3, end: 300)
    for simulation in [ski, hill] { #expect(simulation.floors().map(\.kind) == [.unknown]) }
  }

  @Test("the vertical acceleration has the signs of Core Motion")
  func signs() throws {
    // Lying face up and pushed up: Core Motion's user acceleration points down.
    let motion = MotionSample(time: 0, acceleration: Vector3(0, 0, -1.2), userAcceleration: Vector3(0, 0, -0.2))
    #expect(abs(try #require(AltitudeTracker.verticalAcceleration(motion)) - 0.2 * 9.80665) < 1e-12)
    #expect(AltitudeTracker.verticalAcceleration(MotionSample(time: 0, acceleration: Vector3(0, 0, -1))) == nil)
    let falling = MotionSample(time: 0, acceleration: Vector3(0, 0, 1), userAcceleration: Vector3(0, 0, 1))
    #expect(AltitudeTracker.verticalAcceleration(falling) == nil)
  }
}

struct AltitudeTrackerTests {
  @Test("barometer and motion together yield altitudes at the barometer's times, and the ride")
  func together() throws {
    let simulation = VerticalSimulation()
    var tracker = AltitudeTracker()
    var updates: [AltitudeTracker.Update] = []
    simulation.run(
      acceleration: { tracker.update(MotionSample(time: $0, verticalAcceleration: $1)) },
      barometer: { time, value in
        updates += tracker.update(
          BarometerSample(time: time, pressure: StandardAtmosphere.pressure(altitude: 200 + value)))
      })
    updates += tracker.finish()
    #expect(updates.count == 60 && updates.first?.data.relativeAltitude == 0)
    let last = try #require(updates.last)
    #expect(abs(last.data.relativeAltitude - 9) < 0.3 && abs(last.estimate.altitude - 9) < 0.6)
    #expect(tracker.takeFloors().map(\.kind) == [.lift] && tracker.takeFloors().isEmpty)
  }

  @Test(
    "rides show whether a barometer with one altitude per second lags, and until then the sigma covers both",
    arguments: [0.0, 3])
  func unknownLag(lag: Double) throws {
    var known = VerticalFilter.Parameters()
    known.barometerLag = lag
    for seed in UInt64(1)...3 {
      var (rms, inside) = ((own: 0.0, reported: 0.0), 0.0)
      var simulation = VerticalSimulation()
      (simulation.seed, simulation.lag, simulation.rise, simulation.barometerSigma) = (seed, lag, 12, 0.1)
      var (own, reported) = (AltitudeTracker(), AltitudeTracker(filter: known))
      var count = 0.0
      simulation.run(
        acceleration: { time, value in
          let motion = MotionSample(time: time, verticalAcceleration: value)
          own.update(motion)
          reported.update(motion)
          guard time > 10, let estimate = own.estimate, let best = reported.estimate else { return }
          // Altitudes are relative to the first one, which has a noise error.
          let truth = simulation.truth(time).altitude
          let (error, bestError) = (estimate.altitude - truth, best.altitude - truth)
          rms.own += error * error
          rms.reported += bestError * bestError
          inside += abs(error) < 2 * (estimate.altitudeSigma + simulation.barometerSigma) ? 1 : 0
          count += 1
        },
        barometer: { time, value in
          let sample = BarometerSample(time: time, relativeAltitude: value + 1)
          _ = (own.update(sample), reported.update(sample))
        })
      #expect(inside / count > 0.9, "\(seed): \(inside / count)")
      #expect((rms.own / count).squareRoot() < (rms.reported / count).squareRoot() + 0.5, "\(seed): \(rms), \(count)")
      let (end, best) = (try #require(own.estimate), try #require(reported.estimate))
      #expect(abs(end.altitude - best.altitude) < 0.2 && abs(end.verticalSpeed - best.verticalSpeed) < 0.2, "\(seed)")
    }
  }

  @Test("a fast barometer keeps no trace with `.slow`, and its estimates stay unchanged")
  func fastBarometer() throws {
    var simulation = VerticalSimulation()
    (simulation.lag, simulation.barometerRate) = (0, 25)
    var tracker = AltitudeTracker(filter: VerticalFilter.Parameters(), keeping: .slow)
    var (possible, estimates): ([VerticalFilterBank.Hypotheses], [VerticalFilter.Estimate]) = ([], [])
    simulation.run(&tracker) { time, tracker in
      // Until the second altitude, the rate of the barometer is unknown.
      guard time > 1, let now = tracker.possible, let estimate = tracker.estimate else { return }
      possible.append(now)
      estimates.append(estimate)
    }
    #expect(tracker.smoothed(possible) == estimates && estimates.count > 5000)
  }

  @Test("smoothing determines from the whole recording whether the barometer lags", arguments: [0.0, 3])
  func smoothedLag(lag: Double) throws {
    var simulation = VerticalSimulation()
    (simulation.lag, simulation.rise) = (lag, 12)
    var tracker = AltitudeTracker(filter: VerticalFilter.Parameters(), keeping: .all)
    var (possible, times): ([VerticalFilterBank.Hypotheses], [Double]) = ([], [])
    simulation.run(&tracker) { time, tracker in
      guard let now = tracker.possible else { return }
      possible.append(now)
      times.append(time)
    }
    for (time, estimate) in zip(times, tracker.smoothed(possible)) where time > 5 {
      #expect(abs(estimate.altitude - simulation.truth(time).altitude) < 0.5, "\(time)")
    }
  }

  @Test("without a barometer there are no altitudes, and with a single sample there is one")
  func little() {
    var tracker = AltitudeTracker()
    tracker.update(MotionSample(time: 0, acceleration: Vector3(0, 0, -1), userAcceleration: .zero))
    #expect(tracker.finish().isEmpty && tracker.estimate == nil && tracker.newest == nil)
    _ = tracker.update(BarometerSample(time: 1, pressure: 100))
    #expect(tracker.finish().map(\.data.relativeAltitude) == [0] && tracker.takeFloors().isEmpty)
  }
}
