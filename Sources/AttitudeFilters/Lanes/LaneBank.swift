/// A filter of which several can run in lockstep.
public protocol BankedFilter: AttitudeFilter {
  /// Runs a filter for each set of parameters over a recording of its own, or over one that all share.
  ///
  /// The columns have been checked. Called by `LaneBank`.
  static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns]
}

/// Several filters of one kind in lockstep: one for each of several recordings, or one for each of several sets of
/// parameters.
///
/// Each lane of a SIMD register is a filter of its own; the results are those of the filter itself to about 1e-14. The
/// recordings may differ in length, rate and clock, have gaps and bad samples, and be more than there are lanes: what
/// a lane cannot do in step with the others, such as the start-up, its filter does alone. It is fastest where the
/// sensors of a recording share one clock.
public struct LaneBank<Filter: BankedFilter>: Sendable {
  /// A bank, which has no state of its own.
  public init() {}

  /// Runs one set of parameters over several recordings.
  ///
  /// - Throws: `MotionColumnsError` as `AttitudeFilter.estimates(of:)`.
  public func estimates(
    of motions: [MotionColumns], parameters: Filter.Parameters = Filter.Parameters()
  ) throws(MotionColumnsError) -> [AttitudeColumns] {
    try estimates(of: motions, parameters: Array(repeating: parameters, count: motions.count))
  }

  /// Runs several sets of parameters over one recording.
  ///
  /// - Throws: `MotionColumnsError` as `AttitudeFilter.estimates(of:)`.
  public func estimates(
    of motion: MotionColumns, parameters: [Filter.Parameters]
  ) throws(MotionColumnsError) -> [AttitudeColumns] {
    try motion.check()
    return Filter.laneEstimates(parameters, of: [motion])
  }

  /// Runs each set of parameters over the recording of the same place.
  ///
  /// - Throws: `MotionColumnsError` as `AttitudeFilter.estimates(of:)`.
  public func estimates(
    of motions: [MotionColumns], parameters: [Filter.Parameters]
  ) throws(MotionColumnsError) -> [AttitudeColumns] {
    precondition(
      motions.count == parameters.count, "\(parameters.count) sets of parameters for \(motions.count) recordings")
    for motion in motions { try motion.check() }
    return Filter.laneEstimates(parameters, of: motions)
  }
}

/// An algorithm whose steps are written in lanes.
public protocol BankedAlgorithm: SteppedAlgorithm {
  /// The attitudes of several recordings, one for each set of parameters, in lockstep.
  static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns]
}

extension SteppedFilter: BankedFilter where Algorithm: BankedAlgorithm {
  public static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns] {
    Algorithm.laneEstimates(parameters, of: motions)
  }
}

extension Mahony: BankedAlgorithm {
  public static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns] {
    LaneRun<SteppedLanes<MahonyStep<Lanes>>>.estimates(parameters, of: motions)
  }
}

extension Madgwick: BankedAlgorithm {
  public static func laneEstimates(
    _ parameters: [Parameters], of motions: [MotionColumns]
  ) -> [AttitudeColumns] {
    LaneRun<SteppedLanes<MadgwickStep<Lanes>>>.estimates(parameters, of: motions)
  }
}
