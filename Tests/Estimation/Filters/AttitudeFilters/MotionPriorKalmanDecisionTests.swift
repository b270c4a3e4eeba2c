import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Kalman filter with a motion prior: decisions")
struct MotionPriorKalmanDecisionTests {
  private static let trajectory = RandomSplineTrajectory(duration: 120, restDuration: 2, seed: 31)

  private static func suite(_ change: (inout SensorSuite) -> Void) -> [SensorSample] {
    var suite = SensorSuite.phone.forFilters(rates: (100, 100, 25))
    (suite.gyroscope!.scale, suite.gyroscope!.misalignment) = (Vector3(1, 1, 1), .identity)
    suite.accelerometer!.bias = .zero
    change(&suite)
    return Simulation(trajectory: trajectory, sensors: suite, duration: 120).samples()
  }

  private static func decisions(
    _ samples: [SensorSample], _ parameters: MotionPriorKalman.Parameters = .init()
  ) -> [String: AutomaticDecision] {
    var filter = MotionPriorKalman(parameters: parameters)
    for sample in samples { filter.take(sample) }
    return Dictionary(uniqueKeysWithValues: filter.decisions.map { ($0.subject, $0) })
  }

  @Test("errors of the sensors are stated with their values, and no errors of good sensors")
  func sensors() throws {
    let bad = Self.decisions(
      Self.suite {
        $0.gyroscope!.scale = Vector3(1.02, 1, 1)
        $0.accelerometer!.bias = Vector3(0.02, 0, 0)
        $0.magnetometer!.sensor.delay += 0.06
      })
    let scale = try #require(bad["gyroscope scale"]?.values)
    // The model corrects measured rates: S = 1 / 1.02 − 1.
    #expect(isNear(scale["largest"]!, -0.0196, within: 4 * scale["sigma"]!))
    let bias = try #require(bad["accelerometer bias"]?.values)
    #expect(isNear(bias["x"]!, 0.02, within: 4 * bias["sigma"]!) && abs(bias["y"]!) < 4 * bias["sigma"]!)
    let delay = try #require(bad["magnetometer delay"]?.values)
    #expect(isNear(delay["delay"]!, 0.06, within: 0.015))
    let good = Self.decisions(Self.suite { _ in })
    #expect(good.isEmpty, "\(good.values.map(\.sentence))")
  }

  @Test("a clipped gyroscope is stated with its range, the time of the first clipping, and its basis")
  func clipping() throws {
    let free = Self.suite { _ in }
    let range = 0.9 * free.filter { $0.channel == .gyroscope }.map(\.vector.maximumMagnitude).max()!
    let clipped = free.map { sample in
      with(sample) {
        guard $0.channel == .gyroscope else { return }
        ($0.x, $0.y, $0.z) = (
          min(max($0.x, -range), range), min(max($0.y, -range), range), min(max($0.z, -range), range)
        )
      }
    }
    let first = try #require(clipped.first { $0.channel == .gyroscope && $0.vector.maximumMagnitude >= range }?.time)
    let declared = Self.decisions(clipped, with(.init()) { $0.gyroscopeRange = range })["gyroscope range"]
    #expect(isNear(try #require(declared?.since), first, within: 0.1))
    #expect(declared?.values["range"] == range && declared?.basis == "declared")
    #expect(Self.decisions(free)["gyroscope range"] == nil)
  }

  @Test("the offline form states the decisions of its forward pass")
  func offline() {
    let samples = Self.suite { $0.gyroscope!.scale = Vector3(1.02, 1, 1) }
    var filter = MotionPriorKalman()
    var smoother = MotionPriorKalman.smoother(parameters: .init())
    for sample in samples {
      filter.take(sample)
      switch sample.channel {
      case .gyroscope: smoother.update(gyroscope: sample.vector, at: sample.time)
      case .accelerometer: smoother.update(accelerometer: sample.vector, at: sample.time)
      default: smoother.update(magneticField: sample.vector, at: sample.time)
      }
    }
    #expect(!filter.decisions.isEmpty && smoother.decisions == filter.decisions)
  }
}
