// The old names of public declarations.

public import InertialSensors

extension AttitudeFilter {
  /// The old name of `endEpoch`.
  @available(*, deprecated, renamed: "endEpoch")
  public mutating func closeMoment() { endEpoch() }
}

/// The old name of `Recording`.
@available(*, deprecated, renamed: "Recording")
public typealias MotionColumns = Recording
