import CoreMotionCompatibility
import Testing

/// The managers for headphones, falls and steps of older apps, those that are unavailable, and their values.
@Suite struct AddedManagerTests {
  @Test("headphones report their connection and their activities, and the end disconnects them")
  func headphoneActivity() {
    let source = RecordingSource(samples: striding(duration: 12), speed: .infinity, isPaused: true)
    let manager = CMHeadphoneActivityManager(source: source)
    let queue = serialQueue()
    let (statuses, activities) = (
      Collected<CMHeadphoneActivityManager.Status>(), Collected<CMMotionActivity>()
    )
    #expect(manager.isStatusAvailable && manager.isActivityAvailable && !manager.isStatusActive)
    manager.startStatusUpdates(to: queue) { status, error in
      #expect(error == nil)
      statuses.append(status)
    }
    manager.startActivityUpdates(to: queue) { activity, _ in if let activity { activities.append(activity) } }
    #expect(manager.isStatusActive && manager.isActivityActive)
    source.playToEnd(queue)
    #expect(statuses.all == [.connected, .disconnected] && activities.all.last?.walking == true)
    manager.stopStatusUpdates()
    manager.stopActivityUpdates()
    #expect(!manager.isStatusActive && !manager.isActivityActive)
    // A later start finds the source at its end.
    manager.startStatusUpdates(to: queue) { status, _ in statuses.append(status) }
    #expect(statuses.wait(for: 3) && statuses.all[2] == .disconnected)
    manager.stopStatusUpdates()
    #expect([CMHeadphoneActivityManager.Status.disconnected, .connected].map(\.rawValue) == [0, 1])
  }

  @Test("headphones without a gyroscope are unavailable, and both handlers receive error 109")
  func withoutHeadphones() {
    let source = RecordingSource(samples: walk(duration: 1).filter { $0.channel == .accelerometer })
    let manager = CMHeadphoneActivityManager(source: source)
    let (queue, codes) = (serialQueue(), Collected<Int>())
    #expect(!manager.isStatusAvailable && !manager.isActivityAvailable)
    manager.startStatusUpdates(to: queue) { status, error in
      codes.append((error as? NSError)?.code ?? 0)
      #expect(status == .disconnected)
    }
    manager.startActivityUpdates(to: queue) { activity, error in
      codes.append((error as? NSError)?.code ?? 0)
      #expect(activity == nil)
    }
    #expect(codes.wait(for: 2) && codes.all == [109, 109] && !manager.isStatusActive && !manager.isActivityActive)
  }

  /// A device upright in a pocket that falls with a person after 5 s: half a second down, an impact, a quarter turn, and
  /// rest.
  private static let fall: [SensorSample] = {
    var random = SeededGenerator(seed: 5)
    return (0..<1000).flatMap { index -> [SensorSample] in
      let time = Double(index) / 100
      let turned = min(max((time - 5) / 1.1, 0), 1)
      let direction = Vector3(0, -cos(turned * .pi / 2), -sin(turned * .pi / 2))
      let norm =
        switch time {
        case 5..<5.5: 0.55
        case 5.5..<5.62: 1 + 5 * sin(.pi * (time - 5.5) / 0.12)
        case 5.62..<6.1: 1.15
        default: 1.0
        }
      let noise = 0.01 * Vector3(random.normal(), random.normal(), random.normal())
      return [
        SensorSample(time: time, channel: .accelerometer, norm * direction + noise),
        SensorSample(time: time, channel: .gyroscope, Vector3((5..<6.1).contains(time) ? 1.43 : 0, 0, 0)),
      ]
    }
  }()

  private final class FallDelegate: CMFallDetectionDelegate {
    let events = Collected<CMFallDetectionEvent>()
    func fallDetectionManager(
      _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
      completionHandler handler: @escaping () -> Void
    ) {
      events.append(event)
      handler()
    }
  }

