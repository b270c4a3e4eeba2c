import Testing

struct ClockAlignmentTests {
  @Test("a constant clock offset is recovered to 1 ms", arguments: [0.0, 0.0373, -0.2051, 0.49])
  func offset(offset: Double) throws {
    let reference = SyntheticMotion.track(SyntheticMotion.times(1000))
    // The estimate's clock lags: it shows t − offset when the reference shows t.
    let times = SyntheticMotion.times(1000, rate: 47).map { $0 - 0.3 }
    let estimate = SyntheticMotion.track(times) { SyntheticMotion.orientation(at: $0 + offset) }
    let shift = try #require(ClockAlignment().shift(of: estimate, to: reference))
    #expect(isNear(shift, offset, within: 1e-3))
  }

  @Test(
    "different frames, and either noise or outliers, change the offset by less than 1 ms; both together by 2 ms",
    arguments: [(0.002, false, 1e-3), (0, true, 1e-3), (0.002, true, 2e-3)])
  func robust(noise: Double, hasOutliers: Bool, tolerance: Double) throws {
    let times = SyntheticMotion.times(4000)
    let reference = SyntheticMotion.track(times)
    let mount = Quaternion.random(1, seed: 3)[0]
    var orientations = times.map {
      Quaternion(angle: 1, axis: .unitZ) * SyntheticMotion.orientation(at: $0 + 0.123) * mount
    }
    orientations = withNoise(orientations, sigma: noise, seed: 1)
    if hasOutliers { orientations = withOutliers(orientations, seed: 2) }
    let estimate = try OrientationTrack(times: times, quaternions: orientations, frame: .nwu)
    let shift = try #require(ClockAlignment().shift(of: estimate, to: reference))
    #expect(isNear(shift, 0.123, within: tolerance))
  }

  @Test("no offset is found at rest, in uniform rotation, with too little data or beyond the limit")
  func undetermined() throws {
    let times = SyntheticMotion.times(500)
    let moving = SyntheticMotion.track(times)
    let rest = try OrientationTrack(
      times: times, quaternions: withNoise(times.map { _ in .identity }, sigma: 1e-3, seed: 1), frame: .nwu)
    let otherRest = try OrientationTrack(
      times: times, quaternions: withNoise(times.map { _ in .identity }, sigma: 1e-3, seed: 2), frame: .nwu)
    #expect(ClockAlignment().shift(of: rest, to: otherRest) == nil)
    let uniform = SyntheticMotion.track(times) { Quaternion(angle: 0.5 * $0, axis: .unitZ) }
    #expect(ClockAlignment().shift(of: uniform, to: uniform) == nil)
    let short = SyntheticMotion.track(Array(times.prefix(40)))
    #expect(ClockAlignment().shift(of: moving, to: short) == nil)
    let late = SyntheticMotion.track(times) { SyntheticMotion.orientation(at: $0 + 0.7) }
    #expect(ClockAlignment().shift(of: late, to: moving) == nil)
    var wide = ClockAlignment()
    wide.maximumShift = 1
    #expect(isNear(try #require(wide.shift(of: late, to: moving)), 0.7, within: 1e-3))
    #expect(ClockAlignment().shift(of: moving.shifted(by: 1000), to: moving) == nil)
  }
}
