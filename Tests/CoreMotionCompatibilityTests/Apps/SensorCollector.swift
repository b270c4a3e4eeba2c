import Dispatch
import Foundation

// Written as an app for a phone is; of this toolkit it knows the import.
#if canImport(CoreMotion)
  import CoreMotion
#else
  import CoreMotionCompatibility
#endif

/// Collects every motion sensor's latest value at a rate of its own.
final class SensorCollector: @unchecked Sendable {
  struct Row {
    var time: TimeInterval
    var acceleration: CMAcceleration?
    var rotationRate: CMRotationRate?
    var magneticField: CMMagneticField?
    var attitude: (roll: Double, pitch: Double, yaw: Double)?
    var userAcceleration: CMAcceleration?
  }

  private let motionManager = CMMotionManager()
  private let activityManager = CMMotionActivityManager()
  private let pedometer = CMPedometer()
  private let altimeter = CMAltimeter()
  private let handlerQueue = OperationQueue()
  private let queue = DispatchQueue(label: "collector")
  private var timer: (any DispatchSourceTimer)?
  private var reference: CMAttitude?
  private var collected: [Row] = []
  private var latestSteps = 0
  private var latestActivity = ""
  private var latestAltitude = 0.0

  var rows: [Row] { queue.sync { collected } }
  var steps: Int { queue.sync { latestSteps } }
  var activity: String { queue.sync { latestActivity } }
  var altitude: Double { queue.sync { latestAltitude } }

  func start(every interval: TimeInterval) {
    motionManager.accelerometerUpdateInterval = interval
    motionManager.gyroUpdateInterval = interval
    motionManager.magnetometerUpdateInterval = interval
    motionManager.deviceMotionUpdateInterval = interval
    if motionManager.isAccelerometerAvailable { motionManager.startAccelerometerUpdates() }
    if motionManager.isGyroAvailable { motionManager.startGyroUpdates() }
    if motionManager.isMagnetometerAvailable { motionManager.startMagnetometerUpdates() }
    if CMMotionManager.availableAttitudeReferenceFrames().contains(.xArbitraryCorrectedZVertical) {
      motionManager.startDeviceMotionUpdates(using: .xArbitraryCorrectedZVertical)
    } else if motionManager.isDeviceMotionAvailable {
      motionManager.startDeviceMotionUpdates()
    }
    startHandlers()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: interval)
    timer.setEventHandler { [weak self] in self?.collect() }
    timer.resume()
    self.timer = timer
  }

  func stop() {
    timer?.cancel()
    timer = nil
    motionManager.stopAccelerometerUpdates()
    motionManager.stopGyroUpdates()
    motionManager.stopMagnetometerUpdates()
    motionManager.stopDeviceMotionUpdates()
    activityManager.stopActivityUpdates()
    pedometer.stopUpdates()
    altimeter.stopRelativeAltitudeUpdates()
  }

  private func startHandlers() {
    if CMMotionActivityManager.isActivityAvailable() {
      activityManager.startActivityUpdates(to: handlerQueue) { [weak self] activity in
        guard let self, let activity else { return }
        let word = activity.walking ? "walking" : activity.running ? "running" : activity.stationary ? "still" : "?"
        self.queue.sync { self.latestActivity = word }
      }
    }
    if CMPedometer.isStepCountingAvailable() {
      pedometer.startUpdates(from: Date()) { [weak self] data, error in
        guard let self, let data, error == nil else { return }
        self.queue.sync { self.latestSteps = data.numberOfSteps.intValue }
      }
    }
    if CMAltimeter.isRelativeAltitudeAvailable() {
      altimeter.startRelativeAltitudeUpdates(to: handlerQueue) { [weak self] data, error in
        guard let self, let data, error == nil else { return }
        self.queue.sync { self.latestAltitude = data.relativeAltitude.doubleValue }
      }
    }
  }

  private func collect() {
    guard let data = motionManager.accelerometerData else { return }
    var row = Row(time: data.timestamp, acceleration: data.acceleration)
    row.rotationRate = motionManager.gyroData?.rotationRate
    row.magneticField = motionManager.magnetometerData?.magneticField
    if let motion = motionManager.deviceMotion {
      let attitude = motion.attitude
      if let reference {
        attitude.multiply(byInverseOf: reference)
      } else {
        reference = attitude.copy() as? CMAttitude
        attitude.multiply(byInverseOf: attitude)
      }
      row.attitude = (attitude.roll, attitude.pitch, attitude.yaw)
      row.userAcceleration = motion.userAcceleration
    }
    collected.append(row)
  }
}
