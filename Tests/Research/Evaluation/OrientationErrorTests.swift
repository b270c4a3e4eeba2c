import Testing

struct OrientationErrorTests {
  static let pairs = Array(zip(Quaternion.nastyCases + Quaternion.random(60, seed: 1), Quaternion.random(200, seed: 2)))

  @Test("total, heading and inclination match the formulas with acos, where acos is accurate")
  func naive() {
    for (estimate, reference) in Self.pairs {
      let error = OrientationError(estimate: estimate, reference: reference)
      let e = estimate * reference.conjugate
      #expect(isNear(error.total, 2 * acos(min(1, abs(e.w))), within: 1e-7))
      #expect(isNear(error.heading, 2 * atan(abs(e.z / e.w)), within: 1e-12))
      #expect(isNear(error.inclination, 2 * acos(min(1, (e.w * e.w + e.z * e.z).squareRoot())), within: 1e-7))
      // The inclination is the angle between the two verticals.
      let vertical = e.rotate(.unitZ)
      #expect(isNear(error.inclination, vertical.angle(to: .unitZ), within: 1e-12))
    }
  }

  @Test("small errors keep their precision when acos loses it")
  func small() {
    let reference = Quaternion.random(1, seed: 3)[0]
    let heading = OrientationError(estimate: Quaternion(angle: 1e-10, axis: .unitZ) * reference, reference: reference)
    #expect(isNear(heading.total, 1e-10, within: 1e-15) && isNear(heading.heading, 1e-10, within: 1e-15))
    #expect(heading.inclination < 1e-15)
    let tilt = OrientationError(estimate: Quaternion(angle: 1e-10, axis: .unitY) * reference, reference: reference)
    #expect(isNear(tilt.inclination, 1e-10, within: 1e-15) && tilt.heading < 1e-15)
  }

  @Test("cos(total/2) = cos(heading/2) cos(inclination/2), so total is at least each part and at most their sum")
  func decomposition() {
    for (estimate, reference) in Self.pairs {
      let error = OrientationError(estimate: estimate, reference: reference)
      #expect(isNear(cos(error.total / 2), cos(error.heading / 2) * cos(error.inclination / 2), within: 1e-15))
      #expect(error.total >= max(error.heading, error.inclination) - 1e-12)
      #expect(error.total <= error.heading + error.inclination + 1e-12)
      #expect(error.total <= .pi && error.heading <= .pi && error.inclination <= .pi)
    }
  }

  @Test("signs, norms and a rotation of the sensor, or of the earth about the vertical, have no effect")
  func invariance() {
    let mount = Quaternion.random(1, seed: 5)[0]
    let turn = Quaternion(angle: 1.234, axis: .unitZ)
    for (estimate, reference) in Self.pairs {
      let error = OrientationError(estimate: estimate, reference: reference)
      let doubled = Quaternion(x: 2 * estimate.x, y: 2 * estimate.y, z: 2 * estimate.z, w: 2 * estimate.w)
      for same in [
        OrientationError(estimate: -estimate, reference: reference),
        OrientationError(estimate: doubled, reference: reference),
        OrientationError(estimate: estimate * mount, reference: reference * mount),
        OrientationError(estimate: turn * estimate, reference: turn * reference),
        OrientationError(estimate: reference, reference: estimate),
      ] {
        #expect(isNear(same.total, error.total, within: 1e-12))
        #expect(isNear(same.inclination, error.inclination, within: 1e-12))
        #expect(isNear(same.heading, error.heading, within: 1e-12))
      }
      // Rotating the estimate alone about the vertical changes only the heading, by the angle of the rotation.
      let turned = OrientationError(estimate: turn * estimate, reference: reference)
      #expect(isNear(turned.inclination, error.inclination, within: 1e-12))
      let before = OrientationError.signedHeading(estimate: estimate, reference: reference)
      let after = OrientationError.signedHeading(estimate: turn * estimate, reference: reference)
      #expect(isNear(remainder(after - before - 1.234, 2 * .pi), 0, within: 1e-12))
      #expect(isNear(abs(before), error.heading, within: 1e-12))
    }
  }

  @Test("the statistics of errors match their definitions, in degrees in the summary")
  func statistics() throws {
    let values = (0..<101).map { Double(($0 * 37) % 101) }
    let statistics = try #require(ErrorStatistics(values))
    #expect(statistics.count == 101)
    #expect(isNear(statistics.rmse, (values.map { $0 * $0 }.reduce(0, +) / 101).squareRoot(), within: 1e-12))
    #expect(isNear(statistics.mean, 50, within: 1e-12) && statistics.median == 50)
    #expect(isNear(statistics.percentile95, 95, within: 1e-12) && statistics.maximum == 100)
    #expect(ErrorStatistics([]) == nil && ErrorSummary([]) == nil)

    let errors = [0.1, -0.3].map {
      OrientationError(estimate: Quaternion(angle: $0, axis: .unitZ), reference: .identity)
    }
    let summary = try #require(ErrorSummary(errors))
    #expect(isNear(summary.total.rmse, 180 / .pi * 0.05.squareRoot(), within: 1e-12))
    #expect(isNear(summary.heading.maximum, 180 / .pi * 0.3, within: 1e-12) && summary.inclination.rmse == 0)
  }

  @Test("a table has one row per group, with mean, median and worst over its recordings")
  func groups() throws {
    func score(_ recording: String, _ group: String, _ degrees: Double) throws -> RecordingScore {
      let q = Quaternion(angle: degrees * .pi / 180, axis: .unitX)
      let errors = try #require(ErrorSummary([OrientationError(estimate: q, reference: .identity)]))
      return RecordingScore(recording: recording, group: group, errors: errors)
    }
    let rows = GroupSummary.rows([
      try score("one", "slow", 1), try score("two", "fast", 9), try score("three", "slow", 2),
      try score("four", "slow", 6), try score("five", "fast", 9),
    ])
    #expect(rows.map(\.group) == ["slow", "fast"] && rows.map(\.count) == [3, 2])
    #expect(isNear(rows[0].total.mean, 3, within: 1e-12) && isNear(rows[0].inclination.median, 2, within: 1e-12))
    #expect(isNear(rows[0].total.worst, 6, within: 1e-12) && rows[0].total.worstRecording == "four")
    #expect(rows[1].total.worstRecording == "two" && rows[1].heading.mean == 0)
    #expect(GroupSummary(group: "none", []) == nil)
  }
}
