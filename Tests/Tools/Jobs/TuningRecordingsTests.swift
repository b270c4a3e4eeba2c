import Testing

/// Compares the errors in the parameter search with those in the evaluation, on real recordings.
@Suite(.needs(.data)) struct TuningRecordingsTests {
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
    @Test("the search and the evaluation agree on BROAD, with and without the magnetometer")
    func broad() throws {
      for trial in ["02_undisturbed_slow_rotation_B", "32_disturbed_attached_magnet_1cm"] {
        for frame in [AttitudeReferenceFrame.xMagneticNorthZVertical, .xArbitraryZVertical] {
          var options = EvaluationJob.Options()
          (options.measuresCost, options.motion.frame, options.settings) = (false, frame, ["biasBound": 0.1])
          try expectAgreement(TestData.url("broad/\(trial).hdf5").path, options)
        }
      }
    }
  #endif

  @Test("the search and the evaluation agree on a phone with separate clocks, raw field and fitted yaw")
  func phone() throws {
    var options = EvaluationJob.Options()
    (options.measuresCost, options.motion.field) = (false, .raw)
    (options.comparison.alignment, options.comparison.skip) = (.yaw, 60)
    try expectAgreement(TestData.url("tyrex/personA_iPhone5_NoDist_Swinging").path, options)
  }
}
