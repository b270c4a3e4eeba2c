internal import Foundation
internal import InertialLive
internal import InertialRecognition
internal import InertialSensors

/// What a source tells recognisers.
enum RecognitionEvent {
  case input(RecognitionInput)
  /// What comes next does not follow what came before.
  case discontinuity
  /// Nothing more will come.
  case end
}

/// Listens to a source for recognisers: motion as they take it, and the other channels.
///
/// It listens while one of those who have started has not stopped. It keeps nobody.
final class SourceListener: @unchecked Sendable {
  private let monitor: Monitor
  private let hold: SourceHold
  private let ownSource: (any SensorSource)?
  private let wantsMotion: Bool
  private let consume: @Sendable (RecognitionEvent, _ token: Int) -> Void
  private var users: Set<Int> = []

  /// - Parameters:
  ///   - monitor: of the owner.
  ///   - wantsMotion: whether motion is told; without it samples of other channels wait for none.
  ///   - consume: called on the source's thread, without the monitor; it asks `isCurrent` where it uses what it is told.
  init(
    source: (any SensorSource)?, monitor: Monitor, wantsMotion: Bool = true,
    consume: @escaping @Sendable (RecognitionEvent, _ token: Int) -> Void
  ) {
    ownSource = source
    self.wantsMotion = wantsMotion
    self.monitor = monitor
    self.consume = consume
    hold = SourceHold(monitor: monitor)
  }

  /// The source that is listened to; while nobody has started the owner's own, else the process's.
  var source: (any SensorSource)? { hold.source ?? ownSource ?? MotionSensors.defaultSource }

  /// Whether what comes with that token is of a start that has not been stopped. Under the monitor.
  func isCurrent(_ token: Int) -> Bool { hold.isCurrent(token) && !users.isEmpty }

  /// Begins to listen to a source for a user.
  ///
  /// - Parameter begin: starts the user's stream, under the monitor.
  func start(_ user: Int, to source: any SensorSource, _ begin: () -> EndedSubscription?) {
    let feed = wantsMotion ? RecognitionFeed(source) : nil
    hold.start(source, receiver: { Receiver(self, token: $0, feed: feed) }, isNeeded: { !users.isEmpty }) {
      users.insert(user)
      return begin()
    }
  }

  /// - Parameter end: stops the user's stream, under the monitor; its result is handed on.
  func stop<Result>(_ user: Int, _ end: () -> Result) -> Result {
    hold.stop(isNeeded: { !users.isEmpty }) {
      users.remove(user)
      return end()
    }
  }

  private final class Receiver: SensorReceiver, @unchecked Sendable {
    private weak var listener: SourceListener?
    private let token: Int
    /// The source's thread alone uses it; nil where no motion is wanted.
    private var feed: RecognitionFeed?

    init(_ listener: SourceListener, token: Int, feed: RecognitionFeed?) {
      self.listener = listener
      self.token = token
      self.feed = feed
    }

    func receive(_ event: SensorEvent) {
      guard let listener else { return }
      func tell(_ input: RecognitionInput) { listener.consume(.input(input), token) }
      switch event {
      case .samples(let samples):
        for sample in samples { feed?.append(sample, tell) }
        if let last = samples.last { feed?.close(through: last.time, tell) }
      case .auxiliary(let samples):
        if feed == nil { for sample in samples { tell(.other(sample)) } } else { feed!.add(samples) }
      case .discontinuity:
        feed?.restart()
        listener.consume(.discontinuity, token)
      case .end:
        feed?.finish(tell)
        listener.consume(.end, token)
      case .silence: break
      }
    }
  }
}

extension RecordingSource {
  /// Everything on record, as recognisers take it.
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

/// Turns a source's times into dates. Where the source does not know them, its first sample is of the moment at which a
/// recording was opened, or at which a stream's sample came.
struct SourceCalendar: Sendable {
  private var epoch: Double?

  init(_ source: (any SensorSource)?) {
    epoch = source?.epoch ?? (source as? RecordingSource).map { $0.openedAt - $0.times.lowerBound }
  }

  /// - Parameter time: seconds on the source's clock; the first that is asked for settles the dates of a stream.
  mutating func date(_ time: Double) -> Date {
    let start = epoch ?? Date().timeIntervalSince1970 - time
    epoch = start
    return Date(timeIntervalSince1970: start + time)
  }

  /// Seconds on the source's clock; nil before a stream's first sample.
  func time(_ date: Date) -> Double? { epoch.map { date.timeIntervalSince1970 - $0 } }
}
