internal import MotionLogs
public import Sensors

/// What was found of the constant time offsets of a log's sensors, and what was done about them.
public struct LogAlignment: Sendable, Equatable {
  /// Of every channel of the log that can have an offset.
  public var findings: [SensorChannel: StreamOffsetFinding] = [:]

  public init(findings: [SensorChannel: StreamOffsetFinding] = [:]) { self.findings = findings }

  /// The offsets to apply: those that are told from none, in seconds.
  public var offsets: [SensorChannel: Double] {
    findings.compactMapValues { finding in finding.offset.flatMap { $0.isSignificant ? $0.seconds : nil } }
  }

  /// A channel's finding as numbers and words, for documents and manifests.
  public struct Entry: Sendable, Equatable, Codable {
    public var channel: String
    /// nil where it could not be told.
    public var offset: StreamOffset?
    /// Why it could not be told.
    public var reason: String?
    /// Whether the channel's times were changed by it; nil where that was not asked for.
    public var isApplied: Bool?
  }

  /// The findings in the order of the channels.
  public func entries(isApplied: Bool) -> [Entry] {
    findings.sorted { $0.key < $1.key }.map { channel, finding in
      switch finding {
      case .decided(let offset):
        Entry(
          channel: channel.name, offset: offset, reason: nil, isApplied: isApplied ? offsets[channel] != nil : nil)
      case .undecided(let reason):
        Entry(channel: channel.name, offset: nil, reason: reason.description, isApplied: isApplied ? false : nil)
      }
    }
  }
}

extension LogFeed {
  /// The offsets between the log's gyroscope and its other sensors, by a pass over the log; `offsets` are not applied.
  ///
  /// - Throws: `usage` for standard input, which cannot be read again to apply them.
  public func alignment(progress: (Double) -> Void = { _ in }) throws(FusionError) -> LogAlignment {
    guard !LogFinder.isStream(path) else {
      throw .usage(
        "--align reads the log twice, which standard input cannot be; save it to a file and give that")
    }
    var feed = self
    feed.offsets = [:]
    feed.options.auxiliary = []
    feed.sound = nil
    var estimator = StreamOffsetEstimator()
    let summary = try feed.run(
      start: { (_) throws(FusionError) in estimator = StreamOffsetEstimator() }, progress: progress,
      consume: { (sample) throws(FusionError) in estimator.add(sample) })
    return LogAlignment(findings: estimator.findings(for: summary.reports.keys))
  }
}
