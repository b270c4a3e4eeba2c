public import InertialNumerics
public import InertialSensors

/// An estimator of the hard iron while the device rotates.
///
/// The earth's field has one strength in every attitude, so raw samples lie on a sphere about the hard iron. The sphere
/// is fitted to samples that differ from the last one used, so standing still has no effect. The covariance of its
/// centre in the worst direction determines the accuracy level. Samples that do not lie on the sphere lower the level
/// immediately. Their cause may be a temporary disturbance, so the sphere is kept and a second one is fitted to them:
/// if it becomes accurate while the first still does not fit, the hard iron has changed.
///
/// Until the sphere is accurate, a raw field whose strength has always been within the earth's range is presumed to be
/// calibrated, as from a research IMU: a phone's hard iron of hundreds of µT would be apparent. Its accuracy is low.
public struct HardIronEstimator: Sendable, Codable, Equatable {
  /// The parameters of the estimator.
  public struct Parameters: Sendable, Codable, Equatable {
    /// The minimum change of the field for a sample to be used, in µT.
    public var step = 2.0
    /// The standard deviation of a sample's distance from the sphere, in µT: noise, soft iron, the room's field.
    public var noise = 2.0
    /// The number of used samples after which an old one has the weight 1/e.
    public var memory = 400.0
    /// The worst-direction standard deviation of the offset below which the accuracy is low, in µT.
    public var lowSigma = 12.0
    /// The worst-direction standard deviation of the offset below which the accuracy is medium, in µT.
    public var mediumSigma = 3.0
    /// The worst-direction standard deviation of the offset below which the accuracy is high, in µT.
    public var highSigma = 0.8
    /// The possible strengths of the earth's field (22 to 67 µT, with a margin for buildings), in µT.
    public var strength = 15.0...90.0
    /// The strengths of the earth's field at its surface, in µT: a raw field that never leaves them is presumed to be
    /// calibrated.
    public var earthStrength = 22.0...67.0
    /// The largest ratio of the strongest to the weakest of such fields: the earth has one strength in every attitude.
    public var earthVariation = 1.25
    /// The root mean square distance from the sphere above which the samples do not belong to the sphere, in µT.
    public var misfitThreshold = 6.0
    /// The number of used samples over which that distance is averaged.
    public var misfitMemory = 10.0

    /// Creates the default parameters.
    public init() {}
  }

  /// The parameters of the estimator.
  public let parameters: Parameters
  /// The accuracy of the hard iron; low if none is presumed.
  public var accuracy: MagneticFieldAccuracy { presumesNone ? .low : level }

  /// Whether the raw field is presumed to be calibrated, because its strength was always plausible and no estimate is
  /// better.
  public private(set) var presumesNone = false

  private var fit: SphereFit?
  /// The sphere fitted to the samples since the first sphere has ceased to fit.
  private var challenger: SphereFit?
  private var lastUsed = Vector3.zero
  /// The mean square distance of the last samples from the sphere, in µT².
  private var squaredMisfit = 0.0
  /// The weakest and the strongest raw field so far, in µT; 0 before the first.
  private var weakest = 0.0
  private var strongest = 0.0
  /// The accuracy of the fitted sphere. It and the centre are read with every sample, but seldom change.
  private var level = MagneticFieldAccuracy.uncalibrated
  private var center = Vector3.zero

  /// Creates an estimator without samples.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The hard iron, in µT, device axes; zero until it is estimated.
  public var offset: Vector3 { presumesNone ? .zero : center }

  /// The strength of the field without hard iron, in µT; 0 until it is estimated.
  public var fieldStrength: Double { fit?.radius ?? 0 }
  /// The standard deviation of `offset` in its worst direction, in µT.
  public var sigma: Double { fit?.sigma ?? .greatestFiniteMagnitude }

  /// Adds a raw field, in µT, device axes; fields that are not finite or zero are ignored.
  public mutating func add(_ field: Vector3) {
    guard SensorLimits.standard.allowsRawField(field) else { return }
    let norm = field.norm
    weakest = weakest == 0 ? norm : min(weakest, norm)
    strongest = max(strongest, norm)
    if fit == nil {
      fit = SphereFit(origin: field, parameters)
      lastUsed = field
    } else if (field - lastUsed).norm >= parameters.step {
      lastUsed = field
      learn(from: field)
    }
    presumesNone =
      level < .medium && weakest >= parameters.earthStrength.lowerBound
      && strongest <= parameters.earthStrength.upperBound
      && strongest <= parameters.earthVariation * weakest
  }

  /// Returns a raw field without the hard iron, in µT.
  public func calibrated(_ field: Vector3) -> Vector3 { field - offset }

  private mutating func learn(from field: Vector3) {
    if level(of: fit!) >= .medium { noteMisfit(fit!.residual(of: field)) }
    if squaredMisfit <= parameters.misfitThreshold * parameters.misfitThreshold {
      challenger = nil
      fit!.add(field, parameters)
    } else {
      challenge(with: field)
    }
    let own = level(of: fit!)
    level = challenger == nil ? own : min(own, .low)
    center = fit!.center
  }

  private mutating func noteMisfit(_ distance: Double) {
    squaredMisfit += (distance * distance - squaredMisfit) / parameters.misfitMemory
  }

  private mutating func challenge(with field: Vector3) {
    guard challenger != nil else {
      challenger = SphereFit(origin: field, parameters)
      return
    }
    challenger!.add(field, parameters)
    guard level(of: challenger!) >= .medium else { return }
    fit = challenger
    challenger = nil
    squaredMisfit = 0
  }

  private func level(of fit: SphereFit) -> MagneticFieldAccuracy {
    guard parameters.strength.contains(fit.radius) else { return .uncalibrated }
    if fit.sigma <= parameters.highSigma { return .high }
    if fit.sigma <= parameters.mediumSigma { return .medium }
    return fit.sigma <= parameters.lowSigma ? .low : .uncalibrated
  }
}
