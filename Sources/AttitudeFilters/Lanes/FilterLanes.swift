/// Several filters of one kind in lockstep, the kind found by its name: `LaneBank` for `FilterKind`.
///
/// Made by `FilterKind.lanes`. Every filter begins at its start, and its columns do not depend on which others run
/// beside it.
public struct FilterLanes: Sendable {
  /// The width that is good everywhere: without AVX-512, eight lanes cost more each than four (mahony, eight recordings
  /// of one clock, SSE2: 28 ns a sample against 25; AVX-512: 13 against 17).
  public static let width = LaneWidth.four

  /// How many filters there are.
  public let count: Int
  private let run: @Sendable ([MotionColumns], LaneWidth) -> [AttitudeColumns]

  init<Filter: BankedFilter>(_ type: Filter.Type, _ parameters: [Filter.Parameters]) {
    count = parameters.count
    run = { Filter.laneEstimates(parameters, of: $0, width: $1) }
  }

  /// Runs every filter over the recording of the same place, or over the one that all share.
  ///
  /// - Parameter motions: as many as there are filters, or one.
  /// - Throws: `MotionColumnsError` as `AttitudeFilter.estimates(of:)`.
  public func estimates(of motions: [MotionColumns], width: LaneWidth = FilterLanes.width) throws(MotionColumnsError)
    -> [AttitudeColumns]
  {
    for motion in motions { try motion.check() }
    return estimates(ofChecked: motions, width: width)
  }

  /// Does `estimates(of:)` for columns that `MotionColumns.check()` is known to find nothing in: for those who run over
  /// the same ones many times.
  public func estimates(ofChecked motions: [MotionColumns], width: LaneWidth = FilterLanes.width) -> [AttitudeColumns] {
    precondition(motions.count == count || motions.count == 1, "\(count) filters for \(motions.count) recordings")
    return run(motions, width)
  }
}
