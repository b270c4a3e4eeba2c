/// How fast a gait is looked for: the length of the cells, and the band of the steps in them.
///
/// Slow steps are looked for like quick ones, in cells of twice the length: who reads while he walks makes a step a second,
/// which a window of 2.56 s does not hold often enough to tell it from chance, nor from the jolts between two steps.
struct GaitPace: Sendable, Codable, Equatable {
  /// Seconds of a cell; a window has 64 of them.
  let cell: Double
  /// Hz: the band in which the steps are.
  let highPass: Double
  let lowPass: Double
  /// Seconds: the step in the middle of human cadence.
  let middle: Double

  /// 1.1 to 3.5 steps a second.
  static let ordinary = GaitPace(cell: PedometerCells.period, highPass: 0.6, lowPass: 2, middle: 0.5)
  /// 0.7 to 1.7 steps a second.
  static let slow = GaitPace(cell: 2 * PedometerCells.period, highPass: 0.3, lowPass: 1, middle: 0.8)

  /// Seconds by which the filters delay a step.
  var delay: Double { 2.5 * cell }
}
