public import InertialNumerics
internal import InertialRotations
public import InertialSensors
internal import InertialSystem

/// An estimator of the hard iron from rotation rates and fields, with a decision whether the field needs it.
///
/// Two hypotheses compete: the field is already calibrated, or it has a constant offset. Each predicts the fields of
/// the next ten seconds from the device's rotation, and the evidence compares the predictions. An offset that does not
/// predict better is not subtracted, because its own errors, of some µT through soft iron and the fields of a building,
/// would make a calibrated field worse.
///
/// The rotation within a segment is integrated from the gyroscope alone, so an error of a filter's heading has no
/// effect, and the earth's field of each segment is eliminated. A decision can be reversed, and the offset is learned
/// from scratch after it has changed.
public struct HardIronEstimator: Sendable, Codable, Equatable {
  /// The possible decisions.
  public enum Decision: String, Sendable, Codable, CaseIterable {
    /// The field is used unchanged.
    case unchanged
    /// The estimated hard iron is subtracted.
    case offset
  }

  /// The hypothesis in use.
  public private(set) var decision = Decision.unchanged
  /// The time of the last change of the decision, in seconds, or `nil` if it has not changed.
  public private(set) var decisionTime: Double?
  /// The time of the first field without the hard iron whose accuracy is known, in seconds, or `nil` without one.
  package private(set) var calibrationTime: Double?
  /// The time of the last change of a subtracted hard iron, from which it is learned from scratch, or `nil` without one.
  package private(set) var changeTime: Double?
  /// The evidence for an offset, in nats, -10...10: the logarithm of the ratio of the two hypotheses' likelihoods.
  public private(set) var evidence = 0.0
  /// The hard iron o, in µT, device axes, if the field has an offset.
  private var learned = Vector3.zero
  /// The covariance C of the learned hard iron, in µT².
  private var covariance = Matrix3(diagonal: Vector3(repeating: Self.priorVariance))
  /// The information A and b of the learned hard iron without the prior, and those of the last segment.
  private var information = Information()
  private var lastInformation = Information()
  /// The fading sums of both hypotheses' mean square errors, in µT².
  private var unchangedError = 0.0
  private var offsetError = 0.0
  /// The number of consecutive segments that contradict the learned hard iron.
  private var contradictions = 0
  /// Whether most fields of the last segment have a strength that the earth's field cannot have.
  private var isImpossible = false
  /// Whether the latest field has such a strength.
  private var isLatestImpossible = false
  /// Whether the decision is final.
  private var isFinal = false

  private var segment = FieldSegment()
  private var segmentStart: Double?
  /// The rotation from device axes to the segment's axes at the time of the latest rotation rate.
  private var rotation = Quaternion.identity
  private var rate = Vector3.zero
  /// The unit vector of the vertical in device axes at that time, or zero if it is unknown.
  private var up = Vector3.zero
  private var rateTime: Double?
  private var rateInterval = 0.0

  /// The information about a hard iron, A, and its product with the hard iron, b.
  private struct Information: Sendable, Codable, Equatable {
    var matrix = Matrix3.zero
    var vector = Vector3.zero
  }

  /// The variance of a raw field's hard iron along each axis, in µT².
  private static let priorVariance = 300.0 * 300.0
  /// The duration of a segment, and the correlation time of the errors in it, in seconds.
  package static let segmentDuration = 10.0
  private static let correlationTime = 2.0
  /// The minimum number of fields in a segment.
  private static let minimumCount = 20.0
  /// The longest time between two rotation rates of a segment, in seconds.
  private static let maximumInterval = 0.5
  /// The variance of errors that neither hypothesis describes, and the minimum variance of a segment's, in µT².
  private static let unmodeledVariance = 1.0
  private static let minimumVariance = 2.0 * 2.0
  /// The evidence that changes the decision, and the largest, in nats.
  private static let sufficientEvidence = 6.0
  private static let maximumEvidence = 10.0
  /// The 99.99 % quantile of χ² with three degrees of freedom.
  private static let contradiction = 21.1
  /// The possible strengths of the earth's field (22 to 67 µT, with a margin for buildings), in µT.
  package static let possibleStrength = 15.0...90.0

  /// Creates an estimator without samples.
  public init() {}

  // MARK: Results

  /// The hard iron to subtract, in µT, device axes; zero while the field is used unchanged.
  public var offset: Vector3 { decision == .offset ? learned : .zero }

  /// The standard deviation of the estimated hard iron in its worst direction at most, in µT.
  public var sigma: Double { covariance.trace.squareRoot() }

  /// The accuracy of the calibrated field in the device's present attitude: equation (9) of docs/theory/hard-iron.md.
  public var accuracy: MagneticFieldAccuracy {
    switch decision {
    case .unchanged: !isPlausible ? .uncalibrated : sigma <= 3 ? .medium : .low
    case .offset: sigma <= 0.8 ? .high : sigma <= 3 ? .medium : horizontalVariance <= 144 ? .low : .uncalibrated
    }
  }

  /// The variance of the hard iron's horizontal part, in µT². A hand-held device often rotates only about the vertical,
  /// which leaves the vertical part unknown, and a heading does not need it.
  package var horizontalVariance: Double { max(0, covariance.trace - up.dot(covariance * up)) }

  /// Whether the strength of the unchanged field is possible for the earth's field.
  private var isPlausible: Bool {
    guard !isImpossible else { return false }
    return segment.count > 0 ? segment.impossibleCount <= 0.1 * segment.count : !isLatestImpossible
  }

  /// Returns a raw field without the hard iron, in µT.
  public func calibrated(_ field: Vector3) -> Vector3 { field - offset }

