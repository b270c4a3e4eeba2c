import CoreMotionCompatibility
import Testing

@Suite struct OtherManagerTests {
  @Test("headphones deliver every motion with their side, and report connections")
  func headphones() {
    final class Delegate: CMHeadphoneMotionManagerDelegate {
      let reported = Collected<String>()
      func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { reported.append("connected") }
      func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { reported.append("gone") }
    }
    let samples = walk(duration: 3)
    let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
    let manager = CMHeadphoneMotionManager(source: source, sensorLocation: .headphoneRight)
    let delegate = Delegate()
    manager.delegate = delegate
    #expect(manager.isDeviceMotionAvailable && !manager.isConnectionStatusActive)
    manager.startConnectionStatusUpdates()
    #expect(manager.isConnectionStatusActive)
    let (queue, motions) = (serialQueue(), Collected<CMDeviceMotion>())
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in motions.append(motion!) }
    #expect(manager.isDeviceMotionActive)
    source.playToEnd(queue)
    #expect(motions.count == batch(samples).count && motions.all.allSatisfy { $0.sensorLocation == .headphoneRight })
    #expect(manager.deviceMotion?.sensorLocation == .headphoneRight && delegate.reported.all == ["connected", "gone"])
    manager.stopDeviceMotionUpdates()
    manager.stopConnectionStatusUpdates()
    #expect(!manager.isDeviceMotionActive && manager.deviceMotion == nil && !manager.isConnectionStatusActive)
  }

  @Test("batches span one second, contain every sample once, and the last one is delivered with the end")
  func batches() {
    let samples = walk(duration: 3.5, sensors: .ideal)
    let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
    let manager = CMBatchedSensorManager(source: source)
    #expect(manager.accelerometerDataFrequency == 100 && manager.deviceMotionDataFrequency == 100)
    let (accelerations, motions) = (Collected<[CMAccelerometerData]>(), Collected<[CMDeviceMotion]>())
    manager.startAccelerometerUpdates { batch, _ in accelerations.append(batch!) }
    manager.startDeviceMotionUpdates { batch, _ in motions.append(batch!) }
    source.playToEnd()
    #expect(accelerations.wait(for: 4) && motions.wait(for: 4))
    #expect(accelerations.all.map(\.count) == [100, 100, 100, 50] && motions.all.map(\.count) == [100, 100, 100, 50])
    let times = accelerations.all.flatMap { $0 }.map(\.timestamp)
    #expect(times == samples.filter { $0.channel == .accelerometer }.map(\.time))
    #expect(manager.accelerometerBatch?.count == 50)
    manager.stopAccelerometerUpdates()
    manager.stopDeviceMotionUpdates()
    #expect(manager.accelerometerBatch == nil && manager.deviceMotionBatch == nil)
    #expect(!manager.isAccelerometerActive && !manager.isDeviceMotionActive)
  }

  @Test("a loop over batches stops the updates when it ends")
  func batchLoop() async throws {
    let source = RecordingSource(samples: walk(duration: 4, sensors: .ideal), speed: 100)
    let manager = CMBatchedSensorManager(source: source)
    var counts: [Int] = []
    for try await batch in manager.deviceMotionUpdates() {
      counts.append(batch.count)
      if counts.count == 2 { break }
    }
    #expect(counts == [100, 100])
    for _ in 0..<60_000 where manager.isDeviceMotionActive { try await Task.sleep(for: .milliseconds(1)) }
    #expect(!manager.isDeviceMotionActive)
  }

  @Test("a recorder stores 50 samples per second for the requested duration, with dates")
  func recorder() throws {
    let samples = walk(duration: 4, sensors: .ideal)
    let source = RecordingSource(samples: samples, epoch: 1_000_000, speed: .infinity, isPaused: true)
    let recorder = CMSensorRecorder(source: source)
    recorder.recordAccelerometer(forDuration: 2)
    recorder.recordAccelerometer(forDuration: -1)
    source.resume()
    // It detaches when it has the requested samples, and the recording stops there.
    #expect(eventually { source.position > 1.995 })
    let all = try #require(recorder.accelerometerData(from: .distantPast, to: .distantFuture).map { Array($0) })
    #expect(all.count == 100)
    #expect(all.first?.startDate == Date(timeIntervalSince1970: 1_000_000) && all.last?.identifier == 99)
    let part = recorder.accelerometerData(
      from: Date(timeIntervalSince1970: 1_000_000.999), to: Date(timeIntervalSince1970: 1_000_001.101))
    #expect(part.map { Array($0).count } == 6)
    #expect(recorder.accelerometerData(from: .distantPast, to: Date(timeIntervalSince1970: 0)) == nil)
    let none = CMSensorRecorder(source: RecordingSource(samples: []))
    none.recordAccelerometer(forDuration: 1)
    #expect(none.accelerometerData(from: .distantPast, to: .distantFuture) == nil)
  }

  @Test("managers without the required sensors report an error to their handlers")
  func unavailable() async {
    let gyroscope = walk(duration: 1).filter { $0.channel == .gyroscope }
    let source = RecordingSource(samples: gyroscope, speed: .infinity, isPaused: true)
    let (queue, codes) = (serialQueue(), Collected<Int>())
    @Sendable func note(_ error: (any Error)?) { codes.append((error as NSError?)?.code ?? 0) }
    let headphones = CMHeadphoneMotionManager(source: source)
    headphones.startDeviceMotionUpdates(to: queue) { note($1) }
    let altimeter = CMAltimeter(source: source)
    altimeter.startRelativeAltitudeUpdates(to: queue) { note($1) }
    altimeter.startAbsoluteAltitudeUpdates(to: queue) { note($1) }
    let batched = CMBatchedSensorManager(source: source)
    batched.startAccelerometerUpdates { note($1) }
    batched.startDeviceMotionUpdates { note($1) }
    #expect(codes.wait(for: 5) && codes.all == Array(repeating: Int(CMErrorNotAvailable.rawValue), count: 5))
    #expect(!headphones.isDeviceMotionActive && !batched.isAccelerometerActive && !batched.isDeviceMotionActive)
    await #expect(throws: NSError.self) { for try await _ in batched.accelerometerUpdates() {} }
  }
}
