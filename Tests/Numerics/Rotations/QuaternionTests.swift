import Testing

/// Rotations for property tests: hand-picked hard cases, followed by random ones.
let sampleRotations = Quaternion.nastyCases + Quaternion.random(100, seed: 7)

struct QuaternionTests {
  @Test("the group laws hold for every rotation")
  func groupLaws() {
    let partners = Quaternion.random(3, seed: 8)
    for q in sampleRotations {
      #expect(isSameRotation(q * .identity, q, within: 1e-15) && isSameRotation(.identity * q, q, within: 1e-15))
      #expect(isSameRotation(q * q.inverse, .identity, within: 1e-15))
      #expect(isSameRotation(q.inverse * q, .identity, within: 1e-15))
      #expect(isSameRotation(q.inverse, q.conjugate, within: 1e-15) && abs(q.norm - 1) < 1e-15)
      for p in partners {
        #expect(isSameRotation((q * p) * partners[0], q * (p * partners[0]), within: 1e-15))
        #expect(isSameRotation((q * p).inverse, p.inverse * q.inverse, within: 1e-15))
      }
    }
  }

  @Test("the Hamilton product satisfies i j = k and its cyclic permutations")
  func hamilton() {
    let (i, j) = (Quaternion(x: 1, y: 0, z: 0, w: 0), Quaternion(x: 0, y: 1, z: 0, w: 0))
    let k = Quaternion(x: 0, y: 0, z: 1, w: 0)
    #expect(i * j == k && j * k == i && k * i == j)
    #expect(i * i == -.identity)
  }

  @Test("a rotated vector is q v q⁻¹, and matches the matrix and the inverse")
  func action() {
    let v = Vector3(0.3, -1.2, 2.5)
    for q in sampleRotations {
      let product = q * Quaternion(x: v.x, y: v.y, z: v.z, w: 0) * q.inverse
      #expect(isNear(q.rotate(v), product.vector, within: 4e-15) && isNear(q.matrix * v, product.vector, within: 4e-15))
      #expect(isNear(q.rotateInverse(q.rotate(v)), v, within: 4e-15) && isNear(q.matrix.determinant, 1, within: 2e-15))
    }
  }

  @Test("a quaternion of any norm times its inverse is the identity")
  func inverseOfNonUnit() {
    let q = Quaternion(x: 1, y: -2, z: 3, w: 0.5)
    let product = q * q.inverse
    #expect(isNear(product.w, 1, within: 1e-15) && product.vector.norm < 1e-15)
    #expect(!Quaternion(x: 0, y: 0, z: 0, w: 0).inverse.isFinite)
  }

  @Test("a rotation is recovered from its rotation vector and its matrix")
  func roundTrips() {
    for q in sampleRotations {
      #expect(isSameRotation(Quaternion(rotationVector: q.rotationVector), q, within: 1e-15))
      #expect(isSameRotation(Quaternion(matrix: q.matrix), q, within: 2e-15))
      #expect(isSameRotation(Quaternion(rotationMatrix: RotationMatrix(q)), q, within: 2e-15))
      #expect(q.rotationVector.norm <= Double.pi + 1e-15)
    }
  }

  @Test("the rotation of a vector is exact to rounding, on both sides of the limit of its series")
  func seriesOfTheExponential() {
    for angle in [0, 1e-300, 1e-9, 0.01, 0.1, 0.199999, 0.2, 0.200001, 3] {
      let axis = Vector3(1, -2, 2) / 3
      let (q, half) = (Quaternion(rotationVector: angle * axis), angle / 2)
      #expect(abs(q.norm - 1) < 4e-16)
      #expect((q.vector - sin(half) * axis).maximumMagnitude < 2e-16 && abs(q.w - cos(half)) < 2e-16)
    }
  }

