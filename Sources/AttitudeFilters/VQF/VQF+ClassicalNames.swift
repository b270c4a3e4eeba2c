internal import Sensors

private let degree = Double.pi / 180

/// The published names and units: degrees and m/s².
extension VQF.Parameters {
  /// Seconds.
  package var tauAcc: Double {
    get { accelerationTimeConstant }
    set { accelerationTimeConstant = newValue }
  }
  /// Seconds.
  package var tauMag: Double {
    get { magneticTimeConstant }
    set { magneticTimeConstant = newValue }
  }
  /// 1 or 0.
  package var motionBiasEstEnabled: Double {
    get { motionBiasEstimation }
    set { motionBiasEstimation = newValue }
  }
  /// 1 or 0.
  package var restBiasEstEnabled: Double {
    get { restBiasEstimation }
    set { restBiasEstimation = newValue }
  }
  /// 1 or 0.
  package var magDistRejectionEnabled: Double {
    get { disturbanceRejection }
    set { disturbanceRejection = newValue }
  }
  /// °/s.
  package var biasSigmaInit: Double {
    get { initialBiasSigma / degree }
    set { initialBiasSigma = newValue * degree }
  }
  /// °/s.
  package var biasClip: Double {
    get { biasBound / degree }
    set { biasBound = newValue * degree }
  }
  /// °/s.
  package var biasSigmaMotion: Double {
    get { motionBiasSigma / degree }
    set { motionBiasSigma = newValue * degree }
  }
  package var biasVerticalForgettingFactor: Double {
    get { verticalForgettingFactor }
    set { verticalForgettingFactor = newValue }
  }
  /// °/s.
  package var biasSigmaRest: Double {
    get { restBiasSigma / degree }
    set { restBiasSigma = newValue * degree }
  }
  /// Seconds.
  package var restMinT: Double {
    get { restDuration }
    set { restDuration = newValue }
  }
  /// Seconds.
  package var restFilterTau: Double {
    get { restTimeConstant }
    set { restTimeConstant = newValue }
  }
  /// °/s.
  package var restThGyr: Double {
    get { restRateThreshold / degree }
    set { restRateThreshold = newValue * degree }
  }
  /// m/s².
  package var restThAcc: Double {
    get { restAccelerationThreshold * standardGravity }
    set { restAccelerationThreshold = newValue / standardGravity }
  }
  /// Seconds.
  package var magCurrentTau: Double {
    get { fieldTimeConstant }
    set { fieldTimeConstant = newValue }
  }
  /// Seconds.
  package var magRefTau: Double {
    get { fieldReferenceTimeConstant }
    set { fieldReferenceTimeConstant = newValue }
  }
  /// A share of the learned strength.
  package var magNormTh: Double {
    get { fieldNormTolerance }
    set { fieldNormTolerance = newValue }
  }
  /// Degrees.
  package var magDipTh: Double {
    get { fieldDipTolerance / degree }
    set { fieldDipTolerance = newValue * degree }
  }
  /// Seconds.
  package var magNewTime: Double {
    get { newFieldTime }
    set { newFieldTime = newValue }
  }
  /// Seconds.
  package var magNewFirstTime: Double {
    get { firstFieldTime }
    set { firstFieldTime = newValue }
  }
  /// °/s.
  package var magNewMinGyr: Double {
    get { newFieldRate / degree }
    set { newFieldRate = newValue * degree }
  }
  /// Seconds.
  package var magMinUndisturbedTime: Double {
    get { undisturbedTime }
    set { undisturbedTime = newValue }
  }
  /// Seconds.
  package var magMaxRejectionTime: Double {
    get { rejectionTime }
    set { rejectionTime = newValue }
  }
  package var magRejectionFactor: Double {
    get { rejectionFactor }
    set { rejectionFactor = newValue }
  }

  /// The published names, in their own units; `biasForgettingTime` is the parameter's own name already.
  public static var classicalNames: [ParameterDescription<Self>] {
    let pairs: [(String, any WritableKeyPath<Self, Double> & Sendable, String, String, Double)] = [
      ("tauAcc", \.tauAcc, "s", "accelerationTimeConstant", 1),
      ("tauMag", \.tauMag, "s", "magneticTimeConstant", 1),
      ("motionBiasEstEnabled", \.motionBiasEstEnabled, "1", "motionBiasEstimation", 1),
      ("restBiasEstEnabled", \.restBiasEstEnabled, "1", "restBiasEstimation", 1),
      ("magDistRejectionEnabled", \.magDistRejectionEnabled, "1", "disturbanceRejection", 1),
      ("biasSigmaInit", \.biasSigmaInit, "°/s", "initialBiasSigma", degree),
      ("biasClip", \.biasClip, "°/s", "biasBound", degree),
      ("biasSigmaMotion", \.biasSigmaMotion, "°/s", "motionBiasSigma", degree),
      ("biasVerticalForgettingFactor", \.biasVerticalForgettingFactor, "1", "verticalForgettingFactor", 1),
      ("biasSigmaRest", \.biasSigmaRest, "°/s", "restBiasSigma", degree),
      ("restMinT", \.restMinT, "s", "restDuration", 1),
      ("restFilterTau", \.restFilterTau, "s", "restTimeConstant", 1),
      ("restThGyr", \.restThGyr, "°/s", "restRateThreshold", degree),
      ("restThAcc", \.restThAcc, "m/s²", "restAccelerationThreshold", 1 / standardGravity),
      ("magCurrentTau", \.magCurrentTau, "s", "fieldTimeConstant", 1),
      ("magRefTau", \.magRefTau, "s", "fieldReferenceTimeConstant", 1),
      ("magNormTh", \.magNormTh, "1", "fieldNormTolerance", 1),
      ("magDipTh", \.magDipTh, "°", "fieldDipTolerance", degree),
      ("magNewTime", \.magNewTime, "s", "newFieldTime", 1),
      ("magNewFirstTime", \.magNewFirstTime, "s", "firstFieldTime", 1),
      ("magNewMinGyr", \.magNewMinGyr, "°/s", "newFieldRate", degree),
      ("magMinUndisturbedTime", \.magMinUndisturbedTime, "s", "undisturbedTime", 1),
      ("magMaxRejectionTime", \.magMaxRejectionTime, "s", "rejectionTime", 1),
      ("magRejectionFactor", \.magRejectionFactor, "1", "rejectionFactor", 1),
    ]
    let own = descriptions
    return pairs.compactMap { name, path, unit, target, scale in
      guard let known = own.first(where: { $0.name == target }) else { return nil }
      // The range of the parameter that it sets, in the published unit.
      let range = known.range.lowerBound / scale...known.range.upperBound / scale
      return .init(name, path, unit: unit, range: range, "\(target) by its published name and unit.")
    }
  }
}
