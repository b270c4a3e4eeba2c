internal import AttitudeFilters
public import Rotations
public import Sensors

extension DeviceMotionEstimator {
  /// What to estimate, and from what.
  public struct Configuration: Sendable, Codable, Equatable {
    /// Where the field comes from.
    public enum Field: String, Sendable, Codable, CaseIterable {
      /// The field that the device calibrated where the log has one, else the raw one through the online calibration.
      case automatic
      /// The raw field through the online calibration, even where the device calibrated its own.
      case raw
      /// The field as it is, without a calibration of ours.
      case calibrated
    }

    public var frame = AttitudeReferenceFrame.xArbitraryZVertical
    public var field = Field.automatic
    /// The device axis whose bearing is the heading. Default: as on an iPhone.
    public var pointingAxis = PointingAxis.automatic
    /// Declination for true north, radians, positive where magnetic north is east of true north.
    public var declination = 0.0
    /// The filter uses a field only from this accuracy on.
    public var leastFieldAccuracy = MagneticFieldAccuracy.medium
    /// Whether a raw field that has always been as strong as the earth's is used before its calibration is known.
    public var usesPlausibleRawField = true
    /// Longest time between two samples of a channel that is interpolated over, seconds.
    public var longestInterpolation = 0.5
    public var limits = SensorLimits.standard

    public init() {}

    /// What the frame asks of a filter's X axis.
    var headingReference: HeadingReference { frame.isNorthReferenced ? .magneticNorth : .initialHeading }
  }
}
