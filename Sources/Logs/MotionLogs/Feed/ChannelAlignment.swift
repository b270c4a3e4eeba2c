package import InertialSensors

/// A channel's time offset against the gyroscope as numbers and strings, for documents and manifests.
package struct ChannelAlignment: Sendable, Equatable, Codable {
  package var channel: String
  /// The offset, or `nil` if it could not be determined.
  package var offset: StreamOffset?
  /// The reason for which the offset could not be determined.
  package var reason: String?
  /// Whether the channel's times were corrected by the offset, or `nil` if no correction was requested.
  package var isApplied: Bool?
}

extension [SensorChannel: StreamOffsetResult] {
  /// The offsets to apply, in seconds: those that differ significantly from zero.
  package var significantOffsets: [SensorChannel: Double] {
    compactMapValues { finding in (try? finding.get()).flatMap { $0.isSignificant ? $0.seconds : nil } }
  }

  /// Returns the results in the order of the channels.
  ///
  /// - Parameter isApplied: Whether the significant offsets were subtracted from the times.
  package func alignments(isApplied: Bool) -> [ChannelAlignment] {
    sorted { $0.key < $1.key }.map { channel, finding in
      switch finding {
      case .success(let offset):
        ChannelAlignment(channel: channel.name, offset: offset, isApplied: isApplied ? offset.isSignificant : nil)
      case .failure(let reason):
        ChannelAlignment(channel: channel.name, reason: reason.description, isApplied: isApplied ? false : nil)
      }
    }
  }
}

extension LogFeed {
  /// Estimates the offsets between the log's gyroscope and its other sensors in a pass over the log. `offsets` is not
  /// applied.
  package func alignment(
    progress: (Double) -> Void = { _ in }
  ) throws(LogError) -> [SensorChannel: StreamOffsetResult] {
    var feed = self
    feed.offsets = [:]
    feed.options.auxiliary = []
    feed.sound = nil
    var estimator = StreamOffsetEstimator()
    let summary = try feed.run(
      start: { (_) throws(LogError) in estimator = StreamOffsetEstimator() }, progress: progress,
      consume: { (block) throws(LogError) in for sample in block { estimator.add(sample) } })
    return estimator.findings(for: summary.reports.keys)
  }
}
