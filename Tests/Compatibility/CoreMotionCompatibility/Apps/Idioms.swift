import Foundation

// Common code for Core Motion, collected from public apps: it must compile unchanged.
#if canImport(CoreMotion)
  import CoreMotion
#else
  import CoreMotionCompatibility
#endif

/// Handlers on several queues, frames, the relative attitude, and the properties of a motion that handlers read.
final class MotionIdioms: @unchecked Sendable {
  let manager = CMMotionManager()
  let queue = OperationQueue()
  private let lock = NSLock()
  private var reference: CMAttitude?
  private var zeroPoint = CMAttitude()
  private var numbers: [Double] = []
  private var timer: Timer?

  var readings: [Double] {
    lock.lock()
    defer { lock.unlock() }
    return numbers
  }

  func startOnOwnQueue() {
    guard manager.isDeviceMotionAvailable else { return }
    queue.name = "motion"
    queue.maxConcurrentOperationCount = 1
    queue.qualityOfService = .userInteractive
    manager.deviceMotionUpdateInterval = 1.0 / 60.0
    manager.showsDeviceMovementDisplay = true
    manager.startDeviceMotionUpdates(to: queue) { [weak self] (data, error) in
      guard let self = self, let data = data, error == nil else { return }
      if self.reference == nil { self.reference = data.attitude.copy() as? CMAttitude }
      let attitude = data.attitude
      if let reference = self.reference { attitude.multiply(byInverseOf: reference) }
      self.keep(attitude.roll * 180 / .pi, attitude.pitch, attitude.yaw)
    }
  }

  func startInNorthFrame() {
    let frame: CMAttitudeReferenceFrame
    if CMMotionManager.availableAttitudeReferenceFrames().contains(.xMagneticNorthZVertical) {
      frame = .xMagneticNorthZVertical
    } else {
      frame = .xArbitraryZVertical
    }
    manager.startDeviceMotionUpdates(using: frame, to: .main) { [weak self] motion, _ in
      guard let motion else { return }
      let (user, gravity, rate) = (motion.userAcceleration, motion.gravity, motion.rotationRate)
      let (q, m) = (motion.attitude.quaternion, motion.attitude.rotationMatrix)
      let alongGravity = user.x * gravity.x + user.y * gravity.y + user.z * gravity.z
      let rotation = atan2(gravity.x, gravity.y) - .pi
      self?.keep(alongGravity, rotation, sqrt(pow(rate.x, 2) + pow(rate.y, 2) + pow(rate.z, 2)))
      self?.keep(atan2(2 * (q.x * q.w + q.y * q.z), 1 - 2 * q.x * q.x - 2 * q.z * q.z), m.m11 + m.m22, q.w)
      switch motion.magneticField.accuracy {
      case .uncalibrated: self?.keep(-1)
      case .low, .medium, .high: self?.keep(motion.magneticField.field.x)
      @unknown default: break
      }
      self?.keep(motion.heading, motion.timestamp, Double(motion.sensorLocation.rawValue))
    }
  }

  /// Starts updates; to be called on an operation queue.
  func startOnCurrentQueue() {
    let handler: @Sendable (CMDeviceMotion?, (any Error)?) -> Void = { motion, error in
      if let attitude = motion?.attitude { self.keep(attitude.pitch) }
    }
    manager.startDeviceMotionUpdates(to: OperationQueue.current!, withHandler: handler)
    manager.startDeviceMotionUpdates(using: .xArbitraryCorrectedZVertical, to: .current!, withHandler: handler)
    manager.startAccelerometerUpdates(to: .current!, withHandler: updateLabels)
    manager.startGyroUpdates(to: .current!) { data, _ in self.keep((data?.rotationRate.z)!) }
  }

  func updateLabels(data: CMAccelerometerData?, error: (any Error)?) {
    guard let accelerometerData = data else { return }
    keep(accelerometerData.acceleration.x)
  }

