// The old names of public declarations.

public import InertialFilters
public import InertialRecognition

extension FilterKind {
  /// The old form of `FilterKind.all.known(name)`.
  @available(*, deprecated, message: "use FilterKind.all.known(name)")
  public static func known(_ name: String) throws(FusionError) -> FilterKind { try all.requested(name) }
}

extension ShakeDetectorKind {
  /// The old form of `ShakeDetectorKind.all.known(name)`.
  @available(*, deprecated, message: "use ShakeDetectorKind.all.known(name)")
  public static func known(_ name: String) throws(FusionError) -> ShakeDetectorKind { try all.requested(name) }
}

/// The old name of `CarryMode`.
@available(*, deprecated, renamed: "CarryMode")
public typealias Carrying = CarryMode

/// The old name of `ReferenceRecording`.
@available(*, deprecated, renamed: "ReferenceRecording")
public typealias JudgedRecording = ReferenceRecording

extension AltitudeJob {
  /// The old form of `isCausal`.
  @available(*, deprecated, message: "use isCausal")
  public var smooths: Bool {
    get { !isCausal }
    set { isCausal = !newValue }
  }
}

extension GapPolicy {
  /// The old name of `maximumFilledGap`.
  @available(*, deprecated, renamed: "maximumFilledGap")
  public static var longestFilled: Double { maximumFilledGap }
}
