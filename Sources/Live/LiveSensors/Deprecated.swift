// The old names of public declarations.

extension RecordingSource {
  @available(*, deprecated, renamed: "IdleClockPolicy")
  public typealias UnheardTime = IdleClockPolicy

  @available(*, deprecated, renamed: "maximumSilence")
  public var longestSilence: Double { maximumSilence }
}

extension StreamSource {
  @available(*, deprecated, renamed: "maximumSilence")
  public var longestSilence: Double { maximumSilence }
}