  func startPolling() {
    manager.startAccelerometerUpdates()
    manager.startMagnetometerUpdates()
    manager.startDeviceMotionUpdates(using: .xArbitraryZVertical)
    timer = Timer(timeInterval: 0.1, repeats: true) { [weak self] _ in self?.poll() }
    RunLoop.current.add(timer!, forMode: .default)
  }

  func poll() {
    if let data = manager.accelerometerData?.acceleration { keep(fabs(data.x) + fabs(data.y) + fabs(data.z)) }
    if let field = manager.magnetometerData?.magneticField { keep(field.x) }
    if let motion = manager.deviceMotion {
      motion.attitude.multiply(byInverseOf: zeroPoint)
      keep(motion.attitude.yaw)
    }
  }

  func calibrate() { zeroPoint = manager.deviceMotion?.attitude ?? CMAttitude() }

  func stop() {
    timer?.invalidate()
    timer = nil
    if manager.isDeviceMotionActive { manager.stopDeviceMotionUpdates() }
    if manager.isAccelerometerActive { manager.stopAccelerometerUpdates() }
    if manager.isGyroActive { manager.stopGyroUpdates() }
    if manager.isMagnetometerActive { manager.stopMagnetometerUpdates() }
  }

  private func keep(_ values: Double...) {
    lock.lock()
    numbers += values
    lock.unlock()
  }
}

/// Steps, activities and altitude, with the typical checks before and the typical error handling.
final class HealthIdioms: @unchecked Sendable {
  private let pedometer = CMPedometer()
  private let activityManager = CMMotionActivityManager()
  private let altimeter = CMAltimeter()

  static func word(for status: CMAuthorizationStatus) -> String {
    switch status {
    case .authorized: return "yes"
    case .denied, .restricted: return "no"
    case .notDetermined: return "not asked"
    @unknown default: return "?"
    }
  }

  /// Requests access with a query, as there is no other way.
  func requestAccess(_ completion: @escaping @Sendable (Bool) -> Void) {
    let now = Date()
    activityManager.queryActivityStarting(from: now, to: now, to: .main) { _, error in
      if let error = error, error._code == Int(CMErrorMotionActivityNotAuthorized.rawValue) {
        completion(false)
      } else {
        completion(CMMotionActivityManager.authorizationStatus() == .authorized)
      }
    }
  }

  static func isFinal(_ error: any Error) -> Bool {
    let nsError = error as NSError
    guard nsError.domain == CMErrorDomain else { return false }
    if nsError.code == CMErrorUnknown.rawValue { return false }
    switch CMError(rawValue: UInt32(nsError.code)) {
    case CMErrorNotAuthorized, CMErrorMotionActivityNotAuthorized, CMErrorMotionActivityNotAvailable: return true
    default: return false
    }
  }

  func stepsToday() async -> (steps: Int, metres: Double, floors: Int)? {
    guard CMPedometer.isStepCountingAvailable(), CMPedometer.isDistanceAvailable() else { return nil }
    let start = Calendar.current.date(byAdding: .day, value: -7, to: Date())!
    return await withCheckedContinuation { continuation in
      pedometer.queryPedometerData(from: start, to: Date()) { data, error in
        guard let data = data, error == nil else { return continuation.resume(returning: nil) }
        continuation.resume(
          returning: (
            data.numberOfSteps.intValue, data.distance?.doubleValue ?? 0, Int(truncating: data.floorsAscended ?? 0)
          ))
      }
    }
  }

  func activityNames() async -> [String] {
    await withCheckedContinuation { continuation in
      activityManager.queryActivityStarting(
        from: Date.distantPast, to: Date.distantFuture, to: OperationQueue.main
      ) { (activities: [CMMotionActivity]?, _) in
        let names = (activities ?? []).filter { $0.confidence != .low }.map { activity -> String in
          if activity.walking { return "walking" }
          if activity.running { return "running" }
          if activity.cycling { return "cycling" }
          if activity.automotive { return "automotive" }
          return activity.stationary ? "stationary" : activity.unknown ? "unknown" : "none"
        }
        continuation.resume(returning: names)
      }
    }
  }

