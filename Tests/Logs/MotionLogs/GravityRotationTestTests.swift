import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialLogs

struct GravityRotationTestTests {
  /// Simulates a minute of a device that rotates about changing axes, with correct or unrelated rates.
  private func test(areRatesRight: Bool, rate: Double) -> GravityRotationTest {
    var random = SeededGenerator(seed: 11)
    var sketch = DownsampledMotion()
    var attitude = Quaternion.identity
    for index in 0..<6000 {
      let time = Double(index) * 0.01
      let turning = Vector3(sin(0.7 * time), sin(0.9 * time + 1), sin(1.1 * time + 2)) * rate
      let reported =
        areRatesRight ? turning : Vector3(rate * turning.y, -turning.x, Double.random(in: -1...1, using: &random))
      attitude = (attitude * Quaternion(rotationVector: 0.01 * turning)).normalized!
      sketch.add(SensorSample(time: time, channel: .gyroscope, reported))
      sketch.add(SensorSample(time: time, channel: .accelerometer, attitude.rotateInverse(Vector3(0, 0, -1))))
    }
    sketch.finish()
    return GravityRotationTest(sketch)
  }

  // Fast rotation exceeds the range of the series for small angles.
  @Test("a scale of one has the same fit as unchanged axes", arguments: [true, false], [0.5, 20])
  func scaleOfOne(areRatesRight: Bool, rate: Double) throws {
    let test = test(areRatesRight: areRatesRight, rate: rate)
    #expect(test.pairCount > 20)
    let asIs = try #require(test.fitsOfAxes().first { $0.axes == .identity })
    let scaled = test.fit(scale: 1)
    #expect(abs(scaled.misfit - asIs.misfit) <= 1e-9 * abs(asIs.misfit) && (scaled.bias - asIs.bias).norm <= 1e-9)
  }

  @Test("a scale of one fits correct rates best")
  func bestScale() {
    let test = test(areRatesRight: true, rate: 0.5)
    let scales = [Double.pi / 180, 0.5, 1, 2, 180 / Double.pi]
    #expect(scales.min { test.fit(scale: $0).misfit < test.fit(scale: $1).misfit } == 1)
  }
}
