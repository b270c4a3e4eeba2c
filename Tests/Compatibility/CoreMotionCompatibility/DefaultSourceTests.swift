import Testing

@testable import CoreMotionCompatibility

/// Tests that change the process's sensors, and therefore run one at a time.
@Suite(.serialized) struct DefaultSourceTests {
  private func withDefault<Result>(_ source: (any SensorSource)?, _ body: () throws -> Result) rethrows -> Result {
    MotionSensors.setDefault(source)
    defer { MotionSensors.setDefault(nil) }
    return try body()
  }

  @Test("without a source nothing is available and nothing starts")
  func none() {
    withDefault(nil) {
      let manager = CMMotionManager()
      #expect(!manager.isAccelerometerAvailable && !manager.isDeviceMotionAvailable)
      #expect(CMMotionManager.availableAttitudeReferenceFrames().isEmpty)
      manager.startAccelerometerUpdates()
      manager.startDeviceMotionUpdates()
      let codes = Collected<Int>()
      manager.startAccelerometerUpdates(to: serialQueue()) { codes.append(($1! as NSError).code) }
      #expect(codes.wait(for: 1) && codes.all == [Int(CMErrorNotAvailable.rawValue)])
      #expect(abs(MotionSensors.now.timeIntervalSinceNow) < 60)
      #expect(!manager.isAccelerometerActive && !manager.isDeviceMotionActive && manager.deviceMotion == nil)
      #expect(!CMSensorRecorder.isAccelerometerRecordingAvailable() && !CMBatchedSensorManager.isDeviceMotionSupported)
    }
  }

  @Test("managers without their own source use the process's, even if it is set later")
  func later() {
    let manager = CMMotionManager()
    withDefault(RecordingSource(samples: walk(duration: 1), epoch: 86_400, speed: .infinity, isPaused: true)) {
      #expect(MotionSensors.now.timeIntervalSince1970.rounded() == 86_400)
      #expect((MotionSensors.absoluteTime + 978_307_200).rounded() == 86_400 && manager.isDeviceMotionAvailable)
      #expect(CMMotionManager.availableAttitudeReferenceFrames().rawValue == 15)
      #expect(CMBatchedSensorManager.isAccelerometerSupported && CMSensorRecorder.isAccelerometerRecordingAvailable())
    }
    #expect(!manager.isDeviceMotionAvailable)
  }

  @Test("common app code runs with its own queue, the main queue, the current queue and a timer")
  func idioms() {
    func played(_ start: (MotionIdioms) -> Void) -> MotionIdioms {
      let source = RecordingSource(samples: striding(duration: 4), speed: .infinity, isPaused: true)
      return withDefault(source) {
        let app = MotionIdioms()
        start(app)
        source.resume()
        source.waitForEnd(timeout: 60)
        #expect(eventually { app.readings.count > 20 })
        app.poll()
        app.stop()
        #expect(!app.manager.isDeviceMotionActive && !app.manager.isAccelerometerActive)
        return app
      }
    }
    let own = played { $0.startOnOwnQueue() }
    #expect(own.readings.prefix(3).allSatisfy { abs($0) < 1e-9 })
    _ = played { $0.startInNorthFrame() }
    _ = played { app in
      app.queue.addOperation { app.startOnCurrentQueue() }
      app.queue.waitUntilAllOperationsAreFinished()
    }
    let source = RecordingSource(samples: striding(duration: 4), speed: .infinity, isPaused: true)
    withDefault(source) {
      let app = MotionIdioms()
      app.startPolling()
      source.resume()
      source.waitForEnd(timeout: 60)
      app.calibrate()
      app.poll()
      app.stop()
      #expect(app.readings.count == 3 && abs(app.readings[2]) < 1e-9)
    }
  }

