import CoreMotionCompatibility
import Testing

@Suite struct ActivityManagerTests {
  private static let walking = striding(duration: 40)

  /// A barometer at 1 Hz that rises by 0.2 m per second, with the altitude that the device reports.
  private static let pressures: [AuxiliarySample] = (0..<40).flatMap { second -> [AuxiliarySample] in
    let altitude = 0.2 * Double(second)
    var relative = AuxiliarySample(time: Double(second), channel: .barometer)
    relative["pressure"] = 101.325 * pow(1 - altitude / 44330.77, 5.255877)
    var absolute = AuxiliarySample(time: Double(second), channel: .absoluteAltitude)
    absolute["absoluteAltitude"] = 100 + altitude
    absolute["absoluteAltitudeAccuracy"] = 3
    return [relative, absolute]
  }

  private func source(isPaused: Bool = true) -> RecordingSource {
    RecordingSource(
      samples: Self.walking, auxiliary: Self.pressures, epoch: 1_700_000_000, speed: .infinity, isPaused: isPaused)
  }

  @Test("a walk is first unknown, then walking; its past is walking as well")
  func activities() {
    let source = source()
    let manager = CMMotionActivityManager(source: source)
    let (queue, reported) = (serialQueue(), Collected<CMMotionActivity>())
    manager.startActivityUpdates(to: queue) { activity in if let activity { reported.append(activity) } }
    source.playToEnd(queue)
    #expect(reported.all.first?.unknown == true && reported.all.first?.confidence == .low)
    #expect(reported.all.last?.walking == true)
    #expect(reported.all.first?.startDate.timeIntervalSince1970.rounded() == 1_700_000_000)
    manager.stopActivityUpdates()
    let past = Collected<[CMMotionActivity]>()
    manager.queryActivityStarting(from: .distantPast, to: .distantFuture, to: queue) { activities, error in
      #expect(error == nil)
      past.append(activities ?? [])
    }
    #expect(past.wait(for: 1) && past.all[0].contains { $0.walking } && !past.all[0].contains { $0.automotive })
  }

  @Test("the activities of a query keep their own starts, of which the first is before the interval")
  func ownStart() {
    let source = source()
    let manager = CMMotionActivityManager(source: source)
    let past = Collected<[CMMotionActivity]>()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    for (from, to) in [(0.0, 40.0), (20, 30), (50, 60)] {
      manager.queryActivityStarting(
        from: start.addingTimeInterval(from), to: start.addingTimeInterval(to), to: serialQueue()
      ) { activities, _ in past.append(activities ?? []) }
      #expect(past.wait(for: past.count + 1))
    }
    let walk = past.all[0].last { $0.walking }
    #expect(walk.map { $0.startDate < start.addingTimeInterval(20) } == true)
    #expect(past.all[1].count == 1 && past.all[1].first?.startDate == walk?.startDate && past.all[2].isEmpty)
  }

  @Test("a query until now sees a log without a date that was opened just now, and one until a later date its part")
  func untilNow() {
    let source = RecordingSource(samples: Self.walking, speed: .infinity, isPaused: true)
    let midnight = Calendar.current.startOfDay(for: Date())
    let (steps, activities) = (Collected<Int>(), Collected<Int>())
    let pedometer = CMPedometer(source: source)
    let opened = source.now
    pedometer.queryPedometerData(from: midnight, to: Date()) { data, _ in
      steps.append(data?.numberOfSteps.intValue ?? -1)
    }
    #expect(steps.wait(for: 1) && (65...80).contains(steps.all[0]))
    // Not the present, but a time within the recording.
    pedometer.queryPedometerData(from: opened, to: opened.addingTimeInterval(20)) { data, _ in
      steps.append(data?.numberOfSteps.intValue ?? -1)
    }
    #expect(steps.wait(for: 2) && (25...45).contains(steps.all[1]))
    CMMotionActivityManager(source: source).queryActivityStarting(from: midnight, to: Date(), to: serialQueue()) {
      all, _ in
      activities.append(all?.filter(\.walking).count ?? -1)
    }
    #expect(activities.wait(for: 1) && activities.all[0] >= 1)
    // A log with a date is not of today.
    let dated = CMPedometer(source: self.source())
    dated.queryPedometerData(from: midnight, to: Date()) { data, _ in steps.append(data?.numberOfSteps.intValue ?? -1) }
    #expect(steps.wait(for: 3) && steps.all[2] == 0)
  }

