internal import InertialFilters
public import InertialRotations
public import InertialSensors

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

    /// When the motions of the start are given: those from before the filter has settled, after a second.
    public enum Start: String, Sendable, Codable, CaseIterable {
      /// When it has, with its attitude carried back to their times by the gyroscope: the better attitude, for a dataset.
      case carriedBack
      /// At once, with what the filter knows by then, as a phone gives them. Those from before the first acceleration are
      /// left out, as nothing is known of them.
      case immediate
    }

    /// The reference frame of the attitude.
    public var frame = AttitudeReferenceFrame.xArbitraryZVertical
    /// Which magnetic field is used.
    public var field = Field.automatic
    /// When the motions of the start are given. Either way they are flagged `converging`.
    public var start = Start.carriedBack
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
    /// What the sensors can physically measure; what is outside is not used.
    public var limits = SensorLimits.standard

    /// The defaults.
    public init() {}

    /// For updates as they become known: the start is `immediate`.
    public static var live: Configuration {
      var configuration = Configuration()
      configuration.start = .immediate
      return configuration
    }

    /// What the frame asks of a filter's X axis.
    var headingReference: HeadingReference { frame.isNorthReferenced ? .magneticNorth : .initialHeading }
  }
}
