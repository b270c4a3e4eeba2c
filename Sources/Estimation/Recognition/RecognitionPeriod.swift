/// The beat of activity and steps.
package enum RecognitionPeriod {
  /// Seconds from one update to the next: "two and a half seconds for everything" (WWDC14, session 612), in which 128
  /// samples of 50 Hz lie.
  package static let standard = 2.56
}
