public import Foundation
public import InertialLive
internal import InertialSensors

#if !canImport(Darwin)
  /// A collection that `NSFastEnumerationIterator` iterates. Foundation on Linux does not have this protocol.
  public protocol NSFastEnumeration {}

  /// An iterator over a collection's objects. Apps create it in an extension that makes `CMSensorDataList` a sequence;
  /// the class already is one here, so that the extension compiles with a warning.
  public struct NSFastEnumerationIterator: IteratorProtocol {
    private var objects: AnyIterator<Any>

    /// Creates an iterator over a list of samples; any other object has no elements.
    public init(_ enumerable: Any) {
      guard let list = enumerable as? CMSensorDataList else {
        objects = AnyIterator { nil }
        return
      }
      objects = AnyIterator(list.lazy.map { $0 as Any }.makeIterator())
    }

    /// Returns the next object, or `nil` at the end.
    public mutating func next() -> Any? { objects.next() }
  }

  extension CMSensorDataList: NSFastEnumeration {}
#endif

/// Recorded samples, in chronological order.
open class CMSensorDataList: NSObject, Sequence, @unchecked Sendable {
  private let items: [CMRecordedAccelerometerData]

  /// Creates an empty list.
  public override init() { items = [] }

  init(_ items: [CMRecordedAccelerometerData]) { self.items = items }

  public func makeIterator() -> IndexingIterator<[CMRecordedAccelerometerData]> { items.makeIterator() }

  /// A description with the number of samples; on Apple's platforms a pointer.
  open override var description: String { "CMSensorDataList of \(items.count) samples" }
}

/// Records the accelerometer at 50 Hz for the requested duration, at most 12 hours, and returns the recorded samples.
///
/// A device continues after the app has ended and keeps the samples for three days; here the recorder records as long
/// as it exists. Dates are the source's if it has an `epoch`; otherwise they count from the start of the recording.
open class CMSensorRecorder: NSObject, @unchecked Sendable {
  private let ownSource: (any SensorSource)?
  private let monitor = Monitor()
  private var recordings: [AccelerometerRecording] = []

  /// The maximum duration of a request, in seconds.
  private static let maximumRequestDuration = 12 * 3600.0

  /// Creates a recorder for the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// Creates a recorder for the given source, or for the process's if `nil`. Added to Apple's interface.
  public init(source: (any SensorSource)?) { ownSource = source }

  /// Returns whether the source has an accelerometer.
  open class func isAccelerometerRecordingAvailable() -> Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Returns whether the app may read motion data.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Returns whether the app may read motion data, as before `authorizationStatus()`; deprecated by Core Motion since
  /// iOS 11.
  open class func isAuthorizedForRecording() -> Bool { authorizationStatus() == .authorized }

  /// Records from now on, for a duration in seconds of the source's time. Ignored without an accelerometer or
  /// permission (`MotionPermission`).
  open func recordAccelerometer(forDuration duration: TimeInterval) {
    guard let source = ownSource ?? MotionSensors.defaultSource, source.channels.contains(.accelerometer), duration > 0,
      MotionPermission.isGranted()
    else { return }
    let recording = AccelerometerRecording(duration: min(duration, Self.maximumRequestDuration), epoch: source.epoch)
    monitor.withLock { recordings.append(recording) }
    recording.start(source)
  }

  /// Returns the samples between two dates, inclusive, or `nil` if there are no samples.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? {
    let recordings = monitor.withLock { self.recordings }
    var items: [CMRecordedAccelerometerData] = []
    for recording in recordings {
      for (sample, date) in recording.samples where date >= fromDate && date <= toDate {
        // A timestamp that was recorded twice yields one sample.
        if let last = items.last, date <= last.startDate { continue }
        items.append(
          CMRecordedAccelerometerData(
            acceleration: CMAcceleration(x: sample.x, y: sample.y, z: sample.z), timestamp: sample.time,
            identifier: UInt64(items.count), startDate: date))
      }
    }
    return items.isEmpty ? nil : CMSensorDataList(items)
  }
}

/// The samples of one request.
private final class AccelerometerRecording: @unchecked Sendable {
  /// The sampling interval in seconds: 50 Hz.
  private static let interval = 0.02

  private let duration: Double
  private let epoch: Double?
  private let monitor = Monitor()
  private let attachment: SourceAttachment
  private var kept: [SensorSample] = []
  private var startDate = Date()
  private var grid = UpdateGrid()
  private var isOver = false

  init(duration: Double, epoch: Double?) {
    self.duration = duration
    self.epoch = epoch
    attachment = SourceAttachment(monitor: monitor)
  }

  func start(_ source: any SensorSource) {
    attachment.start(source, receive: { [weak self] event, _ in self?.receive(event) }, isNeeded: { !isOver }) {}
  }

  /// The samples so far, with their dates.
  var samples: [(SensorSample, Date)] {
    let (kept, startDate) = monitor.withLock { (self.kept, self.startDate) }
    guard let first = kept.first else { return [] }
    return kept.map { sample in
      let date =
        epoch.map { Date(timeIntervalSince1970: $0 + sample.time) }
        ?? startDate.addingTimeInterval(sample.time - first.time)
      return (sample, date)
    }
  }

  private func receive(_ event: SensorEvent) {
    guard case .samples(let samples) = event else { return }
    let isOver = monitor.withLock {
      for sample in samples where sample.channel == .accelerometer && !self.isOver { keep(sample) }
      return self.isOver
    }
    if isOver { attachment.stop(isNeeded: { false }) {} }
  }

  private func keep(_ sample: SensorSample) {
    guard let first = kept.first else {
      startDate = Date()
      _ = grid.selects(sample.time, interval: Self.interval)
      kept.append(sample)
      return
    }
    guard sample.time - first.time < duration else {
      isOver = true
      return
    }
    if grid.selects(sample.time, interval: Self.interval) { kept.append(sample) }
  }
}
