import Testing

struct ErrorTrendTests {
  static let times = (0..<6000).map { 0.01 * Double($0) }

  private func turned(by angle: (Double) -> Double) -> [Quaternion] {
    Self.times.map { Quaternion(angle: angle($0), axis: .unitZ) }
  }

  @Test("the drift of a steadily rotating heading is its rate in degrees per minute, also past a half turn")
  func drift() throws {
    let degree = Double.pi / 180
    for rate in [-300.0, -2, 0, 5, 400] {
      let course = ErrorTrend(times: Self.times, errors: turned { rate * degree * $0 / 60 + 3 })
      let drift = try #require(course.headingDrift)
      #expect(isNear(drift, rate, within: 1e-6) && course.jumps == 0)
    }
  }

  @Test("a drift requires half a minute of data")
  func shortRecording() {
    let short = Self.times.filter { $0 < 29.9 }
    #expect(ErrorTrend(times: short, errors: short.map { _ in .identity }).headingDrift == nil)
    #expect(ErrorTrend(times: Self.times, errors: turned { _ in 0 }).headingDrift == 0)
    #expect(ErrorTrend(times: [], errors: []) == ErrorTrend(times: [1], errors: [.identity]))
  }

  @Test("an error that changes by more than 3° at once, about any axis, is a jump")
  func jumps() {
    func course(_ angle: Double, about axis: Vector3) -> ErrorTrend {
      ErrorTrend(
        times: Self.times,
        errors: Self.times.map { $0 < 20 || $0 >= 40 ? .identity : Quaternion(angle: angle * .pi / 180, axis: axis) })
    }
    for axis in [Vector3.unitX, .unitY, .unitZ] {
      #expect(course(3.1, about: axis).jumps == 2 && course(2.9, about: axis).jumps == 0)
    }
  }

  @Test("the sign of a quaternion and a change across a gap are not jumps")
  func noJumps() {
    let flipped = Self.times.indices.map { Quaternion(x: 0, y: 0, z: 0, w: $0.isMultiple(of: 2) ? 1 : -1) }
    #expect(ErrorTrend(times: Self.times, errors: flipped).jumps == 0)
    let times = [0, 0.01, 0.2, 0.21], errors = [0.0, 0, 1, 1].map { Quaternion(angle: $0, axis: .unitX) }
    #expect(ErrorTrend(times: times, errors: errors).jumps == 0)
    #expect(ErrorTrend(times: [0, 0.01, 0.1, 0.11], errors: errors).jumps == 1)
  }

  @Test("a comparison contains the drift and jumps of the errors after the alignment")
  func comparison() throws {
    let times = SyntheticMotion.times(4000)
    let reference = SyntheticMotion.track(times)
    let span = times[times.count - 1] - times[0]
    let estimate = try OrientationTrack(
      times: times,
      quaternions: zip(times, reference.quaternions).map { time, q in
        Quaternion(angle: 0.5 + 0.001 * (time - times[0]), axis: .unitZ) * q
      }, frame: .nwu)
    var options = OrientationComparison.Options()
    options.alignment = .yaw
    let course = try OrientationComparison(estimate: estimate, reference: reference, options: options).course
    #expect(span >= ErrorTrend.minimumDriftDuration)
    let drift = try #require(course.headingDrift)
    #expect(isNear(drift, 0.001 * 60 * 180 / .pi, within: 1e-6) && course.jumps == 0)
  }
}