  /// Returns the estimator with its current decision as the final one, which further samples do not change. The strength
  /// of each field alone determines whether it is plausible.
  package var finalized: HardIronEstimator {
    var result = self
    (result.isFinal, result.isImpossible, result.segment) = (true, false, FieldSegment())
    return result
  }

  // MARK: Samples

  /// Adds a rotation rate.
  ///
  /// - Parameters:
  ///   - rate: The rate without bias, in rad/s, device axes: the mean since the previous one.
  ///   - up: The unit vector of the vertical in device axes, or zero if it is unknown.
  ///   - time: The time in seconds.
  public mutating func add(rate: Vector3, up: Vector3 = .zero, at time: Double) {
    self.up = up
    guard !isFinal else { return }
    defer { (self.rate, rateTime) = (rate, time) }
    guard let rateTime, time - rateTime <= Self.maximumInterval else {
      segment = FieldSegment()
      segmentStart = nil
      return
    }
    rateInterval = time - rateTime
    rotation = rotation * Quaternion(rotationVector: rateInterval * rate)
  }

  /// Adds a raw field, in µT, device axes.
  public mutating func add(field: Vector3, at time: Double) {
    isLatestImpossible = !Self.possibleStrength.contains(field.norm)
    defer { if decision == .offset, calibrationTime == nil, accuracy > .uncalibrated { calibrationTime = time } }
    guard !isFinal, let rateTime, abs(time - rateTime) <= Self.maximumInterval else { return }
    // A rate is a mean over its interval, so the attitude at its timestamp precedes it by half an interval.
    let now = rotation * Quaternion(rotationVector: (time - rateTime - 0.5 * rateInterval) * rate)
    segment.add(field, now.matrix, isPossible: !isLatestImpossible)
    let start = segmentStart ?? time
    segmentStart = start
    guard time - start >= Self.segmentDuration else { return }
    if segment.count >= Self.minimumCount { evaluate(segment, at: time) }
    segment = FieldSegment()
    segmentStart = nil
    rotation = .identity
  }

  // MARK: Decision

  private mutating func evaluate(_ segment: FieldSegment, at time: Double) {
    isImpossible = segment.impossibleCount > 0.5 * segment.count
    compare(segment)
    learn(segment.problem, count: segment.count, at: time)
    let horizontal = learned - learned.dot(up) * up
    let isKnown =
      learned.squaredNorm > 9 * covariance.trace || horizontal.squaredNorm > 9 * horizontalVariance
    let previous = decision
    switch decision {
    case .unchanged:
      let isBetter = evidence > Self.sufficientEvidence && offsetError < 0.5625 * unchangedError
      if isKnown, isBetter || (isImpossible && evidence >= 0 && explains(segment)) { decision = .offset }
    case .offset:
      if evidence < -Self.sufficientEvidence, !isImpossible { decision = .unchanged }
    }
    if decision != previous { (decisionTime, calibrationTime) = (time, nil) }
  }

  /// Returns whether the field of a segment without the learned hard iron can be the earth's, within three sigma.
  private func explains(_ segment: FieldSegment) -> Bool {
    let (strength, margin) = (segment.meanField(without: learned).norm, 3 * sigma)
    let possible = Self.possibleStrength
    return strength + margin >= possible.lowerBound && strength - margin <= possible.upperBound
  }

  /// Compares the hypotheses by their predictions of a segment.
  ///
  /// The errors of a segment with n fields have 3 (segment duration/correlation time - 1) degrees of freedom d, and an
  /// unknown variance. The evidence is the logarithm of the ratio of Student's likelihoods, d/2 ln(SS(0)/SS(o)).
  private mutating func compare(_ segment: FieldSegment) {
    let (problem, n) = (segment.problem, segment.count)
    let floor = 3 * n * Self.unmodeledVariance
    let (unchanged, offset) = (problem.residual(of: .zero), problem.residual(of: learned))
    let uncertainty = (problem.matrix * covariance).trace
    // An offset that is still uncertain predicts nothing.
    guard uncertainty < offset + floor else { return }
    let freedom = 3 * (Self.segmentDuration / Self.correlationTime - 1)
    let gain = 0.5 * freedom * log((unchanged + floor) / (offset + uncertainty + floor))
    evidence = min(max(evidence + gain, -Self.maximumEvidence), Self.maximumEvidence)
    unchangedError = 0.9 * unchangedError + unchanged / (3 * n)
    offsetError = 0.9 * offsetError + offset / (3 * n)
  }

  /// Learns the hard iron from a segment, with the segment's own residuals as noise.
  private mutating func learn(_ problem: FieldSegment.Problem, count n: Double, at time: Double) {
    let regularized = problem.matrix + Matrix3(diagonal: Vector3(repeating: 1e-6 * n))
    guard let inverse = regularized.inverse else { return }
    let solution = inverse * problem.vector
    let variance = max(problem.residual(of: solution) / (3 * n), Self.minimumVariance)
    let weight = Self.segmentDuration / Self.correlationTime / (n * variance)
    let new = Information(matrix: problem.matrix * weight, vector: problem.vector * weight)
    let difference = solution - learned
    let spread = (covariance + inverse * (1 / weight)).inverse ?? .zero
    contradictions = difference.dot(spread * difference) > Self.contradiction ? contradictions + 1 : 0
    if contradictions == 2 {
      (information, contradictions, evidence) = (lastInformation, 0, 0)
      if decision == .offset { changeTime = time }
    }
    information.matrix = information.matrix + new.matrix
    information.vector += new.vector
    lastInformation = new
    let prior = Matrix3(diagonal: Vector3(repeating: 1 / Self.priorVariance))
    guard let inverted = (information.matrix + prior).inverse else { return }
    covariance = inverted
    learned = inverted * information.vector
  }
}
