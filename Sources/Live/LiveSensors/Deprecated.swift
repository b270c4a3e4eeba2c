// The old names of public declarations.

extension RecordingSource {
  /// The old name of `IdleClockPolicy`.
  @available(*, deprecated, renamed: "IdleClockPolicy")
  public typealias UnheardTime = IdleClockPolicy

  /// The old name of `maximumSilence`.
  @available(*, deprecated, renamed: "maximumSilence")
  public var longestSilence: Double { maximumSilence }
}

extension StreamSource {
  /// The old name of `maximumSilence`.
  @available(*, deprecated, renamed: "maximumSilence")
  public var longestSilence: Double { maximumSilence }
}
