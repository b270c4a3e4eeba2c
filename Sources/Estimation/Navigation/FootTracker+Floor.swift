internal import InertialNumerics

/// The height of a foot on the floor of its previous step, floor = p_z + n: equation (9) of docs/theory/error-state.md
/// with the height as the only error.
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
    let isSame = floor.map { abs($0 - height) < parameters.floorGate } ?? false
    if floor != nil, countedStance != since {
      countedStance = since
      if isSame { sameFloorCount += 1 } else { newFloorCount += 1 }
    }
    guard isSame, let floor else {
      floor = height
      return
    }
    let variance = parameters.floorSigma * parameters.floorSigma
    var row = MeasurementRow(
      residual: floor - height, variance: variance * max(1, Self.floorCorrelation / parameters.epoch))
    row.add(1, at: ErrorLayout.Block.position.start + 2)
    var measurement = ErrorMeasurement()
    measurement.append(row)
    navigator!.take(measurement)
  }
}
