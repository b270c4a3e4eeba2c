internal import InertialNumerics

/// The search for a constant offset between the clocks of an estimate and of a reference.
///
/// It compares the angles of rotation within a short window, which constant rotations on either side do not change: the
/// search needs no alignment of frames, is the same for every method and favours none.
public struct ClockAlignment: Sendable, Hashable, Codable {
  /// The largest offset that is searched in both directions, in seconds, 0.01...600. Default: 0.5 s.
  public var maximumShift = 0.5
  /// The window of the rotation angle, in seconds. Default: 0.1 s.
  public var window = 0.1
  /// The longest gap of a track to interpolate across, in seconds. Default: 0.1 s.
  public var maximumGap = 0.1

  /// Creates an alignment with the defaults.
  public init() {}

  /// Returns the offset to add to the estimate's times so that they become the reference's, in seconds.
  ///
  /// The offset minimizes the mean absolute difference of the rotation angles: a grid of 10 ms, then golden section to
  /// 1 µs. It is `nil` if the motion does not determine the offset: fewer than 50 common windows, no shift distinctly
  /// (10 % and 1e-5 rad) better than the typical one, as at rest or in uniform rotation, or the best shift at the limit
  /// of the search.
  public func shift(of estimate: OrientationTrack, to reference: OrientationTrack) -> Double? {
    let target = RotationAngleSeries(reference, window: window, maximumGap: maximumGap)
    let source = RotationAngleSeries(estimate, window: window, maximumGap: maximumGap)
    guard min(target.times.count, source.times.count) >= 50 else { return nil }
    // About 4000 times are as informative as all of them.
    let stride = max(1, target.times.count / 4000)
    let cost = { (shift: Double) in target.cost(of: source, shift: shift, stride: stride) }

    let maximumShift = maximumShift > 0.01 ? min(maximumShift, 600) : 0.01
    let steps = Int((maximumShift / 0.01).rounded())
    let grid = (-steps...steps).map { Double($0) * maximumShift / Double(steps) }
    let costs = grid.map(cost)
    guard let best = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[best].isFinite,
      best > 0, best < grid.count - 1, let typical = Statistics.median(costs.filter(\.isFinite)),
      costs[best] < min(0.9 * typical, typical - 1e-5)
    else { return nil }
    return goldenSectionMinimum(in: grid[best - 1]...grid[best + 1], tolerance: 1e-6, of: cost)
  }
}
