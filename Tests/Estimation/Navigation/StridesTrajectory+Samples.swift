import Foundation
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
        func noise(_ sigma: Double) -> Vector3 { generator.vector(sigma) }
        force += noise(0.03)
        rate += noise(0.003)
      }
      let up = q.rotateInverse(.unitZ)
      return TrackSample(time: time, rate: rate, force: force, up: up, heading: TrackSample.heading(of: q, up: up))
    }
  }
}
