public import Foundation
public import InertialLive
internal import InertialSensors

/// Samples that were recorded, in order of time.
open class CMSensorDataList: NSObject, Sequence, @unchecked Sendable {
  private let items: [CMRecordedAccelerometerData]

  /// No samples.
  public override init() { items = [] }

  init(_ items: [CMRecordedAccelerometerData]) { self.items = items }

  public func makeIterator() -> IndexingIterator<[CMRecordedAccelerometerData]> { items.makeIterator() }

  /// On Apple's platforms a pointer, as for any object; here how many samples there are.
  open override var description: String { "CMSensorDataList of \(items.count) samples" }
}

/// Records the accelerometer at 50 Hz for as long as it was told, for at most 12 hours, and gives what it has.
///
/// A device goes on when the app is gone, and keeps three days; here the recorder does it while it lives. Dates are those
/// of the source where it knows them (`epoch`), else they count from the start of the recording.
open class CMSensorRecorder: NSObject, @unchecked Sendable {
  private let ownSource: (any SensorSource)?
  private let monitor = Monitor()
  private var recordings: [AccelerometerRecording] = []

  /// Seconds.
  private static let longestRequest = 12 * 3600.0

  /// A recorder of the process's sensors.
  public override convenience init() { self.init(source: nil) }

  /// A recorder of a source of its own; nil: of the process's. Added to Apple's interface.
  public init(source: (any SensorSource)?) { ownSource = source }

  /// Whether the source has an accelerometer.
  open class func isAccelerometerRecordingAvailable() -> Bool {
    MotionSensors.defaultSource?.channels.contains(.accelerometer) ?? false
  }

  /// Whether the app may read motion.
  open class func authorizationStatus() -> CMAuthorizationStatus { MotionPermission.current.authorizationStatus }

  /// Records from now on for so many seconds of the source's time; ignored without an accelerometer or permission
  /// (`MotionPermission`).
  open func recordAccelerometer(forDuration duration: TimeInterval) {
    guard let source = ownSource ?? MotionSensors.defaultSource, source.channels.contains(.accelerometer), duration > 0,
      MotionPermission.isGranted()
    else { return }
    let recording = AccelerometerRecording(duration: min(duration, Self.longestRequest), epoch: source.epoch)
    monitor.withLock { recordings.append(recording) }
    recording.start(source)
  }

  /// The samples from a date up to another, both included; nil where there is none.
  open func accelerometerData(from fromDate: Date, to toDate: Date) -> CMSensorDataList? {
    let recordings = monitor.withLock { self.recordings }
    var items: [CMRecordedAccelerometerData] = []
    for recording in recordings {
      for (sample, date) in recording.samples where date >= fromDate && date <= toDate {
        // A time recorded twice is one sample.
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

/// One request's samples.
private final class AccelerometerRecording: SensorReceiver, @unchecked Sendable {
  /// Seconds: 50 Hz.
  private static let interval = 0.02

  private let duration: Double
  private let epoch: Double?
  private let monitor = Monitor()
  private var kept: [SensorSample] = []
  private var startDate = Date()
  private var grid = UpdateGrid()
  private var isOver = false
  private var attachment: SensorAttachment?

  init(duration: Double, epoch: Double?) {
    self.duration = duration
    self.epoch = epoch
  }

  func start(_ source: any SensorSource) {
    let attachment = source.attach(RecordingReceiver(self))
    let isOver = monitor.withLock {
      if !self.isOver { self.attachment = attachment }
      return self.isOver
    }
    if isOver { attachment.cancel() }
  }

  /// The samples so far with their dates.
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

  func receive(_ event: SensorEvent) {
    guard case .samples(let samples) = event else { return }
    let done: SensorAttachment? = monitor.withLock {
      for sample in samples where sample.channel == .accelerometer && !isOver { keep(sample) }
      defer { if isOver { attachment = nil } }
      return isOver ? attachment : nil
    }
    done?.cancel()
  }

  private func keep(_ sample: SensorSample) {
    guard let first = kept.first else {
      startDate = Date()
      _ = grid.takes(sample.time, interval: Self.interval)
      kept.append(sample)
      return
    }
    guard sample.time - first.time < duration else {
      isOver = true
      return
    }
    if grid.takes(sample.time, interval: Self.interval) { kept.append(sample) }
  }
}

/// Takes what the source tells for a recording that it does not keep.
private final class RecordingReceiver: SensorReceiver {
  private nonisolated(unsafe) weak var recording: AccelerometerRecording?

  init(_ recording: AccelerometerRecording) { self.recording = recording }

  func receive(_ event: SensorEvent) { recording?.receive(event) }
}
