import CoreMotionCompatibility
import Testing

/// The permission belongs to the process, so each test runs in a separate process.
@Suite struct PermissionTests {
  @Test("without permission handlers receive error 105 or 111 or nothing, and every manager reports the status")
  func denied() async {
    await #expect(processExitsWith: .success) {
      MotionPermission.set(MotionPermission(status: .denied))
      expectRefused(status: .denied)
    }
  }

  @Test("an app without a usage description is denied as well, with one message on standard error")
  func withoutDescription() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      MotionPermission.set(MotionPermission(usageDescription: nil))
      expectRefused(status: .denied)
    }
    let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(said.components(separatedBy: "NSMotionUsageDescription").count == 2)
  }

  @Test("an undetermined user is prompted at the first use, and the answer is kept")
  func asked() async {
    await #expect(processExitsWith: .success) {
      MotionPermission.set(MotionPermission(status: .notDetermined, answer: .restricted))
      #expect(CMPedometer.authorizationStatus() == .notDetermined)
      expectRefused(status: .restricted)
      MotionPermission.set(MotionPermission(status: .notDetermined))
      let codes = Collected<Int>()
      CMPedometer(source: RecordingSource(samples: walk(duration: 1)))
        .queryPedometerData(from: .distantPast, to: .distantFuture) { _, error in codes.append(code(error)) }
      #expect(codes.wait(for: 1) && codes.all == [0] && CMAltimeter.authorizationStatus() == .authorized)
    }
  }
}

/// Returns the code of an error in Core Motion's domain, or 0 for no error.
private func code(_ error: (any Error)?) -> Int {
  (error as? NSError).map { $0.domain == CMErrorDomain ? $0.code : -1 } ?? 0
}

private func expectRefused(status: CMAuthorizationStatus) {
  let altitude = AuxiliarySample(time: 0, channel: .absoluteAltitude)
  let source = RecordingSource(samples: walk(duration: 1), auxiliary: steadyPressure(1) + [altitude], isPaused: true)
  let (queue, codes) = (serialQueue(), Collected<Int>())

  let activity = CMMotionActivityManager(source: source)
  activity.startActivityUpdates(to: queue) { _ in codes.append(-1) }
  activity.queryActivityStarting(from: .distantPast, to: .distantFuture, to: queue) { _, error in
    codes.append(code(error))
  }
  let pedometer = CMPedometer(source: source)
  pedometer.startUpdates(from: Date()) { _, error in codes.append(code(error)) }
  pedometer.startEventUpdates { _, error in codes.append(code(error)) }
  pedometer.queryPedometerData(from: .distantPast, to: .distantFuture) { _, error in codes.append(code(error)) }
  let altimeter = CMAltimeter(source: source)
  altimeter.startRelativeAltitudeUpdates(to: queue) { _, error in codes.append(code(error)) }
  altimeter.startAbsoluteAltitudeUpdates(to: queue) { _, error in codes.append(code(error)) }
  let headphones = CMHeadphoneMotionManager(source: source)
  headphones.startDeviceMotionUpdates()
  headphones.startDeviceMotionUpdates(to: queue) { _, error in codes.append(code(error)) }
  let batches = CMBatchedSensorManager(source: source)
  batches.startAccelerometerUpdates()
  batches.startDeviceMotionUpdates()
  batches.startAccelerometerUpdates { _, error in codes.append(code(error)) }
  batches.startDeviceMotionUpdates { _, error in codes.append(code(error)) }
  let recorder = CMSensorRecorder(source: source)
  recorder.recordAccelerometer(forDuration: 10)

  #expect(codes.wait(for: 9) && codes.all.sorted() == [105, 105, 105, 105, 105, 105, 111, 111, 111])
  #expect(!headphones.isDeviceMotionActive && !batches.isAccelerometerActive && !batches.isDeviceMotionActive)
  let statuses = [
    CMMotionActivityManager.authorizationStatus(), CMPedometer.authorizationStatus(), CMAltimeter.authorizationStatus(),
    CMHeadphoneMotionManager.authorizationStatus(), CMBatchedSensorManager.authorizationStatus,
    CMSensorRecorder.authorizationStatus(),
  ]
  #expect(statuses.allSatisfy { $0 == status })

  // The motion manager needs no permission.
  let (manager, motions) = (CMMotionManager(source: source), Collected<Int>())
  manager.startDeviceMotionUpdates(to: queue) { _, error in motions.append(code(error)) }
  source.speed = .infinity
  source.playToEnd(queue)
  #expect(motions.count > 50 && motions.all.allSatisfy { $0 == 0 } && codes.count == 9)
  #expect(recorder.accelerometerData(from: .distantPast, to: .distantFuture) == nil)
}
