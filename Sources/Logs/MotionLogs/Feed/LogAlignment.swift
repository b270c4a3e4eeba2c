package import InertialSensors

/// What was found of the constant time offsets of a log's sensors, and what was done about them.
package struct LogAlignment: Sendable, Equatable {
  /// Of every channel of the log that can have an offset.
  package var findings: [SensorChannel: StreamOffsetFinding] = [:]

  package init(findings: [SensorChannel: StreamOffsetFinding] = [:]) { self.findings = findings }

  /// The offsets to apply: those that are told from none, in seconds.
  package var offsets: [SensorChannel: Double] {
    findings.compactMapValues { finding in finding.offset.flatMap { $0.isSignificant ? $0.seconds : nil } }
  }

  /// A channel's finding as numbers and words, for documents and manifests.
  package struct Entry: Sendable, Equatable, Codable {
    package var channel: String
    /// nil where it could not be told.
    package var offset: StreamOffset?
    /// Why it could not be told.
    package var reason: String?
    /// Whether the channel's times were changed by it; nil where that was not asked for.
    package var isApplied: Bool?
  }

  /// The findings in the order of the channels.
  package func entries(isApplied: Bool) -> [Entry] {
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
  package func alignment(progress: (Double) -> Void = { _ in }) throws(LogError) -> LogAlignment {
    var feed = self
    feed.offsets = [:]
    feed.options.auxiliary = []
    feed.sound = nil
    var estimator = StreamOffsetEstimator()
    let summary = try feed.run(
      start: { (_) throws(LogError) in estimator = StreamOffsetEstimator() }, progress: progress,
      consume: { (block) throws(LogError) in for sample in block { estimator.add(sample) } })
    return LogAlignment(findings: estimator.findings(for: summary.reports.keys))
  }
}
