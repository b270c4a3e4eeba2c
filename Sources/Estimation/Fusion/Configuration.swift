internal import InertialFilters
public import InertialRotations
public import InertialSensors

extension DeviceMotionEstimator {
  /// The quantities to estimate and the inputs to use.
  public struct Configuration: Sendable, Codable, Equatable {
    /// The source of the magnetic field.
    public enum Field: String, Sendable, Codable, CaseIterable {
      /// The field calibrated by the device if the log has one, otherwise the raw field with the online calibration.
      /// Offline, the raw field takes precedence if its hard iron is found with sufficient accuracy and is constant.
      case automatic
      /// The raw field with the online calibration, even if the device calibrated its own.
      case raw
      /// The device's calibrated field if the log has one, otherwise the raw field, without the online calibration.
      case calibrated
    }

    /// The delivery of the first motions, which precede the settling of the filter after about a second.
    public enum Start: String, Sendable, Codable, CaseIterable {
      /// The motions are delivered once the filter has settled, with its attitude propagated back to their times by the
      /// gyroscope. The attitude is better; suited to a dataset.
      case carriedBack
      /// The motions are delivered immediately with the current estimate, as on a phone. Motions before the first
      /// acceleration are omitted because their attitude is unknown.
      case immediate
    }

    /// The reference frame of the attitude.
    public var frame = AttitudeReferenceFrame.xArbitraryZVertical
    /// The magnetic field to use.
    public var field = Field.automatic
    /// The delivery of the first motions, which are flagged `converging` in either case.
    public var start = Start.carriedBack
    /// The device axis whose bearing is the heading. Default: as on an iPhone.
    public var pointingAxis = PointingAxis.automatic
    /// The declination for true north, in radians, positive if magnetic north is east of true north.
    public var declination = 0.0
    /// The minimum accuracy of a field that the filter uses.
    public var minimumFieldAccuracy = MagneticFieldAccuracy.medium
    /// Whether a raw field is used before its calibration is known, if its strength has always been plausible for the
    /// earth's.
    public var usesPlausibleRawField = true
    /// The longest time between two samples of a channel that is interpolated over, in seconds.
    public var maximumInterpolationInterval = 0.5
    /// The physical limits of the sensors; samples outside are not used. Filters also apply the standard limits, so that
    /// wider ones have no effect.
    public var limits = SensorLimits.standard

    /// Creates a configuration with the defaults.
    public init() {}

    /// The configuration for live updates: the start is `immediate`.
    public static var live: Configuration {
      var configuration = Configuration()
      configuration.start = .immediate
      return configuration
    }

    /// The reference of the filter's X axis that the frame requires.
    var headingReference: HeadingReference { frame.isNorthReferenced ? .magneticNorth : .initialHeading }

    /// The keys of saved values, which keep their names.
    private enum CodingKeys: String, CodingKey {
      case frame, field, start, pointingAxis, declination, minimumFieldAccuracy = "leastFieldAccuracy"
      case usesPlausibleRawField, maximumInterpolationInterval = "longestInterpolation", limits
    }
  }
}
