/// A search range of gait: the duration of the cells and the band of the step frequency.
///
/// Slow steps are detected like quick ones, in cells of twice the duration. A person who reads while walking makes
/// one step per second, and a window of 2.56 s contains too few of these steps to distinguish them from chance and
/// from the jolts between two steps.
struct GaitPace: Sendable, Codable, Equatable {
  /// The duration of a cell, in seconds; a window has 64 cells.
  let cell: Double
  /// The band of the step frequency, in Hz.
  let highPass: Double
  let lowPass: Double
  /// The step period in the middle of human cadence, in seconds.
  let middle: Double

  /// The pace of 1.1 to 3.5 steps per second.
  static let ordinary = GaitPace(cell: PedometerBins.period, highPass: 0.6, lowPass: 2, middle: 0.5)
  /// The pace of 0.7 to 1.7 steps per second.
  static let slow = GaitPace(cell: 2 * PedometerBins.period, highPass: 0.3, lowPass: 1, middle: 0.8)

  /// The delay of a step by the filters, in seconds.
  var delay: Double { 2.5 * cell }
}
