package import InertialSensors

/// The reasons to doubt an attitude, as in the columns `trust` and `trustReason`; empty for a reliable attitude.
package struct AttitudeTrust: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  package init(_ cause: Cause) { rawValue = 1 << cause.rawValue }

  /// The reliability of an attitude.
  package enum Level: Int, CaseIterable, Encodable, Sendable {
    case trusted, doubtful, untrusted

    package var name: String { ["trusted", "doubtful", "not trusted"][rawValue] }
  }

  /// A reason for doubt. Those of an untrusted attitude come first; the first three are known for complete logs only.
  package enum Cause: Int, CaseIterable, Sendable {
    case gap, held, clipped, jumped, tiltUnknown, headingUnknown
    case startUp, disturbance, rejected, innovations, tiltDoubtful, headingDoubtful

    /// The reasons that a single row can have.
    package static let ofRows = allCases.filter { $0.rawValue > Cause.clipped.rawValue }

    package var level: Level { rawValue <= Cause.headingUnknown.rawValue ? .untrusted : .doubtful }

    package var text: String {
      switch self {
      case .gap: "no samples"
      case .held: "a sensor repeats its values"
      case .clipped: "the gyroscope is at the end of its range"
      case .jumped: "the attitude jumped by more than 3°"
      case .tiltUnknown: "standard deviation of the inclination above \(Int(AttitudeTrust.tiltLimits.untrusted))°"
      case .headingUnknown:
        "unknown north, or standard deviation of the heading above \(Int(AttitudeTrust.headingLimits.untrusted))°"
      case .startUp: "start-up of the filter"
      case .disturbance: "magnetic disturbance"
      case .rejected: "impossible samples were skipped"
      case .innovations: "measurements contradict the filter"
      case .tiltDoubtful: "standard deviation of the inclination above \(Int(AttitudeTrust.tiltLimits.doubtful))°"
      case .headingDoubtful: "standard deviation of the heading above \(Int(AttitudeTrust.headingLimits.doubtful))°"
      }
    }
  }

  /// The limits of the standard deviations in degrees.
  private static let tiltLimits = (doubtful: 2.0, untrusted: 5.0)
  private static let headingLimits = (doubtful: 10.0, untrusted: 30.0)

  /// The reasons, the most severe first.
  package var causes: [Cause] { Cause.allCases.filter { contains(AttitudeTrust($0)) } }
  /// The reliability: that of the most severe reason.
  package var level: Level { causes.first?.level ?? .trusted }

  /// Creates the reasons from a row of a fusion.
  ///
  /// - Parameters:
  ///   - sigmas: The standard deviations about the frame's axes, in radians; NaN without a covariance, which limits
  ///     nothing.
  ///   - isOutlier: Whether a measurement contradicts the filter: its test ratio is above 1.
  ///   - lacksNorth: Whether the frame's X points to a north that is still unknown.
  package init(
    _ flags: AttitudeFlags, sigmas: (x: Double, y: Double, z: Double), isOutlier: Bool, lacksNorth: Bool = false
  ) {
    var trust: AttitudeTrust = []
    func insert(_ cause: Cause, if holds: Bool) { if holds { trust.insert(AttitudeTrust(cause)) } }
    let degrees = 180 / Double.pi
    let (tilt, heading) = (max(sigmas.x, sigmas.y) * degrees, sigmas.z * degrees)
    insert(.jumped, if: flags.contains(.jumped))
    insert(.startUp, if: flags.contains(.converging))
    insert(.disturbance, if: flags.contains(.magneticDisturbance))
    insert(
      .rejected, if: !flags.isDisjoint(with: [.gyroscopeRejected, .accelerometerRejected, .magneticFieldRejected]))
    insert(.innovations, if: isOutlier)
    insert(.tiltUnknown, if: tilt > Self.tiltLimits.untrusted)
    insert(.tiltDoubtful, if: tilt > Self.tiltLimits.doubtful && tilt <= Self.tiltLimits.untrusted)
    insert(.headingUnknown, if: lacksNorth || heading > Self.headingLimits.untrusted)
    insert(.headingDoubtful, if: heading > Self.headingLimits.doubtful && heading <= Self.headingLimits.untrusted)
    self = trust
  }
}
