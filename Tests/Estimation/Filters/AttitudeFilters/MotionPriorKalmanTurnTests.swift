import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@testable import InertialFilters

/// Motions that look like something else: constant turns like a bias, a coordinated turn like a tilt, clipped rates like
/// slower ones.
@Suite("Kalman filter with a motion prior: turns")
struct MotionPriorKalmanTurnTests {
  private static let degree = Double.pi / 180
  private static let gravity = 9.80665
  private static let north = Vector3(20, 0, -44)

  /// A true attitude and acceleration at a time.
  private struct Truth {
    var attitude = Quaternion.identity
    /// The rotation rate in device axes, in rad/s.
    var rate = Vector3.zero
    /// The acceleration in earth axes, in m/s².
    var acceleration = Vector3.zero
  }

  /// Runs a filter at 100 Hz with a bias and noise, and calls a function with the errors of heading and tilt, in rad.
  private static func run(
    for duration: Double, hasField: Bool = true, bias: Vector3 = Vector3(0.4, -0.3, 0.5), range: Double = .infinity,
    parameters: MotionPriorKalman.Parameters = .init(), _ motion: (Double) -> Truth,
    each: (Double, _ heading: Double, _ tilt: Double, AttitudeEstimate) -> Void
  ) {
    var filter = MotionPriorKalman(parameters: parameters)
    var random = SeededGenerator(seed: 7)
    func noise(_ sigma: Double) -> Vector3 { sigma * Vector3(random.normal(), random.normal(), random.normal()) }
    let bias = degree * bias
    var attitude = motion(0).attitude
    for step in 0..<Int(duration * 100) {
      let time = 0.01 * Double(step)
      // The truth is integrated from the rates of the middles of the intervals.
      let rate = motion(time - 0.005).rate
      if step > 0 { attitude = (attitude * Quaternion(rotationVector: 0.01 * rate)).normalized! }
      func clipped(_ value: Double) -> Double { max(-range, min(range, value)) }
      let measured = rate + bias + noise(0.002)
      filter.update(gyroscope: Vector3(clipped(measured.x), clipped(measured.y), clipped(measured.z)), at: time)
      let force = motion(time).acceleration + Vector3(0, 0, gravity)
      filter.update(accelerometer: (-1 / gravity) * attitude.rotateInverse(force) + noise(0.003), at: time)
      if hasField { filter.update(magneticField: attitude.rotateInverse(north) + noise(0.4), at: time) }
      guard time > 1.5, let estimate = filter.estimate else { continue }
      let error = attitude * estimate.earthFromDevice.conjugate
      let tilt = error.rotate(.unitZ).angle(to: .unitZ)
      each(time, (2 * atan2(error.z, error.w)).remainder(dividingBy: 2 * .pi), tilt, estimate)
    }
  }

  @Test(
    "equation (10): a constant turn of a minute is followed, from the start or after a rest",
    arguments: [(0.5, 6.0), (1, 2), (2, 2)])
  func constantTurn(rate: Double, limit: Double) {
    for start in [0.0, 10] {
      var largest = 0.0
      Self.run(for: 100) { time in
        Truth(rate: time >= start && time < start + 60 ? Vector3(0, 0, rate * Self.degree) : .zero)
      } each: { _, heading, _, _ in
        largest = max(largest, abs(heading))
      }
      #expect(largest < limit * Self.degree, "\(largest / Self.degree)° from \(start) s")
    }
  }

  @Test("equation (10): without a field, a rest of three seconds determines a bias of any size")
  func firstRest() {
    for bias in [Vector3(0.2, -0.1, 0.3), Vector3(-3, 2, 4)] {
      var (first, last): (Double?, Double) = (nil, 0)
      Self.run(for: 33, hasField: false, bias: bias) { time in
        Truth(rate: time < 3 ? .zero : Vector3(0, 0, sin(2 * (time - 3))))
      } each: { time, heading, _, _ in
        if time > 3 { (first, last) = (first ?? heading, heading) }
      }
      #expect(abs(last - first!) < 1.5 * Self.degree, "\((last - first!) / Self.degree)° with \(bias) °/s")
    }
  }

  @Test("equation (9): the acceleration of a coordinated turn is not a tilt")
  func coordinatedTurn() {
    let (speed, rate) = (15.0, 10 * Self.degree)
    var (sum, count, inside) = (0.0, 0, 0)
    Self.run(for: 80) { time in
      guard time > 10, time < 70 else { return Truth() }
      let angle = rate * (time - 10)
      return Truth(rate: Vector3(0, 0, rate), acceleration: speed * rate * Vector3(-sin(angle), cos(angle), 0))
    } each: { time, _, tilt, estimate in
      guard time > 10, time < 70 else { return }
      sum += tilt * tilt
      count += 1
      let sigma = estimate.attitudeSigma!
      if tilt < 2.45 * max(sigma.x, sigma.y) { inside += 1 }
    }
    #expect((sum / Double(count)).squareRoot() < 1 * Self.degree)
    #expect(Double(inside) > 0.8 * Double(count))
  }

  @Test("equation (20): rates beyond an undeclared range cost little tilt, and much if they are trusted")
  func clippedBursts() {
    func tilt(declared: Double) -> Double {
      var (sum, count) = (0.0, 0)
      let parameters = with(MotionPriorKalman.Parameters()) { $0.gyroscopeRange = declared }
      Self.run(for: 60, range: 422 * Self.degree, parameters: parameters) { time in
        // Bursts of 0.7 s every 4 s, in alternating directions.
        let phase = time.truncatingRemainder(dividingBy: 4)
        guard time > 8, phase < 0.7 else { return Truth() }
        let sign = Int(time / 4) % 2 == 0 ? 1.0 : -1
        let rate: Double = sign * 560 * Self.degree * sin(Double.pi * phase / 0.7)
        return Truth(rate: Vector3(rate, 0, 0))
      } each: { time, _, tilt, _ in
        guard time > 20 else { return }
        sum += tilt * tilt
        count += 1
      }
      return (sum / Double(count)).squareRoot()
    }
    let (found, trusted) = (tilt(declared: 0), tilt(declared: 1000))
    #expect(found < 3 * Self.degree && trusted > 2 * found, "\(found / Self.degree) \(trusted / Self.degree)")
  }
}
