import Testing

@Suite("Standard deviations") struct StandardDeviationTests {
  @Test("standard deviations are roots of variances, and infinite for invalid variances")
  func roots() {
    #expect(Vector3(4, 0, 0.25).standardDeviations == Vector3(2, 0, 0.5))
    #expect(Vector3(.nan, -1e-300, .infinity).standardDeviations == Vector3(repeating: .infinity))
  }
}

@Suite struct Vector3Tests {
  @Test("components are accessed by name and by index")
  func components() {
    var v = Vector3(x: 1, y: 2, z: 3)
    #expect([v[0], v[1], v[2]] == [1, 2, 3])
    (v[0], v[1], v[2]) = (4, 5, 6)
    #expect(v == Vector3(4, 5, 6) && Vector3(repeating: 7) == Vector3(7, 7, 7) && v.description == "(4.0, 5.0, 6.0)")
    #expect([Double](v) == [4, 5, 6] && Vector3([0, 4, 5, 6], at: 1) == v)
  }

  @Test("the operators work component by component")
  func operators() {
    var v = Vector3(1, -2, 3)
    #expect(v + Vector3(1, 1, 1) == Vector3(2, -1, 4) && v - Vector3(1, 1, 1) == Vector3(0, -3, 2))
    #expect(2 * v == v * 2 && v * 2 == Vector3(2, -4, 6))
    #expect(v / 2 == Vector3(0.5, -1, 1.5) && -v == Vector3(-1, 2, -3))
    v += Vector3(1, 2, 3)
    v -= Vector3(0, 0, 1)
    v *= 6
    v /= 2
    #expect(v == Vector3(6, 0, 15))
  }

  @Test("the cross product is right-handed and perpendicular to both factors")
  func cross() {
    #expect(Vector3.unitX.cross(.unitY) == .unitZ && Vector3.unitY.cross(.unitZ) == .unitX)
    var random = SeededMatrices(seed: 1)
    for _ in 0..<20 {
      let (a, b) = (Vector3(random.vector(3)), Vector3(random.vector(3)))
      let c = a.cross(b)
      #expect(abs(c.dot(a)) < 1e-15 && abs(c.dot(b)) < 1e-15)
      #expect(abs(c.squaredNorm + a.dot(b) * a.dot(b) - a.squaredNorm * b.squaredNorm) < 1e-14)
    }
  }

  @Test("only a vector with a direction can be normalized")
  func normalized() {
    #expect(Vector3(0, 3, 4).normalized == Vector3(0, 0.6, 0.8) && Vector3.zero.normalized == nil)
    #expect(Vector3(.infinity, 0, 0).normalized == nil && Vector3(.nan, 1, 0).normalized == nil)
    #expect(!Vector3(0, .nan, 0).isFinite && !Vector3(0, 0, .infinity).isFinite)
    #expect(Vector3(1, -3, 2).maximumMagnitude == 3)
  }

  @Test(
    "the angle is accurate near 0 and near π, where the arc cosine is not",
    arguments: [1e-12, 1e-8, 1e-3, 1.0, Double.pi / 2, 3.0, Double.pi - 1e-8])
  func angle(_ angle: Double) {
    let half = angle / 2
    // From the half angle, so that the vectors themselves have no rounding errors near π.
    let (a, b) = (Vector3(cos(half), sin(half), 0), Vector3(cos(half), -sin(half), 0))
    #expect(abs(a.angle(to: b) - angle) < 4e-16 * max(1, angle))
  }
}