  @Test("each branch of Shepperd's method is used and right, on both sides of its boundaries")
  func shepperdBranches() {
    // The largest component determines the branch; ties and near ties are the boundaries.
    for (a, b) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
      for excess in [-1e-3, -1e-15, 0, 1e-15, 1e-3, 0.4] {
        var c = [0.1, 0.1, 0.1, 0.1]
        (c[a], c[b]) = (0.7, 0.7 + excess)
        let q = Quaternion(x: c[0], y: c[1], z: c[2], w: c[3]).normalized!
        #expect(isSameRotation(Quaternion(matrix: q.matrix), q, within: 2e-15))
        #expect(isSameRotation(Quaternion(matrix: (-q).matrix), q, within: 2e-15))
      }
    }
  }

  @Test("the shortest rotation between two directions maps one to the other with the minimum angle")
  func betweenVectors() throws {
    var generator = SeededGenerator(seed: 3)
    // From 0 to exactly 180°, dense at both ends and at the branch at 90°.
    let angles: [Double] = [
      0, 1e-9, 0.3, 0.5 * Double.pi - 1e-9, 0.5 * Double.pi + 1e-9, 2.8, Double.pi - 1e-5,
      Double.pi - 1e-9, Double.pi - 1e-13, Double.pi,
    ]
    for _ in 0..<200 {
      let (a, u) = (generator.vector(), generator.vector())
      for angle in angles {
        let b = 3 * Quaternion(angle: angle, axis: a.cross(u)).rotate(a)
        let q = try #require(Quaternion(from: a, to: b))
        #expect(isNear(q.rotate(a.normalized!), b.normalized!, within: 2e-15))
        #expect(isNear(q.angle, a.angle(to: b), within: 4e-15) && abs(q.norm - 1) < 1e-15)
      }
    }
    #expect(Quaternion(from: .zero, to: .unitX) == nil && Quaternion(from: .unitX, to: Vector3(.nan, 0, 0)) == nil)
    #expect(try #require(Quaternion(from: .unitX, to: .unitX)) == .identity)
  }

  @Test("between opposite directions the half turn is the documented one")
  func antiparallel() throws {
    let halfTurn = { (axis: Vector3) in Quaternion(x: axis.x, y: axis.y, z: axis.z, w: 0) }
    #expect(isSameRotation(try #require(Quaternion(from: .unitX, to: -.unitX)), halfTurn(.unitZ), within: 0))
    #expect(isSameRotation(try #require(Quaternion(from: .unitY, to: -.unitY)), halfTurn(.unitZ), within: 0))
    #expect(isSameRotation(try #require(Quaternion(from: .unitZ, to: -.unitZ)), halfTurn(.unitY), within: 0))
    for q in Quaternion.random(100, seed: 4) {
      let a = q.rotate(.unitX)
      let opposite = try #require(Quaternion(from: a, to: -2 * a))
      #expect(isNear(opposite.rotate(a), -a, within: 2e-15))
    }
  }

  @Test("slerp moves from one rotation to the other at a constant rate along the shorter arc")
  func slerp() {
    for (a, b) in zip(sampleRotations, sampleRotations.reversed()) {
      guard a.angle(to: b) < Double.pi - 1e-6 else { continue }
      let whole = a.angle(to: b)
      #expect(a.slerp(to: b, fraction: 0) == a && isSameRotation(a.slerp(to: b, fraction: 1), b, within: 2e-15))
      for t in [0.1, 0.25, 0.5, 0.9] {
        let q = a.slerp(to: b, fraction: t)
        #expect(isNear(a.angle(to: q), t * whole, within: 2e-15))
        #expect(isNear(q.angle(to: b), (1 - t) * whole, within: 2e-15))
        #expect(isSameRotation(q, a.slerp(to: -b, fraction: t), within: 2e-15))
        // Shoemake's formula, on the nearer of b and −b.
        let near = a.dot(b) < 0 ? -b : b
        let half = acos(min(1, a.dot(near)))
        guard half > 1e-3 else { continue }
        let (p, r) = (sin((1 - t) * half) / sin(half), sin(t * half) / sin(half))
        let naive = Quaternion(
          x: p * a.x + r * near.x, y: p * a.y + r * near.y, z: p * a.z + r * near.z, w: p * a.w + r * near.w)
        #expect(isSameRotation(q, naive, within: 1e-12))
      }
    }
  }

  @Test("slerp across exactly 180° rotates about the positive axis of the given quaternion")
  func slerpHalfTurn() {
    let half = Quaternion(x: 0, y: 0, z: 1, w: 0)
    let quarter = Quaternion.identity.slerp(to: half, fraction: 0.5)
    #expect(isSameRotation(quarter, Quaternion(angle: .pi / 2, axis: .unitZ), within: 1e-15))
    let other = Quaternion.identity.slerp(to: -half, fraction: 0.5)
    #expect(isSameRotation(other, Quaternion(angle: -.pi / 2, axis: .unitZ), within: 1e-15))
  }

  @Test("the weighted logarithms cancel at the mean of rotations, regardless of signs")
  func mean() throws {
    for (index, centre) in Quaternion.random(20, seed: 11).enumerated() {
      var generator = SeededGenerator(seed: UInt64(index))
      var rotations: [Quaternion] = []
      var weights: [Double] = []
      for k in 0..<15 {
        let q = centre * Quaternion(rotationVector: generator.vector(0.5))
        rotations.append(k % 2 == 0 ? q : -q)
        weights.append(generator.uniform())
      }
      let mean = try #require(Quaternion.mean(of: rotations, weights: weights))
      var sum = Vector3.zero
      for (q, w) in zip(rotations, weights) { sum += w * (mean.conjugate * q).rotationVector }
      #expect(sum.norm < 1e-12)
    }
    #expect(Quaternion.mean(of: []) == nil && Quaternion.mean(of: [.identity], weights: [0]) == nil)
    let pair = [Quaternion(angle: 0.2, axis: .unitY), Quaternion(angle: 0.8, axis: .unitY)]
    let middle = try #require(Quaternion.mean(of: pair))
    #expect(isSameRotation(middle, Quaternion(angle: 0.5, axis: .unitY), within: 1e-14))
  }
}
