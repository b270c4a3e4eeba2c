import Foundation
import InertialNumerics
import Testing

@testable import InertialNavigation

@Suite("A path corrected by position fixes")
struct FixedPathTests {
  /// A walk of two minutes at 1.3 m/s around a bend, north and east, with fixes of 3 m every second.
  private static func place(_ time: Double) -> Vector3 {
    let radius = 80.0
    return Vector3(radius * (1 - cos(1.3 * time / radius)), radius * sin(1.3 * time / radius), 0)
  }

  /// - Parameter persistence: The time constant of the errors, in seconds, or 0 for independent errors.
  private static func fixes(
    to end: Double, seed: UInt64 = 3, persistence: Double = 0, except outage: ClosedRange<Double>? = nil
  ) -> [PositionFix] {
    var generator = SeededGenerator(seed: seed)
    let left = persistence > 0 ? exp(-1 / persistence) : 0
    var noise = 3 * Vector3(generator.normal(), generator.normal(), 0)
    return (0..<Int(end)).map { second in
      if second > 0 {
        noise =
          left * noise + 3 * (1 - left * left).squareRoot() * Vector3(generator.normal(), generator.normal(), 0)
      }
      return PositionFix(
        time: Double(second), position: place(Double(second)) + noise, positionSigma: Vector3(3, 3, 1e4))
    }.filter { outage?.contains($0.time) != true }
  }

  /// Returns the walk in axes that are rotated by an angle, with steps that are too short.
  private static func walk(to end: Double, turned angle: Double, scale: Double) -> [TrackEstimate] {
    func turned(_ v: Vector3) -> Vector3 {
      scale * Vector3(cos(angle) * v.x - sin(angle) * v.y, sin(angle) * v.x + cos(angle) * v.y, 0)
    }
    return stride(from: 0.0, to: end, by: 0.05).map { time in
      TrackEstimate(
        time: time, position: turned(place(time)), velocity: turned(place(time + 0.5) - place(time - 0.5)),
        positionSigma: Vector3(repeating: 1), velocitySigma: Vector3(repeating: 0.1))
    }
  }

  /// Returns the position errors in metres, and the errors relative to their sigmas.
  private static func errors(_ path: [TrackEstimate]) -> (distance: [Double], normal: [Double]) {
    var (distances, normals): ([Double], [Double]) = ([], [])
    for estimate in path {
      // The axes are north and west.
      let error = estimate.position - Vector3(place(estimate.time).y, -place(estimate.time).x, estimate.position.z)
      distances.append(error.norm)
      normals += [abs(error.x) / estimate.positionSigma.x, abs(error.y) / estimate.positionSigma.y]
    }
    return (distances, normals)
  }

  @Test("fixes determine the rotation and scale of a path of steps for any heading of X", arguments: [0, 1, 2.5, -1.6])
  func turned(angle: Double) {
    let path = FixedPath.joined(
      Self.walk(to: 120, turned: angle, scale: 0.85), with: Self.fixes(to: 120, except: 60...90))
    let (distance, normal) = Self.errors(path)
    #expect(distance.max()! < 8, "\(distance.max()!)")
    #expect(normal.count { $0 < 2 } > normal.count * 8 / 10)
    #expect(path.allSatisfy { $0.positionSigma.x > 0 && $0.positionSigma.y > 0 && $0.positionSigma.isFinite })
  }

  @Test(
    "85 % of a path or more are within two sigmas if the errors of fixes persist", arguments: [0.0, 10, 60, 200],
    [true, false])
  func persistentErrors(_ time: Double, _ hasSteps: Bool) {
    let walk =
      hasSteps
      ? Self.walk(to: 120, turned: 1, scale: 0.9)
      : stride(from: 0.0, to: 120, by: 0.05).map { TrackEstimate(unknownAt: $0) }
    var (inside, count) = (0, 0)
    for seed in UInt64(1)...20 {
      let fixes = Self.fixes(to: 120, seed: seed, persistence: time, except: 60...75)
      let normal = Self.errors(FixedPath.joined(walk, with: fixes)).normal
      (inside, count) = (inside + normal.count { $0 < 2 }, count + normal.count)
    }
    #expect(Double(inside) >= 0.85 * Double(count), "\(inside) of \(count)")
  }

  @Test("fixes alone determine the path of a device without steps, causally and smoothed")
  func alone() {
    let nothing = stride(from: 0.0, to: 120, by: 0.05).map { TrackEstimate(unknownAt: $0) }
    let path = FixedPath.joined(nothing, with: Self.fixes(to: 120))
    #expect(Self.errors(path).distance.max()! < 8)
    var live = FixedPath()
    var fixes = Self.fixes(to: 120)[...]
    var passed: [TrackEstimate] = []
    for estimate in nothing {
      while let fix = fixes.first, fix.time <= estimate.time {
        live.update(fix)
        fixes.removeFirst()
      }
      let joined = live.update(estimate)
      if live.isKnown, estimate.time > 20 { passed.append(joined) }
    }
    let (distance, normal) = Self.errors(passed)
    #expect(passed.count > 1900 && distance.max()! < 15, "\(distance.max()!)")
    #expect(normal.count { $0 < 2 } > normal.count * 8 / 10)
  }

  @Test("a stationary path follows position fixes that move")
  func standing() {
    let still = Self.walk(to: 120, turned: 0, scale: 0)
    let (distance, _) = Self.errors(FixedPath.joined(still, with: Self.fixes(to: 120)))
    #expect(distance.max()! < 8, "\(distance.max()!)")
  }

  @Test("a path without fixes does not change")
  func none() {
    let walk = Self.walk(to: 5, turned: 0.4, scale: 1)
    var live = FixedPath()
    #expect(walk.map { live.update($0) } == walk && !live.isKnown)
  }
}
