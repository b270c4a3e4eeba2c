// The old names of public declarations.

/// The old name of `CarryMode`.
@available(*, deprecated, renamed: "CarryMode")
public typealias Carrying = CarryMode

/// The old name of `ReferenceRecording`.
@available(*, deprecated, renamed: "ReferenceRecording")
public typealias JudgedRecording = ReferenceRecording

extension GapPolicy {
  /// The old name of `maximumFilledGap`.
  @available(*, deprecated, renamed: "maximumFilledGap")
  public static var longestFilled: Double { maximumFilledGap }
}
