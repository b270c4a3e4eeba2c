/// Several filters of one kind in lockstep, the kind found by its name: `LaneBank` for `FilterKind`.
///
/// Made by `FilterKind.lanes`. Every filter begins at its start, and its columns do not depend on which others run
/// beside it.
public struct FilterLanes: Sendable {
  /// How many filters run in lockstep: what AVX2 computes in one instruction, SSE2 and NEON in two. Eight pay with
  /// AVX-512 alone.
  public static let width = 4

  /// How many filters there are.
  public let count: Int
  private let run: @Sendable ([MotionColumns]) -> [AttitudeColumns]

  init<Filter: BankedFilter>(_ type: Filter.Type, _ parameters: [Filter.Parameters]) {
    count = parameters.count
    run = { Filter.laneEstimates(parameters, of: $0) }
  }

  /// Runs every filter over the recording of the same place, or over the one that all share.
  ///
  /// - Parameter motions: as many as there are filters, or one.
  /// - Throws: `MotionColumnsError` as `AttitudeFilter.estimates(of:)`.
  public func estimates(of motions: [MotionColumns]) throws(MotionColumnsError)
    -> [AttitudeColumns]
  {
    for motion in motions { try motion.check() }
    return estimates(ofChecked: motions)
  }

  /// Does `estimates(of:)` for columns that `MotionColumns.check()` is known to find nothing in: for those who run over
  /// the same ones many times.
  package func estimates(ofChecked motions: [MotionColumns]) -> [AttitudeColumns] {
    precondition(motions.count == count || motions.count == 1, "\(count) filters for \(motions.count) recordings")
    return run(motions)
  }
}
