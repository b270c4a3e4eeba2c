import Dispatch
import Foundation

// Written like a phone app; only the import refers to this toolkit.
#if canImport(CoreMotion)
  import CoreMotion
#else
  import CoreMotionCompatibility
#endif

/// The kinds of collected data.
enum Kind: String, CaseIterable, Sendable {
  case accelerometer, gyroscope, magnetometer
  case deviceMotion = "device motion"
  case attitude = "relative attitude"
  case headphones = "headphone motion"
  case pedometer, activity, altimeter
  case absoluteAltitude = "absolute altitude"
  // Kinds of other frameworks than Core Motion.
  case location, compass, proximity, light
  case soundLevel = "sound level"
  case battery
}

/// Collects sixteen kinds of data: it counts the values of each sensor's handler, and a timer samples the latest values.
final class SensorCollector: @unchecked Sendable {
  struct Row {
    var time: TimeInterval
    var acceleration: CMAcceleration
    var rotationRate: CMRotationRate?
    var magneticField: CMMagneticField?
    var userAcceleration: CMAcceleration?
  }

  private let motionManager = CMMotionManager()
  /// The manager for rows of polled values, which must not have handlers.
  private let polled = CMMotionManager()
  private let headphones = CMHeadphoneMotionManager()
  private let activityManager = CMMotionActivityManager()
  private let pedometer = CMPedometer()
  private let altimeter = CMAltimeter()
  private let handlerQueue = OperationQueue()
  private let queue = DispatchQueue(label: "collector")
  private var timer: (any DispatchSourceTimer)?
  private var reference: CMAttitude?
  private var collected: [Kind: Int] = [:]
  private var latestRow: Row?
  private var latestSteps = 0

  /// The number of values of each kind.
  var counts: [Kind: Int] { queue.sync { collected } }
  /// The latest row of the timer.
  var row: Row? { queue.sync { latestRow } }
  /// The number of steps since the start.
  var steps: Int { queue.sync { latestSteps } }

  func count(_ kind: Kind) { queue.sync { collected[kind, default: 0] += 1 } }

  func start() {
    handlerQueue.maxConcurrentOperationCount = 1
    startMotion()
    startHeadphones()
    startActivities()
    startAltimeter()
    startRows()
  }

  func stop() {
    timer?.cancel()
    timer = nil
    for manager in [motionManager, polled] {
      manager.stopAccelerometerUpdates()
      manager.stopGyroUpdates()
      manager.stopMagnetometerUpdates()
      manager.stopDeviceMotionUpdates()
    }
    headphones.stopDeviceMotionUpdates()
    activityManager.stopActivityUpdates()
    pedometer.stopUpdates()
    altimeter.stopRelativeAltitudeUpdates()
    altimeter.stopAbsoluteAltitudeUpdates()
  }

  /// Waits for the pending updates in the queue.
  func finish() { handlerQueue.waitUntilAllOperationsAreFinished() }

  private func startMotion() {
    motionManager.magnetometerUpdateInterval = 0.01
    if motionManager.isAccelerometerAvailable {
      motionManager.startAccelerometerUpdates(to: handlerQueue) { [weak self] data, _ in
        if data != nil { self?.count(.accelerometer) }
      }
    }
    if motionManager.isGyroAvailable {
      motionManager.startGyroUpdates(to: handlerQueue) { [weak self] data, _ in
        if data != nil { self?.count(.gyroscope) }
      }
    }
    if motionManager.isMagnetometerAvailable {
      motionManager.startMagnetometerUpdates(to: handlerQueue) { [weak self] data, _ in
        if data != nil { self?.count(.magnetometer) }
      }
    }
    guard motionManager.isDeviceMotionAvailable else { return }
    let frames = CMMotionManager.availableAttitudeReferenceFrames()
    let frame: CMAttitudeReferenceFrame =
      frames.contains(.xArbitraryCorrectedZVertical) ? .xArbitraryCorrectedZVertical : .xArbitraryZVertical
    motionManager.startDeviceMotionUpdates(using: frame, to: handlerQueue) { [weak self] motion, error in
      guard let self, let motion, error == nil else { return }
      self.count(.deviceMotion)
      if self.reference == nil { self.reference = motion.attitude.copy() as? CMAttitude }
      motion.attitude.multiply(byInverseOf: self.reference!)
      if motion.attitude.quaternion.w.isFinite { self.count(.attitude) }
    }
  }

  private func startHeadphones() {
    guard headphones.isDeviceMotionAvailable else { return }
    headphones.startDeviceMotionUpdates(to: handlerQueue) { [weak self] motion, _ in
      if motion?.sensorLocation != .default { self?.count(.headphones) }
    }
  }

  private func startActivities() {
    if CMMotionActivityManager.isActivityAvailable() {
      activityManager.startActivityUpdates(to: handlerQueue) { [weak self] activity in
        if activity != nil { self?.count(.activity) }
      }
    }
    if CMPedometer.isStepCountingAvailable() {
      pedometer.startUpdates(from: Date()) { [weak self] data, error in
        guard let self, let data, error == nil else { return }
        self.count(.pedometer)
        self.queue.sync { self.latestSteps = data.numberOfSteps.intValue }
      }
    }
  }

  private func startAltimeter() {
    if CMAltimeter.isRelativeAltitudeAvailable() {
      altimeter.startRelativeAltitudeUpdates(to: handlerQueue) { [weak self] data, _ in
        if data != nil { self?.count(.altimeter) }
      }
    }
    if CMAltimeter.isAbsoluteAltitudeAvailable() {
      altimeter.startAbsoluteAltitudeUpdates(to: handlerQueue) { [weak self] data, _ in
        if data != nil { self?.count(.absoluteAltitude) }
      }
    }
  }

  private func startRows() {
    polled.startAccelerometerUpdates()
    polled.startGyroUpdates()
    polled.startMagnetometerUpdates()
    polled.startDeviceMotionUpdates()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: 0.005)
    timer.setEventHandler { [weak self] in self?.collectRow() }
    timer.resume()
    self.timer = timer
  }

  private func collectRow() {
    guard let data = polled.accelerometerData else { return }
    latestRow = Row(
      time: data.timestamp, acceleration: data.acceleration, rotationRate: polled.gyroData?.rotationRate,
      magneticField: polled.magnetometerData?.magneticField, userAcceleration: polled.deviceMotion?.userAcceleration)
  }
}
