/// The update interval of activity and steps.
package enum RecognitionPeriod {
  /// The interval between updates, in seconds: "two and a half seconds for everything" (WWDC14, session 612), which
  /// is 128 samples at 50 Hz.
  package static let standard = 2.56
}
