package import InertialSensors

/// The constant time offsets of a log's sensors.
package struct LogAlignment: Sendable, Equatable {
  /// The result for every channel of the log that can have an offset.
  package var findings: [SensorChannel: StreamOffsetFinding] = [:]

  package init(findings: [SensorChannel: StreamOffsetFinding] = [:]) { self.findings = findings }

  /// The offsets to apply, in seconds: those that differ significantly from zero.
  package var offsets: [SensorChannel: Double] {
    findings.compactMapValues { finding in finding.offset.flatMap { $0.isSignificant ? $0.seconds : nil } }
  }

  /// A channel's result as numbers and strings, for documents and manifests.
  package struct Entry: Sendable, Equatable, Codable {
    package var channel: String
    /// The offset, or `nil` if it could not be determined.
    package var offset: StreamOffset?
    /// The reason for which the offset could not be determined.
    package var reason: String?
    /// Whether the channel's times were corrected by the offset, or `nil` if no correction was requested.
    package var isApplied: Bool?
  }

  /// Returns the results in the order of the channels.
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
  /// Estimates the offsets between the log's gyroscope and its other sensors in a pass over the log. `offsets` is not
  /// applied.
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