  @Test("common queries of steps, activities, altitude and headphones are answered")
  func healthIdioms() async {
    let source = RecordingSource(
      samples: striding(duration: 40), auxiliary: steadyPressure(40), epoch: Date().timeIntervalSince1970 - 3600,
      speed: .infinity, isPaused: true)
    MotionSensors.setDefault(source)
    defer { MotionSensors.setDefault(nil) }
    let (health, reported, granted) = (HealthIdioms(), Collected<String>(), Collected<Bool>())
    health.requestAccess { granted.append($0) }
    #expect(await health.stepsToday().map { $0.steps > 60 && $0.metres > 30 && $0.floors == 0 } == true)
    #expect(await health.activityNames().contains("walking"))
    health.startEverything { reported.append($0) }
    let (headphones, attitudes) = (HeadphoneIdioms(), Collected<CMAttitude>())
    headphones.start { attitudes.append($0) }
    #expect(headphones.isConnected)
    source.playToEnd()
    #expect(attitudes.wait(for: 1000) && reported.wait(for: 50) && granted.wait(for: 1))
    health.stopEverything()
    headphones.stop()
    #expect(granted.all == [true] && HealthIdioms.word(for: CMAltimeter.authorizationStatus()) == "yes")
    let missing = NSError(domain: CMErrorDomain, code: Int(CMErrorMotionActivityNotAvailable.rawValue))
    let unknown = NSError(domain: CMErrorDomain, code: Int(CMErrorUnknown.rawValue))
    #expect(HealthIdioms.isFinal(missing) && !HealthIdioms.isFinal(unknown))
  }

  @Test("the environment specifies a log and its speed, or a stream; an error names the valid values")
  func descriptions() throws {
    let folder = TemporaryFolder()
    let path = folder.write("time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.01,0,0,-1\n", to: "log.csv")
    func speed(_ text: String) throws -> Double? { (try MotionSensors.source(text) as? RecordingSource)?.speed }
    #expect(try speed(path) == 1 && speed(path + "?speed=2.5") == 2.5 && speed(path + "?speed=max") == .infinity)
    func unheard(_ text: String) throws -> RecordingSource.IdleClockPolicy? {
      (try MotionSensors.source(text) as? RecordingSource)?.unheard
    }
    #expect(try unheard(path) == .automatic)
    #expect(try unheard(path + "?speed=max&unheard=runs") == .runs && unheard(path + "?unheard=stands") == .stands)
    let place = "latitude=47.4&longitude=8.5"
    let expected = try MagneticDeclination(
      given: PlaceAndDate(place: Place(latitude: 47.4, longitude: 8.5, altitude: 400), year: 2020))
    #expect(expected != nil)
    for address in [path, "udp://127.0.0.1:0"] {
      let dated = try MotionSensors.source("\(address)?\(place)&altitude=400&date=2020-01-01")
      #expect(dated.declination == expected?.angle && dated.warnings.isEmpty)
      let undated = try MotionSensors.source("\(address)?\(place)")
      let newest = try MagneticDeclination(given: PlaceAndDate(place: Place(latitude: 47.4, longitude: 8.5)))
      #expect(undated.declination == newest?.angle && undated.warnings.count == 1)
    }
    let stream = try MotionSensors.source("udp://127.0.0.1:0?channels=accelerometer,gyroscope")
    #expect(stream.channels == [.accelerometer, .gyroscope])
    for wrong in [
      path + "?speed=0", path + "?speed=fast", path + "?channels=gyroscope", path + ".none",
      "udp://127.0.0.1:0?speed=2", "udp://127.0.0.1:0?unheard=runs", path + "?unheard=perhaps",
      path + "?latitude=47.4", path + "?latitude=north&longitude=8", path + "?latitude=99&longitude=8",
      path + "?date=yesterday", path + "?\(place)&date=2040-01-01", "udp://127.0.0.1:0?\(place)&date=2040-01-01",
      "udp://127.0.0.1:0?channels=nose", "udp://nowhere",
    ] { #expect(throws: LogError.self) { try MotionSensors.source(wrong) } }
    #expect(MotionSensors.environmentSource([:]) == nil)
    #expect(MotionSensors.environmentSource([MotionSensors.environmentName: path])?.name == path)
  }
}
