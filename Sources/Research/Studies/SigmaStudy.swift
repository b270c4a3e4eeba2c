public import InertialEvaluation
internal import InertialFilters
public import InertialJobs
internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// A study of the fraction of a filter's errors inside its own sigma, on recordings with a reference.
public struct SigmaStudy: Sendable {
  /// The alignment and the skipped time, as in an evaluation.
  public var comparison = OrientationComparison.Options()
  /// The known delay of the inertial samples' timestamps relative to the reference, in seconds; 2.5 ms on BROAD.
  public var latency = 0.0

  /// Creates a study with the defaults.
  public init() {}

  /// Returns the coverage over the samples that count: moving, with a reference.
  ///
  /// With an alignment fitted, heading errors are relative to their robust mean.
  /// - Throws: `FusionError` for settings that the filter does not accept, or if no sample counts.
  public func coverage(
    of filter: ConfiguredFilter, on recording: ReferenceRecording, smooths: Bool = false
  ) throws(FusionError) -> SigmaCoverage {
    let (track, sigmas) = try estimates(of: filter, on: recording, smooths: smooths)
    var coverage = SigmaCoverage()
    guard !sigmas.isEmpty else { return coverage }
    do throws(EvaluationError) {
      let reference = recording.reference.converted(to: .nwu)
      let estimate = track.shifted(by: -latency)
      let judged = try OrientationComparison(
        estimate: estimate, reference: reference, movement: recording.movement, options: comparison)
      let shifted = estimate.shifted(by: judged.clockShift ?? 0)
      var next = 0
      for time in judged.times {
        while next + 1 < sigmas.count, shifted.times[next] < time { next += 1 }
        guard let found = shifted.orientation(at: time, maximumGap: comparison.maximumGap),
          let truth = reference.orientation(at: time, maximumGap: comparison.maximumGap)
        else { continue }
        coverage.add((truth * judged.alignment.apply(found).conjugate).rotationVector, sigmas[next])
      }
    } catch {
      throw .badData("\(recording.path): \(error.description)")
    }
    return coverage
  }

  /// Returns one estimate and sigma per gyroscope sample; the result is empty for a filter that states no sigmas.
  private func estimates(
    of filter: ConfiguredFilter, on recording: ReferenceRecording, smooths: Bool
  ) throws(FusionError) -> (OrientationTrack, [Vector3]) {
    let hasCalibrated = recording.samples.contains { $0.channel == .calibratedMagneticField }
    var times: [Double] = []
    var quaternions: [Quaternion] = []
    var sigmas: [Vector3] = []
    do throws(SettingError) {
      let samples = recording.samples.lazy.filter { !hasCalibrated || $0.channel != .magnetometer }
      try FilterRun(filter, smooths: smooths)?.estimates(of: samples) { time, estimate in
        guard let sigma = estimate.attitudeSigma else { return }
        times.append(time)
        quaternions.append(estimate.earthFromDevice)
        sigmas.append(sigma)
      }
    } catch {
      throw FusionError(error)
    }
    do throws(EvaluationError) {
      return (try OrientationTrack(times: times, quaternions: quaternions, frame: .nwu), sigmas)
    } catch {
      throw .badData("\(recording.path): \(error.description)")
    }
  }
}
