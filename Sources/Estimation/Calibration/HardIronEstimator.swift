public import InertialNumerics
public import InertialSensors

/// The device's own magnetic field, learned while the device turns.
///
/// The earth's field has one strength in every attitude, so raw samples lie on a sphere about the device's own field.
/// The sphere is fitted to samples that differ from the last one used, so that standing still teaches nothing; the
/// covariance of its centre in the worst direction decides the accuracy level. Samples that do not lie on the sphere
/// lower the level at once. They may be of something that the device passes, so the sphere is kept and a second one is
/// tried on them: where that becomes accurate while the first still does not fit, the device's own field has changed.
///
/// Until the sphere is accurate, a raw field whose strength has always been the earth's is presumed to be calibrated
/// already, as that of a research unit is: a phone's own field of hundreds of µT would show. Its accuracy is low.
public struct HardIronEstimator: Sendable, Codable, Equatable {
  /// How much motion it takes for an offset.
  public struct Parameters: Sendable, Codable, Equatable {
    /// Least change of the field, µT, for a sample to be used.
    public var step = 2.0
    /// Standard deviation of a sample's distance from the sphere, µT: noise, soft iron, the room's field.
    public var noise = 2.0
    /// Number of used samples after which an old one counts 1/e.
    public var memory = 400.0
    /// Worst-direction standard deviation of the offset, µT, below which the accuracy is low, medium, high.
    public var lowSigma = 12.0
    /// Sigma of the offset, µT, below which the accuracy is medium.
    public var mediumSigma = 3.0
    /// Sigma of the offset, µT, below which the accuracy is high.
    public var highSigma = 0.8
    /// Strengths that can be the earth's (22 to 67 µT, with room for buildings), µT.
    public var strength = 15.0...90.0
    /// Strengths of the earth's field at its surface, µT: a raw field that never leaves them is presumed clean.
    public var earthStrength = 22.0...67.0
    /// Largest ratio of the strongest to the weakest of them: the earth has one strength in every attitude.
    public var earthVariation = 1.25
    /// Root mean square distance from the sphere, µT, above which the samples are not of this sphere.
    public var misfitThreshold = 6.0
    /// Number of used samples over which that distance is averaged.
    public var misfitMemory = 10.0

    /// The defaults.
    public init() {}
  }

  /// What the estimator was made with.
  public let parameters: Parameters
  /// How well the device's own field is known; low where there is presumed to be none.
  public var accuracy: MagneticFieldAccuracy { presumesNone ? .low : level }

  /// Whether the raw field is taken for the earth's because it has always looked like it and nothing better is known.
  public private(set) var presumesNone = false

  private var fit: SphereFit?
  /// Fitted to the samples since the first sphere has ceased to fit.
  private var challenger: SphereFit?
  private var lastUsed = Vector3.zero
  /// Mean square distance of the last samples from the sphere, µT².
  private var squaredMisfit = 0.0
  /// The weakest and the strongest raw field so far, µT; 0 before the first.
  private var weakest = 0.0
  private var strongest = 0.0
  /// How well the fitted sphere is known. It and the centre are asked for with every sample, and change with few.
  private var level = MagneticFieldAccuracy.uncalibrated
  private var center = Vector3.zero

  /// An estimator that has seen nothing yet.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The device's own field, µT, device axes; zero until something is known.
  public var offset: Vector3 { presumesNone ? .zero : center }

  /// Strength of the field without the device's own, µT; 0 until something is known.
  public var fieldStrength: Double { fit?.radius ?? 0 }
  /// Standard deviation of `offset` in its worst direction, µT.
  public var sigma: Double { fit?.sigma ?? .greatestFiniteMagnitude }

  /// Takes a raw field, µT, device axes; not finite or zero fields are ignored.
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

  /// A raw field without the device's own, µT.
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
