import Testing

struct AlignmentTests {
  static let degree = Double.pi / 180
  static let motion = SyntheticMotion.times(1000).map(SyntheticMotion.orientation(at:))

  @Test("a constant heading is recovered to 1e-3°, also across ±180°", arguments: [0.0, 5, -90, 179.9, -179.99, 180])
  func yaw(degrees: Double) {
    let turn = Quaternion(angle: -degrees * Self.degree, axis: .unitZ)
    let pairs = Self.motion.map { (turn * $0, $0) }
    let alignment = OrientationAlignment.fit(.yaw, to: pairs)
    #expect(isNear(remainder(alignment.yaw - degrees * Self.degree, 2 * .pi), 0, within: 1e-3 * Self.degree))
    #expect(alignment.sensorRotation == .identity)
    for (estimate, reference) in pairs.prefix(5) {
      #expect(isSameRotation(alignment.apply(estimate), reference, within: 1e-5))
    }
  }

  @Test("the alignment by the origin removes the first heading error, but no later ones")
  func origin() {
    let turns = Self.motion.indices.map { Quaternion(angle: 0.7 + 0.001 * Double($0), axis: .unitZ) }
    let pairs = zip(turns, Self.motion).map { ($0 * $1, $1) }
    let alignment = OrientationAlignment.fit(.origin, to: pairs)
    #expect(isNear(alignment.yaw, -0.7, within: 1e-12))
    let last = OrientationError(estimate: alignment.apply(pairs[999].0), reference: pairs[999].1)
    #expect(isNear(last.heading, 0.999, within: 1e-12))
  }

  @Test("a constant heading is recovered to 1e-3° if one orientation in ten is wrong")
  func yawOutliers() {
    let turn = Quaternion(angle: 2.5, axis: .unitZ)
    let estimates = withOutliers(Self.motion.map { turn * $0 }, seed: 4)
    let alignment = OrientationAlignment.fit(.yaw, to: Array(zip(estimates, Self.motion)))
    #expect(isNear(alignment.yaw, -2.5, within: 1e-3 * Self.degree))
  }

  @Test("with noise of 2° and one-sided outliers the heading is recovered to a fraction of the noise")
  func yawNoise() {
    let noisy = withNoise(Self.motion, sigma: 2 * Self.degree, seed: 5)
    let turned = noisy.enumerated().map { index, q in
      index.isMultiple(of: 10) ? Quaternion(angle: 1.5, axis: .unitZ) * q : q
    }
    let alignment = OrientationAlignment.fit(.yaw, to: Array(zip(turned, Self.motion)))
    // The mean would be off by 8.6°.
    #expect(abs(alignment.yaw) < 0.6 * Self.degree)
  }

  @Test("the robust heading has the minimum Huber cost: no rotation nearby is better")
  func yawOptimum() throws {
    let estimates = withOutliers(withNoise(Self.motion, sigma: 0.05, seed: 8), seed: 9)
    let pairs = Array(zip(estimates, Self.motion))
    let yaw = OrientationAlignment.fit(.yaw, to: pairs).yaw
    let errors = pairs.map { OrientationError.signedHeading(estimate: $0.0, reference: $0.1) }
    let spread = try #require(Statistics.medianAbsoluteDeviation(errors, scaledToNormal: true))
    func cost(_ yaw: Double) -> Double {
      errors.reduce(0) { sum, error in
        let (r, k) = (abs(remainder(error + yaw, 2 * .pi)), 1.345 * spread)
        return sum + (r <= k ? r * r / 2 : k * r - k * k / 2)
      }
    }
    for step in [-1e-2, -1e-3, 1e-3, 1e-2] { #expect(cost(yaw + step) > cost(yaw)) }
  }

  @Test("a yaw and a sensor rotation of any size are recovered together to 1e-3°")
  func frame() {
    let mounts = Quaternion.random(6, seed: 6) + [.identity, Quaternion(angle: .pi, axis: .unitX)]
    for (index, mount) in mounts.enumerated() {
      let yaw = Double(index) * 0.9 - 3
      let truth = OrientationAlignment(yaw: yaw, sensorRotation: mount)
      // q_ref = qz(ψ) q_est q_s, solved for the estimate.
      let estimates = Self.motion.map { Quaternion(angle: -yaw, axis: .unitZ) * $0 * mount.conjugate }
      let alignment = OrientationAlignment.fit(.frame, to: Array(zip(estimates, Self.motion)))
      #expect(isNear(remainder(alignment.yaw - truth.yaw, 2 * .pi), 0, within: 1e-3 * Self.degree))
      #expect(isSameRotation(alignment.sensorRotation, mount, within: 1e-3 * Self.degree))
    }
  }

  @Test("frames are recovered to 1e-3° if one orientation in ten is wrong, and nearly so with additional noise")
  func frameOutliers() {
    let mount = Quaternion(angle: 2, axis: Vector3(1, -1, 0.3))
    let estimates = Self.motion.map { Quaternion(angle: -1, axis: .unitZ) * $0 * mount.conjugate }
    let alignment = OrientationAlignment.fit(.frame, to: Array(zip(withOutliers(estimates, seed: 10), Self.motion)))
    #expect(isNear(alignment.yaw, 1, within: 1e-3 * Self.degree))
    #expect(isSameRotation(alignment.sensorRotation, mount, within: 1e-3 * Self.degree))

    let noisy = withOutliers(withNoise(estimates, sigma: 2 * Self.degree, seed: 11), seed: 12)
    let rough = OrientationAlignment.fit(.frame, to: Array(zip(noisy, Self.motion)))
    #expect(isNear(rough.yaw, 1, within: 0.4 * Self.degree))
    #expect(isSameRotation(rough.sensorRotation, mount, within: 0.4 * Self.degree))
  }

  @Test("a sensor that only rotates about the vertical leaves yaw undetermined, and is still aligned")
  func undetermined() {
    let turning = (0..<200).map { Quaternion(angle: Double($0) * 0.05, axis: .unitZ) }
    let mount = Quaternion(angle: 0.7, axis: Vector3(0.2, 1, -0.4))
    let pairs = turning.map { ($0 * mount.conjugate, $0) }
    let alignment = OrientationAlignment.fit(.frame, to: pairs)
    for (estimate, reference) in pairs { #expect(isSameRotation(alignment.apply(estimate), reference, within: 1e-6)) }
  }

  @Test("without alignment or without pairs, nothing is changed")
  func none() {
    let pairs = [(Quaternion.random(1, seed: 1)[0], Quaternion.identity)]
    #expect(OrientationAlignment.fit(.none, to: pairs) == .identity)
    #expect(OrientationAlignment.fit(.frame, to: []) == .identity)
    let q = Quaternion.random(1, seed: 2)[0]
    #expect(isSameRotation(OrientationAlignment.identity.apply(q), q, within: 1e-14))
  }
}
