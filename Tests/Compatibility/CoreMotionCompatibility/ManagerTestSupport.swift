import CoreMotionCompatibility
import InertialFilters
import Testing

/// Values that are collected from several threads.
final class Collected<Item>: @unchecked Sendable {
  private let monitor = Monitor()
  private var kept: [Item] = []

  func append(_ item: Item) {
    monitor.withLock {
      kept.append(item)
      monitor.broadcast()
    }
  }

  var all: [Item] { monitor.withLock { kept } }
  var count: Int { monitor.withLock { kept.count } }

  /// Waits until the given number of values has been collected, for at most a minute.
  @discardableResult
  func wait(for count: Int, timeout: Double = 60) -> Bool {
    let deadline = MonotonicClock.now + timeout
    return monitor.withLock {
      while kept.count < count {
        guard MonotonicClock.now < deadline else { return false }
        monitor.wait(until: deadline)
      }
      return true
    }
  }
}

/// Returns a queue whose operations run one after the other, in order.
func serialQueue() -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = 1
  return queue
}

/// Returns a walk with a phone's sensors.
func walk(duration: Double = 6, sensors: SensorSuite = .phone) -> [SensorSample] {
  do throws(ScenarioError) {
    return try Simulation(scenario: .walk, sensors: sensors, duration: duration, seed: 3).samples()
  } catch { preconditionFailure("the scenario's defaults are in their ranges: \(error)") }
}

/// Returns a walk at 1.9 steps per second with the device flat: jolts of the feet, sway of the body, a magnetic field.
func striding(duration: Double) -> [SensorSample] {
  (0..<Int(duration * 100)).flatMap { index -> [SensorSample] in
    let time = Double(index) / 100
    func wave(_ frequency: Double, _ phase: Double = 0) -> Double { sin(2 * .pi * frequency * time + phase) }
    let jolt = exp(6 * (cos(2 * .pi * 1.9 * time) - 1)) - 0.17
    // In g, with Core Motion's sign, which is the direction of gravity.
    let across = Vector3(-0.12 * wave(0.95) - 0.05 * wave(1.9, 1), -0.08 * wave(0.95, 1) - 0.04 * wave(3.8), 0)
    let up = 0.22 * wave(1.9) + 0.45 * jolt + 0.05 * wave(5.7, 2)
    return [
      SensorSample(time: time, channel: .gyroscope, Vector3(0.02, 0.01, 0.3) * wave(0.95)),
      SensorSample(time: time, channel: .accelerometer, across + Vector3(0, 0, -1 - up)),
      SensorSample(time: time, channel: .magnetometer, Vector3(20, 0.1 * wave(0.95), -40)),
    ]
  }
}

/// Returns a paused recording at infinite speed, a manager of it, and a serial queue for handlers.
func player(_ samples: [SensorSample]) -> (source: RecordingSource, manager: CMMotionManager, queue: OperationQueue) {
  let source = RecordingSource(samples: samples, speed: .infinity, isPaused: true)
  return (source, CMMotionManager(source: source), serialQueue())
}

/// Returns barometer samples of a constant pressure at 1 Hz.
func steadyPressure(_ count: Int) -> [AuxiliarySample] {
  (0..<count).map { second in
    var sample = AuxiliarySample(time: Double(second), channel: .barometer)
    sample["pressure"] = 101
    return sample
  }
}

/// Returns the motions of a batch run, with the start of a manager, or with that of a dataset.
func batch(
  _ samples: [SensorSample], frame: AttitudeReferenceFrame = .xArbitraryZVertical, declination: Double = 0,
  start: DeviceMotionEstimator.Configuration.Start = .immediate
) -> [DeviceMotion] {
  var configuration = DeviceMotionEstimator.Configuration()
  (configuration.start, configuration.frame) = (start, frame)
  configuration.declination = declination
  do throws(SettingError) {
    var estimator = try DeviceMotionEstimator(
      filter: FilterKind.standard, configuration: configuration)
    return estimator.motions(of: samples)
  } catch { preconditionFailure("the defaults are in their ranges: \(error)") }
}

extension RecordingSource {
  /// Plays all samples to a manager that has been started, and waits until its handlers have finished.
  func playToEnd(_ queue: OperationQueue? = nil) {
    resume()
    waitForEnd(timeout: 120)
    queue?.waitUntilAllOperationsAreFinished()
  }
}

/// Returns the largest difference of the numbers of two motions, or infinity if a number is missing in only one of
/// them.
func largestDifference(_ a: CMDeviceMotion, _ b: DeviceMotion) -> Double {
  let (q, p) = (a.attitude.quaternion, b.attitude.quaternion)
  var differences = [
    a.timestamp - b.time, q.x - p.x, q.y - p.y, q.z - p.z, q.w - p.w, a.gravity.x - b.gravity.x,
    a.gravity.y - b.gravity.y, a.gravity.z - b.gravity.z, a.rotationRate.x - b.rotationRate.x,
    a.rotationRate.y - b.rotationRate.y, a.rotationRate.z - b.rotationRate.z, a.heading - b.heading,
  ]
  if let user = b.userAcceleration {
    differences += [a.userAcceleration.x - user.x, a.userAcceleration.y - user.y, a.userAcceleration.z - user.z]
  } else if !a.userAcceleration.x.isNaN {
    return .infinity
  }
  if let field = b.magneticField {
    let own = a.magneticField.field
    differences += [own.x - field.x, own.y - field.y, own.z - field.z]
  } else if a.magneticField.accuracy != .uncalibrated {
    return .infinity
  }
  return differences.map(abs).max()!
}

/// Returns an item after archiving and unarchiving.
func coded<Item: NSObject & NSSecureCoding>(_ item: Item) throws -> Item {
  let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
  let item = try NSKeyedUnarchiver.unarchivedObject(ofClass: Item.self, from: data)
  return try #require(item)
}
