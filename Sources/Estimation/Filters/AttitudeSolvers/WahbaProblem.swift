package import InertialNumerics
package import InertialRotations

/// Wahba's problem: the attitude of least loss ½ Σ wᵢ |eᵢ − R dᵢ|² over any number of vector pairs.
///
/// Wahba, "A least squares estimate of satellite attitude", SIAM Review 7 (1965). The loss is Σ wᵢ − tr(Rᵀ B) Σ wᵢ with
/// the attitude profile matrix B, so B holds all that the pairs say about the attitude.
public struct WahbaProblem: Sendable, Equatable {
  /// B = Σ wᵢ eᵢ dᵢᵀ / Σ wᵢ of the directions: earth by device.
  package let attitudeProfile: Matrix3

  /// Σ wᵢ.
  package let totalWeight: Double

  /// The least information about any rotation, relative to the total weight, that counts as determined.
  ///
  /// B is known to 2e-16, the attitude about the axis of least information f to 2e-16 / f: at 1e-12 that is 2e-4 rad.
  /// Two directions with equal weights reach it at 2e-6 rad from parallel.
  package static let leastInformation = 1e-12

  /// Takes one pair or more.
  ///
  /// - Throws: `tooFewPairs`, `noDirection`, `invalidWeight`. Whether the pairs determine an attitude is for the
  ///   solvers to say.
  package init(_ pairs: [VectorPair]) throws(OneShotError) {
    guard !pairs.isEmpty else { throw .tooFewPairs(given: 0, needed: 1) }
    var largest = 0.0
    for index in pairs.indices {
      try pairs[index].checkWeight(index: index)
      largest = max(largest, pairs[index].weight)
    }
    // Weights relative to the largest: neither squares nor sums of them can over- or underflow.
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

  /// Takes two pairs.
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

  /// The same problem for a device that was turned first.
  func turned(about axis: HalfTurn) -> WahbaProblem {
    let b = attitudeProfile
    return WahbaProblem(
      attitudeProfile: Matrix3(
        rows: b.row(0).turned(about: axis), b.row(1).turned(about: axis), b.row(2).turned(about: axis)),
      totalWeight: totalWeight)
  }

  /// Davenport's K in the order x, y, z, w, whose quadratic form qᵀ K q is tr(Rᵀ B): 1 less the loss.
  ///
  /// K = [B + Bᵀ − tr(B) I, z; zᵀ, tr(B)] with z = Σ wᵢ dᵢ × eᵢ / Σ wᵢ. Its largest eigenvalue's vector is the attitude
  /// (Davenport; Keat 1977).
  package var davenportMatrix: Matrix {
    let k = davenport
    return Matrix(rows: [
      [k.xx, k.xy, k.xz, k.xw], [k.xy, k.yy, k.yz, k.yw], [k.xz, k.yz, k.zz, k.zw], [k.xw, k.yw, k.zw, k.ww],
    ])
  }

  var davenport: Symmetric4 { Symmetric4(profile: attitudeProfile) }

  // MARK: Certainty

  /// The information about the attitude in device axes, relative to the total weight: the loss's second derivative
  /// by a rotation vector, tr(S) I − (S + Sᵀ)/2 with S = Rᵀ B.
  ///
  /// Where the vectors fit it is Σ wᵢ (I − dᵢ dᵢᵀ) / Σ wᵢ. At a maximum of qᵀ K q its eigenvalues are half the gaps
  /// between K's largest eigenvalue and the others.
  func information(at attitude: Quaternion) -> Matrix3 {
    WahbaProblem.information(of: attitude.matrix.transpose * attitudeProfile)
  }

  private static func information(of s: Matrix3) -> Matrix3 {
    Matrix3.identity * s.trace - (s + s.transpose) * 0.5
  }

  /// Whether the information is above the least about every axis: the attitude, where it is stationary, is then
  /// the one of least loss, because K has no eigenvalue above its own.
  private static func isDetermined(_ information: Matrix3) -> Bool {
    // Sylvester: all leading minors of the matrix less its least permitted eigenvalue are positive.
    let f = information - Matrix3.identity * leastInformation
    return f.m11 > 0 && f.m11 * f.m22 - f.m12 * f.m12 > 0 && f.determinant > 0
  }

  /// The attitude as it is, if it is the determined one of least loss.
  func confirmed(_ attitude: Quaternion) throws(OneShotError) -> Quaternion {
    guard attitude.isFinite, WahbaProblem.isDetermined(information(at: attitude)) else { throw .undetermined }
    return attitude
  }

  /// An approximate attitude made exact to rounding, or nil where it does not lead to the least loss.
  ///
  /// Newton's method for the eigenvector: in the frame of the attitude K is [A, z; zᵀ, t], and (z/(tI − A), 1) is the
  /// eigenvector to third order in the error. So 1e-5 becomes 1e-15 in one step, whatever digits the eigenvalue that
  /// the approximation came from had lost: the step does not use it. That the result belongs to the largest
  /// eigenvalue, not to a neighbour, is seen from the information there.
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
      // The error left is about the cube of the step.
      if v.squaredNorm < 1e-11 { return q }
    }
    return nil
  }

  /// The covariance of the attitude in device axes, rad²: that of the rotation vector θ in q_true = q ⊗ exp(θ).
  ///
  /// P = [Σ wᵢ (tr-form of S)]⁻¹, the inverse of the information at the attitude of least loss, for weights 1/σᵢ²
  /// where σᵢ is the standard deviation, radians, of a direction about either axis perpendicular to it (Shuster and
  /// Oh 1981, "three-axis attitude determination from vector observations", J. Guidance 4, the QUEST measurement
  /// model and its covariance; Shuster 1989). The earth-frame covariance is R P Rᵀ. It holds to first order in σ.
  ///
  /// - Parameter attitude: a solution of this problem, such as `Davenport`'s or `QUEST`'s.
  /// - Throws: `undetermined` where the information is not positive about every axis, or 1/Σ wᵢ is not finite.
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
  /// Davenport's K, which FLAE and OLEQ call W, from the attitude profile.
  init(profile b: Matrix3) {
    self.init(
      xx: b.m11 - b.m22 - b.m33, xy: b.m12 + b.m21, xz: b.m13 + b.m31, xw: b.m32 - b.m23,
      yy: b.m22 - b.m11 - b.m33, yz: b.m23 + b.m32, yw: b.m13 - b.m31,
      zz: b.m33 - b.m11 - b.m22, zw: b.m21 - b.m12,
      ww: b.trace)
  }
}
