internal import InertialNavigation
internal import InertialNumerics
internal import InertialSystem

extension TrackEstimate {
  /// A walker's place is not known behind a ride, which no step tells of: a car or a train goes that fast on average, m/s.
  private static let rideSpeed = 15.0

  /// Takes stretches in which somebody is carried by wheels into the sigma.
  mutating func widen(by rides: [ClosedRange<Double>]) {
    let ridden = rides.reduce(0) { $0 + max(0, min(time, $1.upperBound) - $1.lowerBound) }
    if ridden > 0 { widen(by: Self.rideSpeed * ridden) }
  }

  /// Takes a standard deviation of the place over the ground, m, by component, into the sigma.
  mutating func widen(by far: Double) {
    positionSigma.x = (positionSigma.x * positionSigma.x + far * far).squareRoot()
    positionSigma.y = (positionSigma.y * positionSigma.y + far * far).squareRoot()
  }
}
