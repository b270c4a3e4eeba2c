internal import Foundation
internal import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// An event of a source for recognisers.
enum RecognitionEvent {
  case input(RecognitionInput)
  /// The next input does not follow the previous one.
  case discontinuity
  /// The source has ended.
  case end
}

/// Listens to a source for recognisers, for motion and the other channels.
///
/// It is attached to the source while it has at least one active user. It does not retain its users.
final class SourceListener: @unchecked Sendable {
  private let monitor: Monitor
  private let attachment: SourceAttachment
  private let wantsMotion: Bool
  private let consume: @Sendable (RecognitionEvent, _ token: Int) -> Void
  private var users: Set<ObjectIdentifier> = []

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - monitor: The owner's monitor.
  ///   - wantsMotion: Whether to deliver motion; otherwise samples of other channels are not delayed.
  ///   - consume: A closure that is called on the source's thread without the monitor; it checks `isCurrent` before it
  ///     uses an event.
  init(
    source: (any SensorSource)?, monitor: Monitor, wantsMotion: Bool = true,
    consume: @escaping @Sendable (RecognitionEvent, _ token: Int) -> Void
  ) {
    self.wantsMotion = wantsMotion
    self.monitor = monitor
    self.consume = consume
    attachment = SourceAttachment(source, monitor: monitor)
  }

  /// The source in use; without active users, the owner's own source or the process's.
  var source: (any SensorSource)? { attachment.source }

  /// Returns the source if it has an accelerometer and the app has permission; otherwise passes an error to a closure.
  ///
  /// - Parameter missing: The error if there is no accelerometer.
  func usableSource(otherwise missing: CMError, _ refuse: (any Error) -> Void) -> (any SensorSource)? {
    guard let source, source.channels.contains(.accelerometer) else {
      refuse(missing.nsError)
      return nil
    }
    guard MotionPermission.isGranted() else {
      refuse(CMErrorMotionActivityNotAuthorized.nsError)
      return nil
    }
    return source
  }

  /// Returns whether a token belongs to a start that has not been stopped. Called under the monitor.
  func isCurrent(_ token: Int) -> Bool { attachment.isCurrent(token) && !users.isEmpty }

  /// Starts listening to a source for a user, which is a stream or the owner.
  ///
  /// - Parameter begin: A closure that starts the user's stream, called under the monitor.
  func start(_ user: AnyObject, to source: any SensorSource, _ begin: () -> EndedSubscription?) {
    // Used only by the source's thread.
    nonisolated(unsafe) var feed = wantsMotion ? RecognitionFeed(source) : nil
    let receive: @Sendable (SensorEvent, Int) -> Void = { [weak self] event, token in
      self?.receive(event, token: token, &feed)
    }
    attachment.start(source, receive: receive, isNeeded: { !users.isEmpty }) {
      users.insert(ObjectIdentifier(user))
      return begin()
    }
  }

  /// Stops listening for a user.
  ///
  /// - Parameter end: A closure that stops the user's stream, called under the monitor; its result is returned.
  func stop<Result>(_ user: AnyObject, _ end: () -> Result) -> Result {
    attachment.stop(isNeeded: { !users.isEmpty }) {
      users.remove(ObjectIdentifier(user))
      return end()
    }
  }

  /// Processes an event.
  ///
  /// - Parameter feed: The feed of the attachment, or `nil` if no motion is needed.
  private func receive(_ event: SensorEvent, token: Int, _ feed: inout RecognitionFeed?) {
    func deliver(_ input: RecognitionInput) { consume(.input(input), token) }
    switch event {
    case .samples(let samples):
      for sample in samples { feed?.append(sample, deliver) }
      if let last = samples.last { feed?.close(through: last.time, deliver) }
    case .auxiliary(let samples):
      if feed == nil { for sample in samples { deliver(.other(sample)) } } else { feed!.add(samples) }
    case .discontinuity:
      feed?.restart()
      consume(.discontinuity, token)
    case .end:
      feed?.finish(deliver)
      consume(.end, token)
    case .silence: break
    }
  }
}

extension RecordingSource {
  /// Passes all recorded samples to recognisers.
  func recorded(_ consume: (RecognitionEvent) -> Void) {
    var feed = RecognitionFeed(self)
    var others = recordedAuxiliary[...]
    for sample in recordedSamples {
      let due = others.prefix { $0.time <= sample.time }
      if !due.isEmpty {
        feed.add(Array(due))
        others = others.dropFirst(due.count)
      }
      feed.append(sample) { consume(.input($0)) }
    }
    feed.add(Array(others))
    feed.finish { consume(.input($0)) }
    consume(.end)
  }
}

/// Converts a source's times to dates. If the source has no epoch, its first sample has the date at which the recording
/// was opened, or at which the stream's sample arrived.
struct SourceCalendar: Sendable {
  private var epoch: Double?

  init(_ source: (any SensorSource)?) {
    epoch = source?.epoch ?? (source as? RecordingSource).map { $0.openedAt - $0.times.lowerBound }
  }

  /// Converts a time of the source to a date.
  ///
  /// - Parameter time: The time on the source's clock, in seconds; the first call determines the dates of a stream.
  mutating func date(_ time: Double) -> Date {
    let start = epoch ?? Date().timeIntervalSince1970 - time
    epoch = start
    return Date(timeIntervalSince1970: start + time)
  }

  /// Returns the time on the source's clock in seconds, or `nil` before a stream's first sample.
  func time(_ date: Date) -> Double? { epoch.map { date.timeIntervalSince1970 - $0 } }

  /// The time within which the end of a query is the present, in seconds.
  private static let present = 1.0

  /// Returns the interval of a query on the source's clock, in seconds.
  ///
  /// A recording without a date begins when it is opened. Its end is then in the future of a query that ends at the
  /// present, as apps query the day until `Date()`. Unless the recording is played in real time, such a query includes
  /// all of it.
  func interval(from start: Date, to end: Date, of source: any SensorSource) -> (start: Double, end: Double) {
    let interval = (time(start) ?? -.infinity, time(end) ?? .infinity)
    guard source.epoch == nil, let recording = source as? RecordingSource,
      abs(end.timeIntervalSinceNow) < Self.present
    else { return interval }
    let isPlayed = recording.position > recording.times.lowerBound
    let isInRealTime = isPlayed && abs(recording.now.timeIntervalSince(end)) < Self.present
    return isInRealTime ? interval : (interval.0, .infinity)
  }
}
