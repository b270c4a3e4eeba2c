import InertialEvaluation
import InertialSensors
import Testing

/// Checks whether a filter's covariance matches its errors if its model is correct: by seeded Monte Carlo simulation.
@Suite("Consistency of covariances") struct ConsistencyTests {
  private static let kinds = FilterKind.all.filter { $0.traits.contains(.covariance) }.map(\.name)

  private var study: ConsistencyStudy {
    var study = ConsistencyStudy()
    (study.runCount, study.times) = (60, [4, 8])
    return study
  }

  /// The mean NEES of the attitude for mekf, ekf and ukf with 2000 runs is 3.1 to 3.4 at these 10 Hz, as vectors with
  /// the timestamp of a gyroscope sample are fused with the next one, 0.1 s later; for ekf and ukf it is 2.97 to 3.15
  /// at 50 Hz, in the band of 99 % except for the first seconds.
  @Test(
    "with the true sensor noise the mean NEES is in its 99.9 % band, and the errors have the stated deviations",
    arguments: kinds)
  func consistent(name: String) throws {
    let kind = try #require(FilterKind.all[name])
    let results = try study.run(kind)
    try #require(results.count == study.times.count)
    for result in results {
      for (quantity, sample) in [("attitude", result.attitude), ("bias", result.bias)] {
        #expect(sample.count == study.runCount)
        #expect(sample.neesBand(0.999).contains(sample.meanNEES), "\(quantity) at \(result.time) s")
        let (band, ratio) = (sample.sigmaRatioBand(0.999), sample.sigmaRatio)
        for axis in 0..<3 { #expect(band.contains(ratio[axis]), "\(quantity) at \(result.time) s, axis \(axis)") }
      }
    }
  }

  @Test(
    "half or twice the true noise is detected, by errors that are too large or too small", arguments: kinds, [0.5, 2])
  func inconsistent(name: String, factor: Double) throws {
    let kind = try #require(FilterKind.all[name])
    var study = study
    study.times = [4]
    study.settings = [
      "accelerationNoise": factor * study.accelerationNoise, "magneticNoise": factor * study.magneticNoise,
    ]
    let attitude = try #require(try study.run(kind).first).attitude
    let band = attitude.neesBand(0.999)
    #expect(factor < 1 ? attitude.meanNEES > band.upperBound : attitude.meanNEES < band.lowerBound)
  }

  /// The rate is 50 Hz, because at 10 Hz the vectors of an epoch are a sample later than its gyroscope. The field's
  /// direction is accurate in every sample, as an azimuth's error is only normal if it is small.
  @Test(
    "with the true sensor noise the innovations have the expected size: the mean NIS of every kind is near 1",
    arguments: kinds)
  func innovations(name: String) throws {
    let kind = try #require(FilterKind.all[name])
    var study = study
    (study.runCount, study.times, study.rate, study.magneticNoise) = (10, [15], 50, 0.3)
    let tallies = try study.measurements(kind)
    let vectors = tallies.filter { [.gravity, .magneticField, .heading].contains($0.kind) }
    #expect(!vectors.isEmpty)
    for tally in vectors {
      let nis = try #require(tally.consistency.meanNIS), band = try #require(tally.consistency.band)
      #expect(tally.count(.accepted) == tally.count && tally.consistency.components > 4000)
      // The 95 % band, twice as wide: adjacent means share half of their samples.
      let slack = band.upperBound - band.lowerBound
      #expect(nis > band.lowerBound - slack && nis < band.upperBound + slack, "\(tally.kind): \(nis), \(band)")
      #expect(abs(try #require(tally.consistency.fractionWithin) - 0.95) < 0.02)
    }
  }

  @Test("half the true noise leads to innovations that are too large, and twice the noise does not", arguments: kinds)
  func inconsistentInnovations(name: String) throws {
    let kind = try #require(FilterKind.all[name])
    for (factor, range) in [(0.5, 1.5...9), (2.0, 0.1...0.6)] {
      var study = study
      (study.runCount, study.times, study.rate) = (3, [10], 50)
      study.settings = ["magneticNoise": factor * study.magneticNoise]
      let field = try #require(try study.measurements(kind).first { [.magneticField, .heading].contains($0.kind) })
      #expect(range.contains(try #require(field.consistency.meanNIS)))
    }
  }

  @Test("a filter without a covariance has no results")
  func withoutCovariance() throws {
    var study = study
    (study.runCount, study.times) = (1, [1])
    let complementary = try #require(FilterKind.all["complementary"])
    #expect(try study.run(complementary).isEmpty && study.measurements(complementary).isEmpty)
  }

  @Test("every parameter that a study sets by itself is one of a filter, and a setting that a filter lacks is an error")
  func names() throws {
    let known = Set(FilterKind.all.flatMap { $0.parameters.map(\.name) })
    #expect(Set(ConsistencyStudy().ownSettings.keys).subtracting(known) == [])
    #expect(Set(SceneStudy.noise(of: .phone).keys).subtracting(known) == [])
    var study = ConsistencyStudy()
    study.settings = ["motionWeigth": 1]
    let error = #expect(throws: SettingError.self) { try study.run(#require(FilterKind.all["mekf"])) }
    #expect(try #require(error).description.hasSuffix("; use motionWeight"))
  }
}
