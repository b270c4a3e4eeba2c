import Foundation
import Inertial
import InertialEvaluation
import InertialResearch
import InertialSensors
import Testing

/// Whether a filter's covariance is that of its errors, where its model holds: by Monte Carlo, seeded.
@Suite("Consistency of covariances") struct ConsistencyTests {
  private static let kinds = FilterKind.all.filter { $0.traits.contains(.covariance) }.map(\.name)

  private var study: ConsistencyStudy {
    var study = ConsistencyStudy()
    (study.runCount, study.times) = (60, [4, 8])
    return study
  }

  /// With 2000 runs the attitude's mean NEES for mekf, ekf and ukf is 3.1 to 3.4 at these 10 Hz, where vectors that come
  /// with a gyroscope sample are fused with the next one, 0.1 s later; for ekf and ukf it is 2.97 to 3.15 at 50 Hz, in the
  /// band of 99 % but for the first seconds.
  @Test(
    "with the sensors' true noise the normalised squared errors lie in their band of 99.9 %, and the errors scatter as the covariance says",
    arguments: kinds)
  func consistent(name: String) throws {
    let kind = try #require(FilterKind.named(name))
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
    "a filter that is told half or twice the noise is found out, by errors too big or too small",
    arguments: kinds, [0.5, 2])
  func inconsistent(name: String, factor: Double) throws {
    let kind = try #require(FilterKind.named(name))
    var study = study
    study.times = [4]
    study.settings = [
      "accelerationNoise": factor * study.accelerationNoise, "magneticNoise": factor * study.magneticNoise,
    ]
    let attitude = try #require(try study.run(kind).first).attitude
    let band = attitude.neesBand(0.999)
    #expect(factor < 1 ? attitude.meanNEES > band.upperBound : attitude.meanNEES < band.lowerBound)
  }

  /// At 50 Hz, as at 10 Hz the vectors of an epoch are a sample behind its gyroscope; and with a field that points well in
  /// every sample, as an azimuth's error is normal only where it is small.
  @Test(
    "with the sensors' true noise innovations are as far off as the filter expects: the mean NIS of every kind is near 1",
    arguments: kinds)
  func innovations(name: String) throws {
    let kind = try #require(FilterKind.named(name))
    var study = study
    (study.runCount, study.times, study.rate, study.magneticNoise) = (10, [15], 50, 0.3)
    let tallies = try study.measurements(kind)
    let vectors = tallies.filter { [.gravity, .magneticField, .heading].contains($0.kind) }
    #expect(!vectors.isEmpty)
    for tally in vectors {
      let nis = try #require(tally.consistency.meanNIS), band = try #require(tally.consistency.band)
      #expect(tally.acceptedShare == 1 && tally.consistency.components > 4000)
      // The band of 95 %, twice as wide: neighbouring means share half a sample each.
      let slack = band.upperBound - band.lowerBound
      #expect(nis > band.lowerBound - slack && nis < band.upperBound + slack, "\(tally.kind): \(nis), \(band)")
      #expect(abs(try #require(tally.consistency.shareWithin) - 0.95) < 0.02)
    }
  }

  @Test(
    "a filter that is told half the noise is surprised by its measurements, and one that is told twice is not",
    arguments: kinds)
  func inconsistentInnovations(name: String) throws {
    let kind = try #require(FilterKind.named(name))
    for (factor, range) in [(0.5, 1.5...9), (2.0, 0.1...0.6)] {
      var study = study
      (study.runCount, study.times, study.rate) = (3, [10], 50)
      study.settings = ["magneticNoise": factor * study.magneticNoise]
      let field = try #require(
        try study.measurements(kind).first { [.magneticField, .heading].contains($0.kind) })
      #expect(range.contains(try #require(field.consistency.meanNIS)))
    }
  }

  @Test("a filter without a covariance has nothing to be studied")
  func withoutCovariance() throws {
    var study = study
    (study.runCount, study.times) = (1, [1])
    let complementary = try #require(FilterKind.named("complementary"))
    #expect(try study.run(complementary).isEmpty && study.measurements(complementary).isEmpty)
  }
}
