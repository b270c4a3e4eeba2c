package import InertialNumerics
package import InertialRotations

/// Wahba's problem: the attitude of minimum loss ½ Σ wᵢ |eᵢ − R dᵢ|² over any number of vector pairs.
///
/// Wahba, "A least squares estimate of satellite attitude", SIAM Review 7 (1965). The loss is Σ wᵢ − tr(Rᵀ B) Σ wᵢ with
/// the attitude profile matrix B, so B contains all information about the attitude.
public struct WahbaProblem: Sendable, Equatable {
  /// B = Σ wᵢ eᵢ dᵢᵀ / Σ wᵢ of the directions: earth by device.
  package let attitudeProfile: Matrix3

  /// Σ wᵢ.
  package let totalWeight: Double

  /// The minimum information about any rotation, relative to the total weight, for a determined attitude.
  ///
  /// B is known to 2e-16, the attitude about the axis of minimum information f to 2e-16 / f: at 1e-12 that is 2e-4 rad.
  /// Two directions with equal weights reach it at 2e-6 rad from parallel.
  package static let minimumInformation = 1e-12

  /// Creates a problem from one or more pairs.
  ///
  /// - Throws: `tooFewPairs`, `noDirection`, `invalidWeight`. The solvers determine whether the pairs define an
  ///   attitude.
  package init(_ pairs: [VectorPair]) throws(OneShotError) {
    guard !pairs.isEmpty else { throw .tooFewPairs(given: 0, needed: 1) }
    var largest = 0.0
    for index in pairs.indices {
      try pairs[index].checkWeight(index: index)
      largest = max(largest, pairs[index].weight)
    }
    // Weights are relative to the largest, so neither their squares nor their sums over- or underflow.
    var profile = Matrix3.zero
    var sum = 0.0
    for index in pairs.indices {
      let pair = try pairs[index].normalized(index: index)
      let weight = pair.weight / largest
      sum += weight
      profile = profile + Matrix3(outer: weight * pair.earth, pair.device)
    }
    totalWeight = sum * largest
    guard totalWeight.isFinite else { throw .invalidWeight(pair: pairs.count - 1) }
    attitudeProfile = profile * (1 / sum)
  }

  /// Creates a problem from two pairs.
  package init(_ first: VectorPair, _ second: VectorPair) throws(OneShotError) {
    try first.checkWeight(index: 0)
    try second.checkWeight(index: 1)
    let (a, b) = (try first.normalized(index: 0), try second.normalized(index: 1))
    let largest = max(a.weight, b.weight)
    let sum = a.weight / largest + b.weight / largest
    totalWeight = sum * largest
    guard totalWeight.isFinite else { throw .invalidWeight(pair: 1) }
    attitudeProfile =
      Matrix3(outer: (a.weight / largest / sum) * a.earth, a.device)
      + Matrix3(outer: (b.weight / largest / sum) * b.earth, b.device)
  }

  init(attitudeProfile: Matrix3, totalWeight: Double) {
    self.attitudeProfile = attitudeProfile
    self.totalWeight = totalWeight
  }

  /// Returns the same problem for a device that is rotated first.
  func turned(about axis: HalfTurn) -> WahbaProblem {
    let b = attitudeProfile
    return WahbaProblem(
      attitudeProfile: Matrix3(
        rows: b.row(0).turned(about: axis), b.row(1).turned(about: axis), b.row(2).turned(about: axis)),
      totalWeight: totalWeight)
  }

  /// Davenport's K in the order x, y, z, w, whose quadratic form qᵀ K q is tr(Rᵀ B), or 1 minus the relative loss.
  ///
  /// K = [B + Bᵀ − tr(B) I, z; zᵀ, tr(B)] with z = Σ wᵢ dᵢ × eᵢ / Σ wᵢ. The eigenvector of its largest eigenvalue is
  /// the attitude (Davenport; Keat 1977).
  package var davenportMatrix: FixedMatrix<4, 4> {
    let (x, y, z, w) = davenport.columns
    let columns: InlineArray<4, Quaternion> = [x, y, z, w]
    return FixedMatrix { row, column in row < 3 ? columns[column].vector[row] : columns[column].w }
  }

  var davenport: Symmetric4 { Symmetric4(profile: attitudeProfile) }

  // MARK: Certainty

