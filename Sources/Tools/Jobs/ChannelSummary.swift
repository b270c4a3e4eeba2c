/// The samples of a channel in a result.
package struct ChannelSummary: Encodable, Sendable {
  /// The name of the channel.
  package var name: String
  /// The number of samples.
  package var samples: Int
  /// The number of samples that were used, or `nil` if `samples` contains only these.
  package var used: Int?
  /// The mean rate, in Hz.
  package var rate: Double
}
