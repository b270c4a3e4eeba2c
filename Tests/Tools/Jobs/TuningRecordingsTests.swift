import Foundation
import Inertial
import TestSupport
import Testing

/// The search's short way to an error against the evaluation's long one, on real recordings.
@Suite(.needs(.data))
struct TuningRecordingsTests {
  private func expectAgreement(
    _ path: String, _ options: EvaluationJob.Options, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let job = EvaluationJob(options: options)
    let judged = try job.load(path)
    let recording = try TuningRecording(
      name: path, samples: judged.samples, reference: judged.reference, movement: judged.movement,
      configuration: options.motion, comparison: options.comparison)
    let filters = try job.filters()
    for (filter, score) in zip(filters, try job.run(on: path).scores) {
      let figures = try #require(try recording.figures(of: filter.kind, settings: filter.settings))
      #expect(abs(figures.total - score.errors.total.rmse) < 1e-9, sourceLocation: sourceLocation)
      #expect(abs(figures.heading - score.errors.heading.rmse) < 1e-9, sourceLocation: sourceLocation)
      #expect(abs(figures.inclination - score.errors.inclination.rmse) < 1e-9, sourceLocation: sourceLocation)
    }
  }

  #if HDF5
    @Test("on BROAD both give one figure, with the magnetometer and without")
    func broad() throws {
      let trials = ["02_undisturbed_slow_rotation_B", "32_disturbed_attached_magnet_1cm"]
      for trial in trials {
        for frame in [AttitudeReferenceFrame.xMagneticNorthZVertical, .xArbitraryZVertical] {
          var options = EvaluationJob.Options()
          options.measuresCost = false
          options.motion.frame = frame
          options.settings = ["biasBound": 0.1]
          try expectAgreement(TestData.url("broad/\(trial).hdf5").path, options)
        }
      }
    }
  #endif

  @Test("on a phone with another clock for each sensor both give one figure, raw field and fitted yaw included")
  func phone() throws {
    var options = EvaluationJob.Options()
    options.measuresCost = false
    options.motion.field = .raw
    options.comparison.alignment = .yaw
    options.comparison.skip = 60
    try expectAgreement(TestData.url("tyrex/personA_iPhone5_NoDist_Swinging").path, options)
  }
}
