import Foundation
import Simulation
import TestSupport
import Testing

@testable import CoreMotionCompatibility

/// Whatever changes the process's sensors: one test at a time.
@Suite(.serialized) struct DefaultSourceTests {
  private static let shaking = try! Simulation(scenario: .shake, duration: 21, seed: 4).samples()

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

  @Test("managers that were given none use the process's source, also one set later")
  func later() {
    let manager = CMMotionManager()
    withDefault(RecordingSource(samples: walk(duration: 1), epoch: 86_400, speed: .infinity, isPaused: true)) {
      #expect(MotionSensors.now.timeIntervalSince1970.rounded() == 86_400)
      #expect((MotionSensors.absoluteTime + 978_307_200).rounded() == 86_400)
      #expect(manager.isDeviceMotionAvailable)
      #expect(CMMotionManager.availableAttitudeReferenceFrames().rawValue == 15)
      #expect(CMBatchedSensorManager.isAccelerometerSupported && CMSensorRecorder.isAccelerometerRecordingAvailable())
    }
    #expect(!manager.isDeviceMotionAvailable)
  }

  @Test(
    "a player skips a title with each bout of shaking, is deaf in the background, and listens again in front",
    arguments: [ShakePlayer.Detector.threshold, .lowPass])
  func shakeToSkip(detector: ShakePlayer.Detector) {
    // Bouts of 3 s after pauses of 4 s: from 4, 11 and 18 s on.
    let source = RecordingSource(samples: Self.shaking, speed: .infinity, isPaused: true)
    let stopper = Stopper(source, at: [9, 16])
    let stopping = source.attach(stopper)
    withDefault(source) {
      let player = ShakePlayer(detector: detector)
      player.viewDidAppear()
      #expect(player.isListening)
      stopper.playToNextStop()
      player.motionQueue.waitUntilAllOperationsAreFinished()
      let first = player.skippedTitles
      // A second between two skips.
      #expect((1...3).contains(first))
      player.applicationDidEnterBackground()
      #expect(!player.isListening)
      stopper.playToNextStop()
      player.motionQueue.waitUntilAllOperationsAreFinished()
      #expect(player.skippedTitles == first)
      player.applicationWillEnterForeground()
      #expect(player.isListening)
      source.playToEnd(player.motionQueue)
      #expect((1...3).contains(player.skippedTitles - first))
    }
    stopping.cancel()
  }

  @Test("a player that stops at the first shake stops there, and no update comes after")
  func firstShake() {
    let source = RecordingSource(samples: Self.shaking, speed: .infinity, isPaused: true)
    withDefault(source) {
      let player = ShakePlayer(detector: .threshold, stopsAtFirstShake: true)
      player.viewDidAppear()
      source.resume()
      #expect(eventually { !player.isListening } && player.skippedTitles == 1)
      // The recording stands where nobody listens any more.
      #expect(source.position < 8)
    }
  }

  @Test("a collector's timer finds every sensor's latest value and the attitude relative to the first")
  func collector() {
    let heights = (0..<60).map { second in
      var sample = AuxiliarySample(time: Double(second), channel: .barometer)
      sample["pressure"] = 101.325 - 0.01 * Double(second)
      return sample
    }
    let source = RecordingSource(samples: striding(duration: 60), auxiliary: heights, speed: 50)
    withDefault(source) {
      let collector = SensorCollector()
      collector.start(every: 0.005)
      source.waitForEnd(timeout: 60)
      #expect(eventually { collector.steps > 80 && collector.activity == "walking" && collector.altitude > 40 })
      collector.stop()
      let rows = collector.rows
      #expect(rows.count > 5)
      #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.time <= $1.time })
      #expect(rows.last?.rotationRate != nil && rows.last?.magneticField != nil)
      let attitudes = rows.compactMap(\.attitude)
      #expect(attitudes.first.map { abs($0.roll) + abs($0.pitch) + abs($0.yaw) < 1e-12 } == true)
      #expect(attitudes.dropFirst(3).contains { abs($0.roll) + abs($0.pitch) + abs($0.yaw) > 1e-3 })
    }
  }

  @Test("the environment names a log, its speed, or a stream; what is wrong is said with what is right")
  func descriptions() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("inertial-\(UUID().uuidString).csv").path
    try "time,accelerationX,accelerationY,accelerationZ\n0,0,0,-1\n0.01,0,0,-1\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    func speed(_ text: String) throws -> Double? { (try MotionSensors.source(text) as? RecordingSource)?.speed }
    #expect(try speed(path) == 1)
    #expect(try speed(path + "?speed=2.5") == 2.5)
    #expect(try speed(path + "?speed=max") == .infinity)
    func unheard(_ text: String) throws -> RecordingSource.UnheardTime? {
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
    ] {
      #expect(throws: LogError.self) { try MotionSensors.source(wrong) }
    }
    #expect(MotionSensors.environmentSource([:]) == nil)
    #expect(MotionSensors.environmentSource([MotionSensors.environmentName: path])?.name == path)
  }
}

/// Pauses a source at some of its times.
private final class Stopper: SensorReceiver, @unchecked Sendable {
  private let source: RecordingSource
  private let stopped = Collected<Double>()
  private let monitor = Monitor()
  private var times: [Double]

  init(_ source: RecordingSource, at times: [Double]) {
    self.source = source
    self.times = times
  }

  func receive(_ event: SensorEvent) {
    guard case .samples(let samples) = event, let time = samples.last?.time else { return }
    let isDue = monitor.withLock {
      guard let next = times.first, time >= next else { return false }
      times.removeFirst()
      return true
    }
    guard isDue else { return }
    source.pause()
    stopped.append(time)
  }

  func playToNextStop() {
    let count = stopped.count
    source.resume()
    #expect(stopped.wait(for: count + 1))
  }
}