  func startEverything(_ reported: @escaping @Sendable (String) -> Void) {
    if CMMotionActivityManager.isActivityAvailable() {
      activityManager.startActivityUpdates(to: .main) { (activity) in
        guard let activity = activity else { return }
        reported("activity since \(activity.startDate), confidence \(activity.confidence.rawValue)")
      }
    }
    if CMPedometer.isPaceAvailable() && CMPedometer.isCadenceAvailable() {
      pedometer.startUpdates(from: Date()) { (data: CMPedometerData?, error) in
        if let pace = data?.currentPace, let cadence = data?.currentCadence {
          reported(pace.stringValue + cadence.stringValue)
        }
      }
    }
    if CMPedometer.isPedometerEventTrackingAvailable() {
      pedometer.startEventUpdates { event, _ in if event?.type == .pause { reported("pause") } }
    }
    if CMAltimeter.isRelativeAltitudeAvailable() {
      altimeter.startRelativeAltitudeUpdates(to: OperationQueue.main) { data, error in
        guard let data, error == nil else { return }
        reported(String(format: "%.2f m, %.1f hPa", data.relativeAltitude.floatValue, data.pressure.doubleValue * 10))
      }
    }
    if CMAltimeter.isAbsoluteAltitudeAvailable() {
      altimeter.startAbsoluteAltitudeUpdates(to: .main) { data, _ in reported("\(data?.altitude ?? 0)") }
    }
  }

  func stopEverything() {
    activityManager.stopActivityUpdates()
    pedometer.stopUpdates()
    pedometer.stopEventUpdates()
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
  }
}

/// Headphones, with a delegate that is an NSObject.
final class HeadphoneIdioms: NSObject, CMHeadphoneMotionManagerDelegate {
  private let headphones = CMHeadphoneMotionManager()
  private(set) var isConnected = false

  override init() {
    super.init()
    headphones.delegate = self
  }

  func start(_ reported: @escaping @Sendable (CMAttitude) -> Void) {
    guard CMHeadphoneMotionManager.authorizationStatus() != .denied, headphones.isDeviceMotionAvailable,
      !headphones.isDeviceMotionActive
    else { return }
    headphones.startDeviceMotionUpdates(to: OperationQueue()) { motion, error in
      guard error == nil, let motion = motion else { return }
      if motion.sensorLocation != .default { reported(motion.attitude) }
    }
  }

  func stop() { headphones.stopDeviceMotionUpdates() }

  func headphoneMotionManagerDidConnect(_ manager: CMHeadphoneMotionManager) { isConnected = true }
  func headphoneMotionManagerDidDisconnect(_ manager: CMHeadphoneMotionManager) { isConnected = false }
}

/// Stubs, as in an app's tests.
final class FakeMotion: CMDeviceMotion, @unchecked Sendable {
  override var userAcceleration: CMAcceleration { CMAcceleration(x: 1, y: 2, z: 3) }
  override var gravity: CMAcceleration { CMAcceleration(x: 0, y: 0, z: -1) }
  override var timestamp: TimeInterval { 42 }
}

final class FakeAltitude: CMAltitudeData, @unchecked Sendable {
  override var relativeAltitude: NSNumber { 1.5 }
}

final class FakePedometerData: CMPedometerData, @unchecked Sendable {
  override var numberOfSteps: NSNumber { 1000 }
}

final class FakeActivity: CMMotionActivity, @unchecked Sendable {
  override var walking: Bool { true }
  override var confidence: CMMotionActivityConfidence { .high }
}

final class FakeManager: CMMotionManager, @unchecked Sendable {
  override var isDeviceMotionAvailable: Bool { true }
  override var deviceMotion: CMDeviceMotion? { FakeMotion() }
  override func startDeviceMotionUpdates(to queue: OperationQueue, withHandler handler: @escaping CMDeviceMotionHandler)
  {
    handler(FakeMotion(), nil)
  }
}
