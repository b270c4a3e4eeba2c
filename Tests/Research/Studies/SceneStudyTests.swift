import Testing

/// The comparison of filters on simulated scenes.
@Suite("Scene study") struct SceneStudyTests {
  private func study(_ scenes: [BenchmarkScene]) -> SceneStudy {
    var study = SceneStudy()
    (study.scenes, study.seeds) = (scenes, [1])
    return study
  }

  private func filter(_ name: String, _ settings: [String: Double] = [:]) throws -> ConfiguredFilter {
    ConfiguredFilter(try #require(FilterKind.all[name]), settings: settings)
  }

  @Test("the same study yields the same figures, and a filter's error is at most a few degrees")
  func deterministic() throws {
    let study = study([.turn])
    let score = try #require(try study.run(filter("vqf")).first)
    let again = try #require(try study.run(filter("vqf")).first)
    #expect(score.total == again.total && score.count == again.count)
    #expect(score.scene == "quick-turns" && score.filter == "vqf" && !score.isOffline)
    // 85 s at 100 Hz.
    #expect(abs(score.count - 8500) <= 2 && score.total > 0.05 && score.total < 5)
    #expect(score.inclination < score.total && score.heading < score.total && score.coverage.tilt.count == 0)
  }

  @Test("the moving start is evaluated from one second on")
  func window() throws {
    let score = try #require(try study([.movingStart]).run(filter("kalman")).first)
    #expect(abs(score.count - 2900) <= 2 && score.coverage.heading.count == score.count)
    #expect(score.coverage.tilt.count == 2 * score.count)
  }

  @Test("the offline form of a filter is evaluated if it exists, and is more accurate")
  func offline() throws {
    let study = study([.movingStart])
    let smoothed = try #require(try study.run(filter("vqf"), smooths: true).first)
    #expect(smoothed.isOffline)
    #expect(smoothed.total < (try study.run(filter("vqf"))[0].total))
    #expect(try study.run(filter("mahony"), smooths: true).isEmpty)
  }

  @Test("a declared range is passed to filters that support it")
  func range() throws {
    let study = study([.saturation])
    let reported = try #require(try study.run(filter("kalman")).first)
    let unreported = try #require(try study.run(filter("kalman", ["gyroscopeRange": 0])).first)
    #expect(reported.total < unreported.total)
  }

  /// Measured: tilt 98 and 100 %, because the sigma allows for faster walks; heading 73 and 100 %.
  @Test("the Kalman filter's errors on a walk are inside its own sigmas, the heading's at the expected rate")
  func sigma() throws {
    var study = study([.walk])
    study.seeds = [1, 2]
    let coverage = try #require(try study.run(filter("kalman")).first).coverage
    #expect(coverage.tilt.fractionInsideOne > 0.6 && coverage.tilt.fractionInsideTwo > 0.9)
    #expect(coverage.heading.fractionInsideOne > 0.6 && coverage.heading.fractionInsideOne < 0.9)
    #expect(coverage.heading.fractionInsideTwo > 0.85)
  }

  @Test("the sensors' noise is passed to filters on request, and unknown settings are an error")
  func reported() throws {
    var study = study([.movingStart])
    let plain = try #require(try study.run(filter("kalman")).first)
    study.setsNoiseParameters = true
    #expect(try #require(try study.run(filter("kalman")).first).coverage != plain.coverage)
    #expect(throws: SettingError.self) { try study.run(filter("kalman", ["nothing": 1])) }
  }
}

@Suite("Coverage of sigmas") struct SigmaCoverageTests {
  @Test("normal errors are inside one sigma in 68 % and inside two in 95 %")
  func normal() {
    var generator = SeededGenerator(seed: 3)
    var coverage = SigmaCoverage()
    let sigma = Vector3(0.1, 2, 5)
    for _ in 0..<20_000 {
      coverage.add(
        Vector3(sigma.x * generator.normal(), sigma.y * generator.normal(), 2 * sigma.z * generator.normal()), sigma)
    }
    #expect(abs(coverage.tilt.fractionInsideOne - 0.683) < 0.01)
    #expect(abs(coverage.tilt.fractionInsideTwo - 0.954) < 0.005 && abs(coverage.tilt.normalisedRMS - 1) < 0.02)
    // Twice the stated deviation.
    #expect(abs(coverage.heading.fractionInsideOne - 0.383) < 0.015 && abs(coverage.heading.normalisedRMS - 2) < 0.04)

    var sum = SigmaCoverage()
    sum.add(coverage)
    sum.add(coverage)
    #expect(sum.tilt.count == 80_000 && sum.heading.insideOne == 2 * coverage.heading.insideOne)
    #expect(abs(sum.tilt.normalisedRMS - coverage.tilt.normalisedRMS) < 1e-12)
  }
}