  @Test("after a stop no activity is delivered, and a new start replaces the handler")
  func activityStop() {
    let source = source()
    let manager = CMMotionActivityManager(source: source)
    let (queue, first, second) = (serialQueue(), Collected<Int>(), Collected<Int>())
    manager.startActivityUpdates(to: queue) { _ in first.append(1) }
    manager.startActivityUpdates(to: queue) { _ in
      second.append(1)
      manager.stopActivityUpdates()
    }
    source.resume()
    #expect(second.wait(for: 1))
    queue.waitUntilAllOperationsAreFinished()
    #expect(first.count == 0 && second.count == 1)
  }

  @Test("steps are counted live and in queries, whose parts add up, and events report the walking")
  func steps() {
    let source = source()
    let pedometer = CMPedometer(source: source)
    let (updates, events) = (Collected<CMPedometerData>(), Collected<CMPedometerEvent>())
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    pedometer.startUpdates(from: start) { data, error in
      #expect(error == nil)
      if let data { updates.append(data) }
    }
    pedometer.startEventUpdates { event, _ in if let event { events.append(event) } }
    source.playToEnd()
    let queried = Collected<Int>()
    for (from, to) in [(0.0, 40.0), (0, 15), (15, 40)] {
      pedometer.queryPedometerData(from: start.addingTimeInterval(from), to: start.addingTimeInterval(to)) { data, _ in
        queried.append(data?.numberOfSteps.intValue ?? -1)
      }
    }
    #expect(queried.wait(for: 3))
    // 40 s at 1.9 steps per second.
    let count = queried.all[0]
    #expect((65...80).contains(count) && queried.all[1] > 15 && queried.all[1] + queried.all[2] == count)
    #expect(eventually { updates.all.last.map { abs($0.numberOfSteps.intValue - count) <= 1 } ?? false })
    let all = updates.all
    #expect(all.count >= 10 && all.allSatisfy { $0.startDate == start })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.numberOfSteps.intValue <= $1.numberOfSteps.intValue })
    #expect(all.last?.floorsAscended != nil && (all.last?.distance?.doubleValue ?? 0) > 20)
    #expect(events.wait(for: 1) && events.all.first?.type == .resume)
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
  }

  @Test("relative altitude starts from 0 at each start; absolute altitude is the device's own")
  func altitude() {
    let source = source()
    let altimeter = CMAltimeter(source: source)
    let (queue, relative, absolute) = (serialQueue(), Collected<CMAltitudeData>(), Collected<CMAbsoluteAltitudeData>())
    altimeter.startRelativeAltitudeUpdates(to: queue) { data, _ in relative.append(data!) }
    altimeter.startAbsoluteAltitudeUpdates(to: queue) { data, _ in absolute.append(data!) }
    source.playToEnd(queue)
    #expect(relative.count == 40 && absolute.count == 40 && relative.all[0].relativeAltitude.doubleValue == 0)
    #expect(abs(relative.all[39].relativeAltitude.doubleValue - 7.8) < 0.05)
    #expect(abs(relative.all[0].pressure.doubleValue - 101.325) < 1e-9)
    #expect(absolute.all[10].altitude == 102 && absolute.all[10].accuracy == 3 && absolute.all[10].precision.isNaN)
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
    source.seek(to: 20)
    altimeter.startRelativeAltitudeUpdates(to: queue) { data, _ in relative.append(data!) }
    source.playToEnd(queue)
    #expect(relative.count == 60 && relative.all[40].relativeAltitude.doubleValue == 0 && absolute.count == 40)
  }

  @Test("a recording that waits for a handler stops when the handler is stopped, and continues there")
  func leaving() {
    let source = RecordingSource(samples: [], auxiliary: steadyPressure(20_000), speed: .infinity)
    let altimeter = CMAltimeter(source: source)
    let queue = serialQueue()
    for _ in 0..<100 {
      queue.isSuspended = true
      let start = source.position
      altimeter.startRelativeAltitudeUpdates(to: queue) { _, _ in }
      // As many updates are pending, and the next one waits for room.
      #expect(eventually { source.position == start + 64 || source.position == start + 65 })
      altimeter.stopRelativeAltitudeUpdates()
      #expect(source.position <= start + 65)
      queue.isSuspended = false
    }
  }

