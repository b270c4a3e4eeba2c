internal import InertialNumerics

/// The height of a foot on the floor of its previous step, 0 = p_z − f + n: equation (9) of docs/theory/error-state.md
/// with the height p_z and the floor f as the only errors. A floor has the error of the height at which it was set, so
/// later steps on it do not reduce the uncertainty of its height.
extension FootTracker {
  /// The minimum duration of a stance for a floor height, in seconds.
  private static let stanceTime = 0.06
  /// The duration for which the floor's error counts as constant, in seconds.
  private static let floorCorrelation = 0.2

  /// Takes the height of a standing foot, if it is within `floorGate` of the previous floor; otherwise, the height is
  /// that of a new floor.
  ///
  /// The noise is the unevenness of a floor, constant during a stance.
  mutating func takeFloor() {
    let time = navigator!.time
    let since = stanceSince ?? time
    stanceSince = since
    guard time - since > Self.stanceTime else { return }
    let height = navigator!.state.position.z
    let isSame = navigator!.state.floor.map { abs($0 - height) < parameters.floorGate } ?? false
    if navigator!.state.floor != nil, countedStance != since {
      countedStance = since
      if isSame { sameFloorCount += 1 } else { newFloorCount += 1 }
    }
    guard isSame, let floor = navigator!.state.floor else { return navigator!.takeFloor() }
    let variance = parameters.floorSigma * parameters.floorSigma
    var row = MeasurementRow(
      residual: floor - height, variance: variance * max(1, Self.floorCorrelation / parameters.epoch))
    row.add(1, at: ErrorLayout.Block.position.start + 2)
    row.add(-1, at: ErrorLayout.Block.floor.start)
    var measurement = ErrorMeasurement()
    measurement.append(row)
    navigator!.take(measurement)
  }
}
