/// An event detected by a recogniser, to be marked on a time axis.
package struct RecognisedEvent: Sendable, Equatable, Codable {
  /// The kind of event.
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// A segment with one activity, from the whole recording; in a live stream, the start of another activity.
    case activity
    case shake
    case step
    /// A floor change by stairs or lift.
    case floors
    case fall
    /// A segment with one known posture.
    case posture
  }

  package var kind: Kind
  /// The start in seconds on the log's clock; a step starts and ends at the same time.
  package var start: Double
  package var end: Double
  /// A description in a few words.
  package var text: String

  package init(kind: Kind, start: Double, end: Double, text: String) {
    (self.kind, self.start, self.end, self.text) = (kind, start, end, text)
  }
}