  @Test("a person who shakes the device has no gait and no cycling, as in 'inertial activity'")
  func shaking() {
    let shaken = Self.shaken
    let source = RecordingSource(samples: shaken, speed: .infinity, isPaused: true)
    let manager = CMMotionActivityManager(source: source)
    let (queue, reported) = (serialQueue(), Collected<CMMotionActivity>())
    manager.startActivityUpdates(to: queue) { activity in if let activity { reported.append(activity) } }
    source.playToEnd(queue)
    #expect(
      !reported.all.contains { $0.running || $0.walking || $0.cycling } && reported.all.contains { $0.stationary })

    var classifier = ActivityClassifier()
    var seesGait = false
    for motion in batch(shaken) {
      let activity = classifier.update(MotionSample(motion))
      seesGait = seesGait || activity?.flags.isDisjoint(with: [.walking, .running]) == false
    }
    #expect(seesGait, "the classifier alone classifies it as a gait, or this test shows nothing")
  }

  /// 10 s at rest, 20 s of shaking by hand at 3.5 Hz with rotation, 10 s at rest.
  private static let shaken = (0..<4000).flatMap { index -> [SensorSample] in
    let time = Double(index) / 100
    let phase = 2 * .pi * 3.5 * time
    let size = (10..<30).contains(time) ? 1.0 : 0
    return [
      SensorSample(time: time, channel: .gyroscope, Vector3(0.3, 2, 0.2) * (size * cos(phase))),
      SensorSample(
        time: time, channel: .accelerometer,
        Vector3(0, 0, -1) + Vector3(2.5, 0.3, 1.5) * (size * sin(phase)) + Vector3(0.1, 0, 0.2)
          * (size * sin(2 * phase))),
    ]
  }

  @Test("without the sensors, queries and updates fail as on Apple's platforms")
  func unavailable() {
    let source = RecordingSource(samples: [], speed: .infinity)
    let (queue, codes) = (serialQueue(), Collected<Int>())
    @Sendable func note(_ error: (any Error)?) { codes.append((error as? NSError)?.code ?? 0) }
    let pedometer = CMPedometer(source: source)
    pedometer.queryPedometerData(from: Date(), to: Date()) { _, error in note(error) }
    #expect(codes.wait(for: 1))
    pedometer.startEventUpdates { _, error in note(error) }
    #expect(codes.wait(for: 2))
    CMMotionActivityManager(source: source).queryActivityStarting(from: Date(), to: Date(), to: queue) { _, error in
      note(error)
    }
    #expect(codes.wait(for: 3) && codes.all == [104, 109, 104])
  }

  @Test("activities, steps and altitudes are unchanged after coding and decoding")
  func coding() throws {
    let source = source()
    let (queue, altitudes, steps) = (serialQueue(), Collected<CMAltitudeData>(), Collected<CMPedometerData>())
    let (altimeter, pedometer) = (CMAltimeter(source: source), CMPedometer(source: source))
    altimeter.startRelativeAltitudeUpdates(to: queue) { data, _ in altitudes.append(data!) }
    pedometer.startUpdates(from: Date()) { data, _ in steps.append(data!) }
    source.playToEnd(queue)
    #expect(steps.wait(for: 5) && altitudes.wait(for: 6))
    let altitude = try coded(altitudes.all[5])
    #expect(altitude.relativeAltitude == altitudes.all[5].relativeAltitude && altitude.timestamp == 5)
    let (before, after) = (steps.all[4], try coded(steps.all[4]))
    #expect(after.numberOfSteps == before.numberOfSteps && after.distance == before.distance)
    #expect(after.startDate == before.startDate && after.currentCadence == before.currentCadence)
    let empty = try coded(CMPedometerData())
    #expect(
      empty.distance == nil && empty.floorsAscended == nil && empty.currentPace == nil && empty.numberOfSteps == 0)
    #expect(try coded(CMPedometerEvent()).type == .pause && coded(CMMotionActivity()).unknown)
  }
}