  @Test("a fall is reported to the delegate with the date of the impact, and no fall without a delegate")
  func falls() {
    let source = RecordingSource(samples: Self.fall, epoch: 1_000_000, speed: .infinity, isPaused: true)
    let manager = CMFallDetectionManager(source: source)
    let (delegate, statuses) = (FallDelegate(), Collected<CMAuthorizationStatus>())
    manager.delegate = delegate
    #expect(manager.delegate === delegate && manager.authorizationStatus == .authorized)
    manager.requestAuthorization { statuses.append($0) }
    source.playToEnd()
    #expect(delegate.events.wait(for: 1) && statuses.wait(for: 1) && statuses.all == [.authorized])
    let event = delegate.events.all.first
    #expect(event.map { abs($0.date.timeIntervalSince1970 - 1_000_005.56) < 0.1 } == true)
    #expect(event?.resolution == .unresponsive && delegate.events.count == 1)
    manager.delegate = nil
    source.seek(to: 0)
    let altimeter = CMMotionManager(source: source)
    altimeter.startAccelerometerUpdates()
    source.playToEnd()
    #expect(delegate.events.count == 1)
    altimeter.stopAccelerometerUpdates()
  }

  @Test("an optional delegate completes its events, and an event keeps its answer after coding")
  func fallValues() throws {
    final class Empty: CMFallDetectionDelegate {}
    let manager = CMFallDetectionManager(source: RecordingSource(samples: []))
    var isDone = false
    let event = CMFallDetectionEvent(date: Date(timeIntervalSince1970: 7), resolution: .dismissed)
    Empty().fallDetectionManager(manager, didDetect: event) { isDone = true }
    Empty().fallDetectionManagerDidChangeAuthorization(manager)
    #expect(isDone)
    let after = try coded(event)
    #expect(
      after.date == event.date && after.resolution == .dismissed && CMFallDetectionEvent().resolution.rawValue == 3)
  }

  @Test("the old step counter counts the pedometer's steps, in updates after a number of steps and in queries")
  func stepCounter() {
    let source = RecordingSource(
      samples: striding(duration: 30), epoch: 1_700_000_000, speed: .infinity, isPaused: true)
    let counter = CMStepCounter(source: source)
    let (queue, updates, often) = (serialQueue(), Collected<Int>(), Collected<Int>())
    counter.startStepCountingUpdates(to: queue, updateOn: 20) { steps, date, error in
      #expect(error == nil && date.timeIntervalSince1970 > 1_700_000_000)
      updates.append(steps)
    }
    let other = CMStepCounter(source: source)
    other.startStepCountingUpdates(to: queue, updateOn: 1) { steps, _, _ in often.append(steps) }
    source.playToEnd(queue)
    let total = Collected<Int>()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    counter.queryStepCountStarting(from: start, to: start.addingTimeInterval(30), to: queue) { steps, error in
      total.append(error == nil ? steps : -1)
    }
    #expect(total.wait(for: 1) && (48...60).contains(total.all[0]))
    #expect(eventually { often.all.last.map { abs($0 - total.all[0]) <= 1 } ?? false })
    #expect(updates.count < often.count && updates.count >= 2)
    #expect(zip([0] + updates.all, updates.all).allSatisfy { $1 - $0 >= 20 })
    counter.stopStepCountingUpdates()
    other.stopStepCountingUpdates()
    let codes = Collected<Int>()
    CMStepCounter(source: RecordingSource(samples: [])).startStepCountingUpdates(to: queue, updateOn: 1) {
      _, _, error in
      codes.append((error as? NSError)?.code ?? 0)
    }
    #expect(codes.wait(for: 1) && codes.all == [104])
  }

  @Test("depths and symptoms are unavailable, and queries for symptoms receive error 109")
  func unavailable() {
    #expect(!CMWaterSubmersionManager.waterSubmersionAvailable && CMWaterSubmersionManager().maximumDepth == nil)
    #expect(CMWaterSubmersionManager.authorizationStatus == .authorized && CMWaterSubmersionManager().delegate == nil)
    let manager = CMMovementDisorderManager()
    #expect(!CMMovementDisorderManager.isAvailable() && CMMovementDisorderManager.version() == nil)
    #expect(CMMovementDisorderManager.authorizationStatus() == .authorized)
    manager.monitorKinesias(forDuration: 60)
    #expect(manager.lastProcessedDate() == nil && manager.monitorKinesiasExpirationDate() == nil)
    let codes = Collected<Int>()
    manager.queryTremor(from: .distantPast, to: Date()) { results, error in
      codes.append(results.isEmpty ? (error as? NSError)?.code ?? 0 : -1)
    }
    manager.queryDyskineticSymptom(from: .distantPast, to: Date()) { results, error in
      codes.append(results.isEmpty ? (error as? NSError)?.code ?? 0 : -1)
    }
    #expect(codes.wait(for: 2) && codes.all == [109, 109])
    #expect(CMTremorResult().percentUnknown == 1 && CMTremorResult().percentStrong == 0)
    #expect(CMDyskineticSymptomResult().percentUnlikely + CMDyskineticSymptomResult().percentLikely == 1)
  }

  @Test("values of water, air and workouts have their units and are unchanged after coding")
  func values() throws {
    let date = Date(timeIntervalSince1970: 9)
    #expect(CMWaterSubmersionEvent(date: date, state: .submerged).state.rawValue == 2)
    let depth = CMWaterSubmersionMeasurement(
      date: date, depth: Measurement(value: 3, unit: .meters), pressure: Measurement(value: 131, unit: .kilopascals),
      surfacePressure: Measurement(value: 101, unit: .kilopascals), submersionState: .submergedDeep)
    #expect(depth.depth?.value == 3 && depth.submersionState.rawValue == 300 && depth.surfacePressure.value == 101)
    let water = CMWaterTemperature(
      date: date, temperature: Measurement(value: 18, unit: .celsius),
      temperatureUncertainty: Measurement(value: 1, unit: .celsius))
    #expect(water.temperature.converted(to: .kelvin).value == 291.15 && water.date == date)
    let air = try coded(
      CMAmbientPressureData(
        pressure: Measurement(value: 1013, unit: .hectopascals), temperature: Measurement(value: 293.15, unit: .kelvin),
        timestamp: 4))
    #expect(abs(air.pressure.value - 101.3) < 1e-9 && abs(air.temperature.value - 20) < 1e-9 && air.timestamp == 4)
    #expect(air.description.hasPrefix("Pressure 101.3") && CMAmbientPressureData().pressure.value == 0)
    let recorded = try coded(
      CMRecordedPressureData(
        pressure: air.pressure, temperature: air.temperature, timestamp: 4, identifier: .max, startDate: date))
    #expect(recorded.identifier == .max && recorded.startDate == date && CMRecordedPressureData().identifier == 0)
    let odometer = CMOdometerData(
      startDate: date, endDate: date.addingTimeInterval(1), deltaDistance: 2.5, deltaDistanceAccuracy: 0.5, speed: 2.4,
      speedAccuracy: 0.1, gpsDate: date, deltaAltitude: 0.2, verticalAccuracy: 3, slope: 1.5)
    let after = try coded(odometer)
    #expect(after.deltaDistance == 2.5 && after.speed == 2.4 && after.slope == 1.5 && after.maxAbsSlope == nil)
    #expect(after.originDevice == .local && after.verticalAccuracy == 3 && after.gpsDate == date)
    #expect(try coded(CMOdometerData()).slope == nil && CMOdometerData().originDevice == .unknown)
  }

  @Test("a list of samples is iterated by a fast enumeration, in the same order")
  func enumeration() throws {
    let source = RecordingSource(samples: walk(duration: 2, sensors: .ideal), speed: .infinity, isPaused: true)
    let recorder = CMSensorRecorder(source: source)
    recorder.recordAccelerometer(forDuration: 1)
    source.resume()
    #expect(eventually { source.position > 0.995 })
    let list = try #require(recorder.accelerometerData(from: .distantPast, to: .distantFuture))
    var iterator = NSFastEnumerationIterator(list)
    var identifiers: [UInt64] = []
    while let item = iterator.next() {
      identifiers.append(try #require(item as? CMRecordedAccelerometerData).identifier)
    }
    #expect(identifiers == Array(0..<50) && (list as Any) is any NSFastEnumeration)
    var none = NSFastEnumerationIterator("no list")
    #expect(none.next() == nil && CMSensorRecorder.isAuthorizedForRecording())
  }
}
