import CoreMotionCompatibility
import Testing

@Suite struct MotionManagerTests {
  @Test(
    "a handler receives the motions of a batch run, in order, in every frame",
    arguments: [
      CMAttitudeReferenceFrame.xArbitraryZVertical, .xArbitraryCorrectedZVertical, .xMagneticNorthZVertical,
      .xTrueNorthZVertical,
    ])
  func equalsBatch(frame: CMAttitudeReferenceFrame) {
    let samples = walk()
    let source = RecordingSource(samples: samples, declination: 0.05, speed: .infinity, isPaused: true)
    let manager = CMMotionManager(source: source)
    manager.deviceMotionUpdateInterval = 0
    let (queue, received) = (OperationQueue(), Collected<CMDeviceMotion>())
    manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, error in
      // The phone's raw field is not calibrated this early, which is reported in a north frame.
      #expect(error.map { ($0 as NSError).code == 101 } ?? true)
      if let motion { received.append(motion) }
    }
    #expect(manager.attitudeReferenceFrame == frame)
    source.playToEnd(queue)
    let expected = batch(samples, frame: AttitudeReferenceFrame(rawValue: frame.rawValue), declination: 0.05)
    #expect(received.count == expected.count)
    #expect(zip(received.all, expected).allSatisfy { largestDifference($0, $1) <= 1e-12 } && manager.droppedCount == 0)
    manager.stopDeviceMotionUpdates()
  }

  @Test(
    "the first motion comes within two samples of the start, then one with each sample, without a burst",
    arguments: [CMAttitudeReferenceFrame.xArbitraryZVertical, .xMagneticNorthZVertical])
  func firstMotion(frame: CMAttitudeReferenceFrame) {
    let (source, manager, queue) = player(walk(duration: 2))
    (manager.gyroUpdateInterval, manager.deviceMotionUpdateInterval) = (0, 0)
    // On one queue, the order of both is the order of their arrival.
    let order = Collected<String>()
    manager.startGyroUpdates(to: queue) { _, _ in order.append("sample") }
    manager.startDeviceMotionUpdates(using: frame, to: queue) { motion, _ in
      if motion != nil { order.append("motion") }
    }
    source.playToEnd(queue)
    let reported = order.all
    #expect(reported.prefix { $0 == "sample" }.count <= 3 && abs(reported.count { $0 == "motion" } - 200) <= 1)
    // The maximum between two samples; the raw field's own clock may delay one.
    #expect(reported.split(separator: "sample").map(\.count).max() ?? 0 <= 3)
  }

  @Test("a handler's motion is delivered with the samples of its epoch, without waiting for a later one")
  func withoutDelay() {
    let samples = (0..<50).flatMap { index in
      [
        SensorSample(time: Double(index) / 100, channel: .gyroscope, .zero),
        SensorSample(time: Double(index) / 100, channel: .accelerometer, Vector3(0, 0, -1)),
      ]
    }
    let (source, manager, queue) = player(samples)
    (manager.gyroUpdateInterval, manager.deviceMotionUpdateInterval) = (0, 0)
    let order = Collected<String>()
    manager.startGyroUpdates(to: queue) { _, _ in order.append("sample") }
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical, to: queue) { motion, _ in
      if motion != nil { order.append("motion") }
    }
    source.playToEnd(queue)
    #expect(order.all.suffix(20) == Array(repeating: ["sample", "motion"], count: 10).flatMap { $0 }[...])
  }

  @Test("raw handlers get every sample of their sensor with the log's own timestamps")
  func raw() {
    let samples = walk(duration: 2)
    let (source, manager, queue) = player(samples)
    manager.magnetometerUpdateInterval = 0.01
    let (accelerations, rates, fields) = (
      Collected<CMAccelerometerData>(), Collected<CMGyroData>(), Collected<CMMagnetometerData>()
    )
    manager.startAccelerometerUpdates(to: queue) { data, _ in accelerations.append(data!) }
    manager.startGyroUpdates(to: queue) { data, _ in rates.append(data!) }
    manager.startMagnetometerUpdates(to: queue) { data, _ in fields.append(data!) }
    #expect(manager.isAccelerometerActive && manager.isGyroActive && manager.isMagnetometerActive)
    source.playToEnd(queue)
    for (channel, times) in [
      (SensorChannel.accelerometer, accelerations.all.map(\.timestamp)), (.gyroscope, rates.all.map(\.timestamp)),
      (.magnetometer, fields.all.map(\.timestamp)),
    ] { #expect(times == samples.filter { $0.channel == channel }.map(\.time)) }
    let first = samples.first { $0.channel == .gyroscope }!
    #expect(rates.all[0].rotationRate.y == first.y)
  }

  @Test("the latest value of each sensor is available after the start, and not after the stop")
  func pull() {
    let (source, manager, _) = player(walk(duration: 3))
    #expect(manager.accelerometerData == nil && manager.deviceMotion == nil)
    manager.startAccelerometerUpdates()
    manager.startGyroUpdates()
    manager.startMagnetometerUpdates()
    manager.startDeviceMotionUpdates()
    source.playToEnd()
    let times = source.times
    #expect(manager.accelerometerData.map { $0.timestamp > times.upperBound - 0.05 } == true)
    #expect(manager.gyroData != nil && manager.magnetometerData != nil)
    let (one, two) = (manager.deviceMotion, manager.deviceMotion)
    #expect(one !== two && one?.attitude == two?.attitude)
    // Changing one attitude does not change the others.
    one?.attitude.multiply(byInverseOf: two!.attitude)
    #expect(one?.attitude.quaternion.w == 1 || abs(one!.attitude.quaternion.w - 1) < 1e-15)
    #expect(manager.deviceMotion?.attitude == two?.attitude)
    manager.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    manager.stopDeviceMotionUpdates()
    #expect(manager.accelerometerData == nil && manager.gyroData == nil)
    #expect(manager.magnetometerData == nil && manager.deviceMotion == nil)
    #expect(!manager.isAccelerometerActive && !manager.isGyroActive)
    #expect(!manager.isMagnetometerActive && !manager.isDeviceMotionActive)
  }

  @Test("intervals are 0.01 s by default (magnetometer: 0.04 s), kept as set, and select the samples of their grid")
  func intervals() {
    let (source, manager, queue) = player(walk(duration: 3, sensors: .ideal))
    #expect(manager.accelerometerUpdateInterval == 0.01 && manager.gyroUpdateInterval == 0.01)
    #expect(manager.deviceMotionUpdateInterval == 0.01 && manager.magnetometerUpdateInterval == 0.04)
    (manager.accelerometerUpdateInterval, manager.gyroUpdateInterval) = (0.02, 1e-9)
    manager.deviceMotionUpdateInterval = 0.05
    #expect(manager.accelerometerUpdateInterval == 0.02 && manager.gyroUpdateInterval == 1e-9)
    let times = [Collected<Double>(), Collected<Double>(), Collected<Double>()]
    manager.startAccelerometerUpdates(to: queue) { data, _ in times[0].append(data!.timestamp) }
    manager.startGyroUpdates(to: queue) { data, _ in times[1].append(data!.timestamp) }
    manager.startDeviceMotionUpdates(to: queue) { data, _ in times[2].append(data!.timestamp) }
    source.playToEnd(queue)
    #expect(times.map(\.count) == [150, 300, 60])
    #expect(zip(times[0].all, times[0].all.dropFirst()).map { $1 - $0 }.allSatisfy { abs($0 - 0.02) < 1e-9 })
  }

  @Test("a missing sensor is unavailable, and its handler receives an error once")
  func unavailable() {
    let samples = walk(duration: 1).filter { $0.channel == .accelerometer }
    let (source, manager, queue) = player(samples)
    #expect(manager.isAccelerometerAvailable && !manager.isGyroAvailable && !manager.isMagnetometerAvailable)
    #expect(!manager.isDeviceMotionAvailable && manager.availableFrames.isEmpty)
    let errors = Collected<String>()
    // Without a receiver the source would stop.
    manager.startAccelerometerUpdates()
    @Sendable func note(_ sensor: String, _ data: Any?, _ error: (any Error)?) {
      let error = error as NSError?
      errors.append("\(sensor) \(data == nil ? "" : "data ")\(error?.domain ?? "") \(error?.code ?? 0)")
    }
    manager.startGyroUpdates(to: queue) { note("gyroscope", $0, $1) }
    manager.startDeviceMotionUpdates(to: queue) { note("motion", $0, $1) }
    manager.startMagnetometerUpdates(to: queue) { note("magnetometer", $0, $1) }
    manager.startMagnetometerUpdates()
    #expect(!manager.isGyroActive && !manager.isDeviceMotionActive && !manager.isMagnetometerActive)
    source.playToEnd(queue)
    let expected = ["gyroscope", "motion", "magnetometer"].map { "\($0) CMErrorDomain 109" }
    #expect(errors.all == expected && manager.gyroData == nil)
    manager.stopGyroUpdates()
  }

  @Test("the frames depend on the source's sensors; a start in another frame has no effect except an error")
  func frames() {
    let all = walk(duration: 1)
    let inertial = all.filter { $0.channel == .accelerometer || $0.channel == .gyroscope }
    let manager = CMMotionManager(source: RecordingSource(samples: inertial, isPaused: true))
    #expect(manager.availableFrames == .xArbitraryZVertical && manager.attitudeReferenceFrame == .xArbitraryZVertical)
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical)
    #expect(!manager.isDeviceMotionActive && manager.attitudeReferenceFrame == .xArbitraryZVertical)
    manager.startDeviceMotionUpdates(using: [.xArbitraryZVertical, .xMagneticNorthZVertical])
    #expect(!manager.isDeviceMotionActive)
    let (queue, codes) = (serialQueue(), Collected<Int>())
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: queue) { codes.append(($1! as NSError).code) }
    manager.startDeviceMotionUpdates(using: [], to: queue) { codes.append(($1! as NSError).code) }
    queue.waitUntilAllOperationsAreFinished()
    #expect(codes.all == [CMErrorNotAvailable, CMErrorInvalidParameter].map { Int($0.rawValue) })
    #expect(CMMotionManager(source: RecordingSource(samples: all, isPaused: true)).availableFrames.rawValue == 15)
  }

  @Test("after a stop no handler call begins, the queue's operations are cancelled, and a restart begins from scratch")
  func stop() {
    let source = RecordingSource(samples: walk(duration: 4), speed: .infinity)
    let manager = CMMotionManager(source: source)
    let (queue, calls) = (serialQueue(), Collected<Double>())
    manager.startAccelerometerUpdates(to: queue) { data, error in
      guard let data, error == nil else { return }
      calls.append(data.timestamp)
      if calls.count == 5 { manager.stopAccelerometerUpdates() }
    }
    #expect(calls.wait(for: 5))
    queue.waitUntilAllOperationsAreFinished()
    #expect(calls.count == 5 && !manager.isAccelerometerActive && manager.accelerometerData == nil)
    let blocked = serialQueue()
    blocked.isSuspended = true
    manager.startAccelerometerUpdates(to: blocked) { _, _ in calls.append(-1) }
    #expect(eventually { blocked.operationCount >= 3 })
    manager.stopAccelerometerUpdates()
    blocked.isSuspended = false
    blocked.waitUntilAllOperationsAreFinished()
    #expect(calls.count == 5 && calls.all == calls.all.sorted())
  }

  @Test("a new start replaces the handler")
  func replacement() {
    let (source, manager, queue) = player(walk(duration: 1))
    let (first, second) = (Collected<Double>(), Collected<Double>())
    manager.startGyroUpdates(to: queue) { data, _ in first.append(data!.timestamp) }
    manager.startGyroUpdates(to: queue) { data, _ in second.append(data!.timestamp) }
    source.playToEnd(queue)
    #expect(first.count == 0 && second.count == 100)
    // Without a handler, only the latest value is updated.
    manager.startGyroUpdates()
    source.seek(to: 0)
    source.playToEnd(queue)
    #expect(second.count == 100 && manager.gyroData != nil)
  }

  @Test("on a concurrent queue the calls are in order and never overlap")
  func order() {
    let (source, manager, _) = player(walk(duration: 4))
    let queue = OperationQueue()
    let (times, overlaps, monitor) = (Collected<Double>(), Collected<Int>(), Monitor())
    nonisolated(unsafe) var running = 0
    manager.startAccelerometerUpdates(to: queue) { data, _ in
      let now = monitor.withLock {
        running += 1
        return running
      }
      if now > 1 { overlaps.append(now) }
      times.append(data!.timestamp)
      monitor.withLock { running -= 1 }
    }
    source.playToEnd(queue)
    #expect(times.count == 400 && times.all == times.all.sorted() && overlaps.count == 0)
  }

  @Test("a slow handler loses the oldest updates in real time, which are counted, and none at infinite speed")
  func backpressure() {
    let samples = walk(duration: 20).filter { $0.channel == .accelerometer }
    let source = RecordingSource(samples: samples, speed: 400, isPaused: true)
    let manager = CMMotionManager(source: source)
    let (queue, times) = (serialQueue(), Collected<Double>())
    queue.isSuspended = true
    manager.startAccelerometerUpdates(to: queue) { data, _ in times.append(data!.timestamp) }
    source.resume()
    source.waitForEnd(timeout: 60)
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    #expect(times.count == 1024 && manager.droppedCount == samples.count - 1024)
    #expect(times.all == samples.suffix(1024).map(\.time))
  }

  @Test("cancelled operations of the queue drop their updates, and the stream continues")
  func cancelledOperations() {
    let samples = walk(duration: 5).filter { $0.channel == .accelerometer }
    let (source, manager, queue) = player(samples)
    let times = Collected<Double>()
    queue.isSuspended = true
    manager.startAccelerometerUpdates(to: queue) { data, _ in times.append(data!.timestamp) }
    source.resume()
    // The source waits for room: sixty-four updates are pending, and all of them are dropped.
    #expect(eventually { queue.operationCount >= 64 })
    queue.cancelAllOperations()
    queue.isSuspended = false
    source.waitForEnd(timeout: 60)
    queue.waitUntilAllOperationsAreFinished()
    #expect(times.count >= 400 && times.count <= 437)
    #expect(times.all.last == samples.last?.time && times.all == times.all.sorted())
  }

  @Test("true north without a place is reported once as an error, and yields no motion")
  func trueNorth() {
    let (source, manager, queue) = player(walk(duration: 2))
    let (errors, motions) = (Collected<NSError>(), Collected<Double>())
    manager.startDeviceMotionUpdates(using: .xTrueNorthZVertical, to: queue) { motion, error in
      if let error { errors.append(error as NSError) }
      if let motion { motions.append(motion.timestamp) }
    }
    #expect(manager.isDeviceMotionActive)
    source.playToEnd(queue)
    #expect(errors.all.map(\.code) == [Int(CMErrorTrueNorthNotAvailable.rawValue)])
    #expect(errors.all.first?.domain == CMErrorDomain && motions.count == 0 && manager.deviceMotion == nil)
  }

  @Test("a north frame without a calibrated field requests movement once; one with a calibrated field never does")
  func movement() {
    func errors(_ samples: [SensorSample], _ frame: CMAttitudeReferenceFrame) -> [Int] {
      let (source, manager, queue) = player(samples)
      let codes = Collected<Int>()
      manager.startDeviceMotionUpdates(using: frame, to: queue) { _, error in
        if let error { codes.append((error as NSError).code) }
      }
      source.playToEnd(queue)
      return codes.all
    }
    var suite = SensorSuite.ideal
    (suite.referenceRate, suite.magnetometer!.output) = (nil, .raw)
    suite.magnetometer!.hardIron = Vector3(200, 0, 0)
    let resting = try! Simulation(scenario: .rest, sensors: suite, duration: 12).samples()
    #expect(errors(resting, .xMagneticNorthZVertical) == [101] && errors(resting, .xArbitraryZVertical) == [])
    #expect(errors(resting.filter { $0.time < 4 }, .xMagneticNorthZVertical) == [])
    suite.magnetometer!.output = .calibrated
    let calibrated = try! Simulation(scenario: .rest, sensors: suite, duration: 12).samples()
    #expect(errors(calibrated, .xMagneticNorthZVertical) == [])
  }

  @Test("the last motions keep the latest field, which no later one follows, but not for longer than half a second")
  func lastField() throws {
    func motions(fieldUntil end: Double) -> [CMDeviceMotion] {
      // At rest, with a calibrated field at 20 Hz.
      let samples = (0..<300).flatMap { index -> [SensorSample] in
        let time = Double(index) / 100
        let field = SensorSample(time: time, channel: .calibratedMagneticField, Vector3(20, 0, -40), w: 0)
        return [
          SensorSample(time: time, channel: .gyroscope, .zero),
          SensorSample(time: time, channel: .accelerometer, Vector3(0, 0, -1)),
        ] + (index % 5 == 0 && time < end ? [field] : [])
      }
      let (source, manager, queue) = player(samples)
      manager.deviceMotionUpdateInterval = 0
      let motions = Collected<CMDeviceMotion>()
      manager.startDeviceMotionUpdates(using: .xArbitraryCorrectedZVertical, to: queue) { motion, _ in
        if let motion { motions.append(motion) }
      }
      source.playToEnd(queue)
      manager.stopDeviceMotionUpdates()
      return motions.all
    }
    let all = motions(fieldUntil: 3)
    #expect(all.last?.timestamp == 2.99 && all.last?.magneticField.accuracy == .low)
    #expect(all.suffix(20).allSatisfy { abs($0.magneticField.field.z + 40) < 1e-12 })
    let gone = motions(fieldUntil: 2)
    #expect(gone.last?.magneticField.accuracy == .uncalibrated)
  }

  @Test("the end of the source is reported, and a seek restarts playback with a new estimation")
  func endAndSeek() {
    let samples = walk(duration: 6)
    let (source, manager, queue) = player(samples)
    manager.deviceMotionUpdateInterval = 0
    let (statuses, motions) = (Collected<SensorSourceStatus>(), Collected<CMDeviceMotion>())
    manager.sourceStatusHandler = { statuses.append($0) }
    manager.startDeviceMotionUpdates(to: queue) { motion, _ in motions.append(motion!) }
    source.playToEnd(queue)
    #expect(statuses.all == [.ended(nil)])
    let count = motions.count
    source.seek(to: 3)
    source.playToEnd(queue)
    let expected = batch(samples.filter { $0.time >= 3 })
    #expect(motions.count - count == expected.count)
    #expect(zip(motions.all.dropFirst(count), expected).allSatisfy { largestDifference($0, $1) <= 1e-12 })
  }

  @Test("a deallocated manager calls no handler, and detaches from its source")
  func lifetime() {
    let source = RecordingSource(samples: walk(duration: 30), speed: .infinity, isPaused: true)
    let (queue, times) = (serialQueue(), Collected<Double>())
    weak var weakManager: CMMotionManager?
    do {
      let manager = CMMotionManager(source: source)
      weakManager = manager
      manager.startAccelerometerUpdates(to: queue) { data, _ in times.append(data!.timestamp) }
    }
    #expect(weakManager == nil)
    source.resume()
    Thread.sleep(forTimeInterval: 0.01)
    #expect(times.count == 0 && source.position == 0)
  }
}
