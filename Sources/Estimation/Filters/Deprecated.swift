// The old names of public declarations.

extension AttitudeFilter {
  @available(*, deprecated, renamed: "endEpoch")
  public mutating func closeMoment() { endEpoch() }
}
