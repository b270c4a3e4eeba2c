// The old names of public declarations.

@available(*, deprecated, renamed: "CarryMode")
public typealias Carrying = CarryMode

@available(*, deprecated, renamed: "ReferenceRecording")
public typealias JudgedRecording = ReferenceRecording

extension GapPolicy {
  @available(*, deprecated, renamed: "maximumFilledGap")
  public static var longestFilled: Double { maximumFilledGap }
}
