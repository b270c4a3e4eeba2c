import CoreMotion
import Foundation

extension CMSensorDataList: Sequence {
  public func makeIterator() -> NSFastEnumerationIterator { return NSFastEnumerationIterator(self) }
}

/// Samples of a workout: in batches, and recorded in the background. It also watches for falls.
public final class WorkoutSampler: NSObject, CMFallDetectionDelegate, @unchecked Sendable {
  private let recorder = CMSensorRecorder()
  private let batched = CMBatchedSensorManager()
  private let falls = CMFallDetectionManager()
  private let lock = NSLock()
  private var dates: [Date] = []

  /// The dates of falls.
  public var fallDates: [Date] {
    lock.lock()
    defer { lock.unlock() }
    return dates
  }

  /// Whether both kinds of batches are requested.
  public var isActive: Bool { return batched.isAccelerometerActive && batched.isDeviceMotionActive }

  public func start(duration: TimeInterval) {
    guard CMSensorRecorder.isAccelerometerRecordingAvailable(), CMSensorRecorder.isAuthorizedForRecording() else {
      return
    }
    recorder.recordAccelerometer(forDuration: duration)
    guard CMFallDetectionManager.isAvailable else { return }
    falls.delegate = self
    falls.requestAuthorization { status in
      if status != .authorized { print("falls are not authorized") }
    }
  }

  public func stop() { falls.delegate = nil }

  /// The accelerations that were recorded, in g.
  public func recorded(from start: Date, to end: Date) -> [Double] {
    guard let list = recorder.accelerometerData(from: start, to: end) else { return [] }
    var norms: [Double] = []
    for item in list {
      guard let sample = item as? CMRecordedAccelerometerData else { continue }
      let a = sample.acceleration
      norms.append((a.x * a.x + a.y * a.y + a.z * a.z).squareRoot())
    }
    return norms
  }

  /// The numbers of samples of each batch of accelerations.
  public func accelerationBatches() async throws -> [Int] {
    guard CMBatchedSensorManager.isAccelerometerSupported else { return [] }
    var counts: [Int] = []
    for try await batch in batched.accelerometerUpdates() {
      counts.append(batch.count)
      if counts.count == 3 { break }
    }
    return counts
  }

  /// The largest rotation rates of each batch of motions, in rad/s.
  public func motionBatches() async throws -> [Double] {
    var peaks: [Double] = []
    for try await batch in batched.deviceMotionUpdates() {
      peaks.append(batch.map { abs($0.rotationRate.z) }.max() ?? 0)
      if peaks.count == 3 { break }
    }
    return peaks
  }

  public func fallDetectionManager(
    _ fallDetectionManager: CMFallDetectionManager, didDetect event: CMFallDetectionEvent,
    completionHandler handler: @escaping () -> Void
  ) {
    lock.lock()
    if event.resolution == .unresponsive { dates.append(event.date) }
    lock.unlock()
    handler()
  }
}
