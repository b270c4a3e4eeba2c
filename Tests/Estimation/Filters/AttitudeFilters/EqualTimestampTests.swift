import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Samples of one epoch in one call")
struct EqualTimestampTests {
  private struct Moment {
    var time: Double
    var rate: Vector3
    var acceleration: Vector3
    var field: Vector3?
  }

  /// Returns mostly regular valid rows. The others have gaps, lost rows, repeated, decreasing or invalid times, missing
  /// or impossible vectors, free fall, or fields that start late, stop and return.
  private static func moments(seed: UInt64) -> [Moment] {
    var random = SeededGenerator(seed: seed)
    func vector(_ mean: Vector3, _ spread: Double, _ random: inout SeededGenerator) -> Vector3 {
      func part() -> Double { Double.random(in: -spread...spread, using: &random) }
      return mean + Vector3(part(), part(), part())
    }
    func spoilt(_ vector: Vector3, _ random: inout SeededGenerator) -> Vector3 {
      switch Int.random(in: 0..<120, using: &random) {
      case 0: Vector3(vector.x, .nan, vector.z)
      case 1: .zero
      case 2: Vector3(.infinity, 0, 0)
      case 3: 1e7 * vector
      case 4: 0.03 * vector
      default: vector
      }
    }
    var result: [Moment] = []
    var (time, hasField) = (0.0, seed.isMultiple(of: 2))
    for _ in 0..<900 {
      if Int.random(in: 0..<80, using: &random) == 0 { hasField.toggle() }
      var stamp = time
      switch Int.random(in: 0..<150, using: &random) {
      case 0: time += 0.9
      case 1: time += 0.03
      case 2: stamp = time - 0.01
      case 3: stamp = .nan
      case 4: stamp = .infinity
      case 5: stamp = time - 0.2
      default: time += 0.01
      }
      result.append(
        Moment(
          time: stamp, rate: spoilt(vector(Vector3(0.1, 0, 0.3), 0.6, &random), &random),
          acceleration: spoilt(vector(Vector3(0.1, -0.2, -0.95), 0.2, &random), &random),
          field: hasField ? spoilt(vector(Vector3(18, 5, -40), 4, &random), &random) : nil))
    }
    return result
  }

  /// Runs both forms; occasionally a sample is passed alone, or the estimate is read in between.
  private func check<Filter: AttitudeFilter>(_ filter: Filter, seed: UInt64) {
    var random = SeededGenerator(seed: seed + 100)
    var (together, apart) = (filter, filter)
    for moment in Self.moments(seed: seed) {
      switch Int.random(in: 0..<60, using: &random) {
      case 0:
        together.update(accelerometer: moment.acceleration, at: moment.time)
        apart.update(accelerometer: moment.acceleration, at: moment.time)
      case 1:
        together.update(magneticField: Vector3(20, 1, -38), at: moment.time)
        apart.update(magneticField: Vector3(20, 1, -38), at: moment.time)
      case 2:
        together.update(gyroscope: moment.rate, at: moment.time)
        apart.update(gyroscope: moment.rate, at: moment.time)
      default: break
      }
      together.update(
        gyroscope: moment.rate, accelerometer: moment.acceleration, magneticField: moment.field, at: moment.time)
      apart.update(gyroscope: moment.rate, at: moment.time)
      apart.update(accelerometer: moment.acceleration, at: moment.time)
      if let field = moment.field { apart.update(magneticField: field, at: moment.time) }
      // An estimate does not require closing.
      let open = apart.estimate
      apart.endEpoch()
      #expect(apart.estimate == open)
      #expect(together.state == apart.state, "\(Filter.name), seed \(seed), \(moment)")
      #expect(together.estimate == apart.estimate, "\(Filter.name), seed \(seed), \(moment)")
      guard together.state == apart.state else { return }
    }
    // Otherwise only rejections were compared.
    #expect(together.estimate != nil)
  }

  @Test("one call equals the three updates and the closing, bit for bit, for any input", arguments: FilterKind.all)
  func together(kind: FilterKind) throws {
    let isLight = !kind.traits.contains(.covariance)
    for seed: UInt64 in 1...(isLight ? 4 : 1) { check(kind.standard(), seed: seed) }
  }

  @Test(
    "one call equals the updates also without a start-up and with the initial-heading reference",
    arguments: SteppedFilterTests.kinds)
  func otherHandling(kind: FilterKind) throws {
    for seed: UInt64 in 5...8 {
      check(try kind.make(["startUpDuration": 0]), seed: seed)
      check(kind.standard(headingReference: .initialHeading), seed: seed)
    }
  }
}
