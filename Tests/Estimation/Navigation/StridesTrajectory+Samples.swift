import InertialNumerics
import InertialRotations
import InertialSimulation
import TestSupport

@testable import InertialNavigation

/// A mounting that is not aligned with the axes of the shoe.
let onTheShoe = Quaternion(angle: 0.6, axis: Vector3(0.2, 1, 0.3).normalized!)

extension StridesTrajectory {
  /// Returns the measurements of sensors on the foot, including the final rest.
  func samples(
    rate: Double = 200, seed: UInt64? = nil, gyroscopeBias: Vector3 = .zero, accelerometerBias: Vector3 = .zero
  ) -> [TrackSample] {
    var generator = SeededGenerator(seed: seed ?? 1)
    return (0..<Int((end + rest) * rate)).map { index in
      let time = Double(index) / rate
      let state = state(at: time)
      let q = state.attitude
      var force = q.rotateInverse(state.acceleration + Vector3(0, 0, InertialNavigator.gravity)) + accelerometerBias
      var rate = state.angularRate + gyroscopeBias
      if seed != nil {
        force += generator.vector(0.03)
        rate += generator.vector(0.003)
      }
      let up = q.rotateInverse(.unitZ)
      return TrackSample(time: time, rate: rate, force: force, up: up, heading: TrackSample.heading(of: q, up: up))
    }
  }
}

extension TrackEstimate {
  /// The horizontal distance from the origin, in metres.
  var distance: Double { (position.x * position.x + position.y * position.y).squareRoot() }
}

extension TrackSample {
  /// Creates the sample of a level device at rest.
  init(restingAt time: Double, heading: Double = 0) {
    self.init(time: time, rate: .zero, force: Vector3(0, 0, 9.80665), up: .unitZ, heading: heading)
  }
}
