/// Something that a recogniser saw happen, for those who mark it on an axis of time.
package struct RecognisedEvent: Sendable, Equatable {
  /// What kind of thing it was.
  package enum Kind: String, Sendable, CaseIterable {
    /// A stretch in which the activity stayed the same, by all of the recording.
    case activity
    case shake
    case step
    /// A way up or down by stairs or lift.
    case floors
    case fall
    /// A time in one posture that is known.
    case posture
  }

  package var kind: Kind
  /// Seconds on the log's clock; a step begins and ends at one time.
  package var start: Double
  package var end: Double
  /// What it was, in a few words.
  package var text: String
}
