// The old names of public declarations.

extension AttitudeFilter {
  /// The old name of `endEpoch`.
  @available(*, deprecated, renamed: "endEpoch")
  public mutating func closeMoment() { endEpoch() }
}
