internal import InertialNavigation
internal import InertialNumerics
internal import InertialSystem

extension TrackEstimate {
  /// The average speed of a car or a train, in m/s. It widens the sigma in a ride, in which no steps are
  /// detected.
  private static let rideSpeed = 15.0

  /// Increases the sigma by the displacement in rides.
  mutating func widen(by rides: [ClosedRange<Double>]) {
    let ridden = rides.reduce(0) { $0 + max(0, min(time, $1.upperBound) - $1.lowerBound) }
    if ridden > 0 { widen(by: Self.rideSpeed * ridden) }
  }

  /// Adds a horizontal standard deviation per component, in metres, to the sigma.
  mutating func widen(by far: Double) {
    positionSigma.x = (positionSigma.x * positionSigma.x + far * far).squareRoot()
    positionSigma.y = (positionSigma.y * positionSigma.y + far * far).squareRoot()
  }
}