  /// Returns the information about the attitude in device axes, relative to the total weight: the loss's second
  /// derivative by a rotation vector, tr(S) I − (S + Sᵀ)/2 with S = Rᵀ B.
  ///
  /// If the vectors fit, it is Σ wᵢ (I − dᵢ dᵢᵀ) / Σ wᵢ. At a maximum of qᵀ K q, its eigenvalues are half the gaps
  /// between K's largest eigenvalue and the others.
  func information(at attitude: Quaternion) -> Matrix3 {
    WahbaProblem.information(of: attitude.matrix.transpose * attitudeProfile)
  }

  private static func information(of s: Matrix3) -> Matrix3 {
    Matrix3.identity * s.trace - (s + s.transpose) * 0.5
  }

  /// Returns whether the information about every axis is above the minimum. A stationary attitude then has the minimum
  /// loss, because K has no larger eigenvalue.
  private static func isDetermined(_ information: Matrix3) -> Bool {
    // Sylvester: all leading minors of the matrix minus its minimum eigenvalue are positive.
    let f = information - Matrix3.identity * minimumInformation
    return f.m11 > 0 && f.m11 * f.m22 - f.m12 * f.m12 > 0 && f.determinant > 0
  }

  /// Returns the attitude unchanged if it is determined and has the minimum loss.
  func confirmed(_ attitude: Quaternion) throws(OneShotError) -> Quaternion {
    guard attitude.isFinite, WahbaProblem.isDetermined(information(at: attitude)) else { throw .undetermined }
    return attitude
  }

  /// Returns an approximate attitude refined to rounding precision, or `nil` if it does not lead to the minimum loss.
  ///
  /// Newton's method for the eigenvector: in the frame of the attitude, K is [A, z; zᵀ, t], and (z/(tI − A), 1) is the
  /// eigenvector to third order in the error. One step reduces an error of 1e-5 to 1e-15. It does not use the
  /// eigenvalue of the approximation, so that value's lost digits do not matter. The information at the result
  /// verifies that it belongs to the largest eigenvalue and not to a neighbour.
  func polished(_ approximate: Quaternion) -> Quaternion? {
    guard var q = approximate.normalized else { return nil }
    for _ in 0..<8 {
      let s = q.matrix.transpose * attitudeProfile
      // tI − A is twice the information.
      let information = WahbaProblem.information(of: s)
      guard WahbaProblem.isDetermined(information), let inverse = information.inverse else { return nil }
      let v = inverse * (0.5 * Vector3(s.m32 - s.m23, s.m13 - s.m31, s.m21 - s.m12))
      guard let next = (q * Quaternion(x: v.x, y: v.y, z: v.z, w: 1)).normalized else { return nil }
      q = next
      // The remaining error is about the cube of the step.
      if v.squaredNorm < 1e-11 { return q }
    }
    return nil
  }

  /// Returns the covariance of the attitude in device axes, in rad²: of the rotation vector θ in q_true = q ⊗ exp(θ).
  ///
  /// P = [Σ wᵢ (tr-form of S)]⁻¹, the inverse of the information at the attitude of minimum loss, for weights 1/σᵢ²,
  /// with σᵢ the standard deviation, in radians, of a direction about either axis perpendicular to it (Shuster and Oh
  /// 1981, "three-axis attitude determination from vector observations", J. Guidance 4, the QUEST measurement model and
  /// its covariance; Shuster 1989). The earth-frame covariance is R P Rᵀ. It holds to first order in σ.
  ///
  /// - Parameter attitude: A solution of this problem, such as `Davenport`'s or `QUEST`'s.
  /// - Throws: `undetermined` if the information is not positive about every axis, or 1/Σ wᵢ is not finite.
  package func attitudeCovariance(at attitude: Quaternion) throws(OneShotError) -> Matrix3 {
    let information = information(at: attitude)
    guard attitude.isFinite, WahbaProblem.isDetermined(information), let inverse = information.inverse else {
      throw .undetermined
    }
    let covariance = inverse * (1 / totalWeight)
    guard covariance.maximumMagnitude.isFinite else { throw .undetermined }
    return covariance
  }
}

extension Symmetric4 {
  /// Creates Davenport's K, which FLAE and OLEQ call W, from the attitude profile.
  init(profile b: Matrix3) {
    self.init(
      xx: b.m11 - b.m22 - b.m33, xy: b.m12 + b.m21, xz: b.m13 + b.m31, xw: b.m32 - b.m23,
      yy: b.m22 - b.m11 - b.m33, yz: b.m23 + b.m32, yw: b.m13 - b.m31,
      zz: b.m33 - b.m11 - b.m22, zw: b.m21 - b.m12,
      ww: b.trace)
  }
}
