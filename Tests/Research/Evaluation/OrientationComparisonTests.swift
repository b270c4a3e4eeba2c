import Testing

struct OrientationComparisonTests {
  static let times = SyntheticMotion.times(400)
  static let reference = SyntheticMotion.track(times)
  static let tilt = Quaternion(angle: 0.1, axis: .unitX)
  static let turn = Quaternion(angle: 0.2, axis: .unitZ)

  private func compare(
    _ estimate: OrientationTrack, _ options: OrientationComparison.Options = OrientationComparison.Options()
  ) throws -> OrientationComparison {
    try OrientationComparison(estimate: estimate, reference: Self.reference, options: options)
  }

  @Test("only moving, valid samples after the skipped seconds count")
  func counting() throws {
    let nothing = Quaternion(x: .nan, y: .nan, z: .nan, w: .nan)
    // The first second has an error of 90°, the resting half of 0.1 rad, and the moving half of 0.
    let estimate = try OrientationTrack(
      times: Self.times,
      quaternions: Self.reference.quaternions.enumerated().map { index, q in
        if index < 50 { return Quaternion(angle: .pi / 2, axis: .unitX) * q }
        return index.isMultiple(of: 2) ? q : Self.tilt * q
      }, frame: .nwu)
    let reference = try OrientationTrack(
      times: Self.times,
      quaternions: Self.reference.quaternions.enumerated().map { $0 < 60 && $0 >= 50 ? nothing : $1 }, frame: .nwu)
    let movement = Self.times.indices.map { $0.isMultiple(of: 2) }
    var options = OrientationComparison.Options()
    options.skip = 1
    let moving = try OrientationComparison(
      estimate: estimate, reference: reference, movement: movement, options: options)
    #expect(moving.errors.count == 170 && moving.times.first == 1.2 && moving.summary.total.maximum < 1e-6)
    #expect(moving.missingCount == 0)

    let all = try OrientationComparison(estimate: estimate, reference: reference, options: options)
    #expect(all.errors.count == 340)
    let expected = 0.1 * 180 / .pi * 0.5.squareRoot()
    #expect(isNear(all.summary.total.rmse, expected, within: 1e-9))
    #expect(isNear(all.summary.inclination.rmse, expected, within: 1e-9))

    let unskipped = try OrientationComparison(estimate: estimate, reference: reference)
    #expect(unskipped.errors.count == 390 && isNear(unskipped.summary.total.maximum, 90, within: 1e-9))
  }

  @Test("samples without an estimate are reported as missing, not as correct")
  func missing() throws {
    let kept = Self.times.indices.filter { !(100..<150).contains($0) }
    let estimate = try OrientationTrack(
      times: kept.map { Self.times[$0] }, quaternions: kept.map { Self.reference.quaternions[$0] }, frame: .nwu)
    let comparison = try compare(estimate)
    #expect(comparison.missingCount == 50 && comparison.errors.count == 350)
  }

  @Test("an estimate in another earth frame and with other timestamps is converted before the comparison")
  func frames() throws {
    let times = SyntheticMotion.times(1600, rate: 200)
    for frame in EarthFrame.allCases {
      let estimate = SyntheticMotion.track(times) {
        Self.turn * Self.tilt * SyntheticMotion.orientation(at: $0)
      }
      .converted(to: frame)
      let comparison = try OrientationComparison(estimate: estimate, reference: Self.reference.converted(to: .enu))
      #expect(isNear(comparison.summary.inclination.mean, 0.1 * 180 / .pi, within: 0.002))
      #expect(isNear(comparison.summary.heading.mean, 0.2 * 180 / .pi, within: 0.002))
    }
  }

  @Test("each alignment removes the intended errors and no others")
  func alignment() throws {
    let mount = Quaternion(angle: 0.4, axis: Vector3(1, 2, 0))
    let quaternions = Self.reference.quaternions.map { Self.turn * $0 * mount }
    let estimate = try OrientationTrack(times: Self.times, quaternions: quaternions, frame: .nwu)
    var options = OrientationComparison.Options()
    let raw = try compare(estimate)
    #expect(raw.summary.total.rmse > 20 && raw.alignment == .identity)
    options.alignment = .yaw
    let yaw = try compare(estimate, options)
    #expect(yaw.summary.heading.rmse < raw.summary.heading.rmse)
    #expect(isNear(yaw.summary.inclination.rmse, raw.summary.inclination.rmse, within: 1e-9))
    #expect(yaw.summary.total.rmse > 10)
    options.alignment = .frame
    let frame = try compare(estimate, options)
    #expect(frame.summary.total.maximum < 1e-3 && isNear(frame.alignment.yaw, -0.2, within: 1e-5))
  }

  @Test("with clock alignment, only errors that are neither clock nor frame offsets remain")
  func clock() throws {
    let estimate = SyntheticMotion.track(SyntheticMotion.times(800, rate: 100)) {
      Self.turn * SyntheticMotion.orientation(at: $0 - 0.08)
    }
    var options = OrientationComparison.Options()
    options.alignment = .frame
    let late = try compare(estimate, options)
    #expect(late.summary.total.rmse > 2 && late.clockShift == nil)
    options.clockAlignment = ClockAlignment()
    let aligned = try compare(estimate, options)
    let shift = try #require(aligned.clockShift)
    #expect(isNear(shift, -0.08, within: 1e-3) && aligned.summary.total.rmse < 0.05)
  }

  @Test("a known clock offset is added to the estimate's timestamps, and a search continues from there")
  func knownClockShift() throws {
    let early = Self.reference.shifted(by: -0.6)
    var options = OrientationComparison.Options()
    options.clockShift = 0.6
    let known = try compare(early, options)
    #expect(known.clockShift == 0.6 && known.summary.total.maximum < 1e-6 && known.missingCount <= 1)
    // Half a second is beyond the range of the search alone.
    (options.clockShift, options.clockAlignment) = (0.25, ClockAlignment())
    let earlyShift = try #require(compare(early, options).clockShift)
    #expect(isNear(earlyShift, 0.6, within: 1e-3))
    (options.clockShift, options.clockAlignment) = (0, nil)
    let none = try compare(early, options)
    #expect(none.clockShift == nil && none.summary.total.rmse > 10)
  }

  @Test("a comparison without common samples is an error, and so are flags for other samples")
  func errors() throws {
    #expect(throws: EvaluationError.noCommonSamples) {
      try OrientationComparison(estimate: Self.reference.shifted(by: 100), reference: Self.reference)
    }
    #expect(throws: EvaluationError.noCommonSamples) {
      try OrientationComparison(
        estimate: Self.reference, reference: Self.reference, movement: Self.times.map { _ in false })
    }
    #expect(throws: EvaluationError.countMismatch(times: 400, values: 1)) {
      try OrientationComparison(estimate: Self.reference, reference: Self.reference, movement: [true])
    }
    let empty = try OrientationTrack(times: [], quaternions: [], frame: .nwu)
    #expect(throws: EvaluationError.noCommonSamples) {
      try OrientationComparison(estimate: empty, reference: Self.reference)
    }
  }
}
