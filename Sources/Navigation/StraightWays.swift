internal import LinearAlgebra
internal import SystemLibrary

/// Corrects a drifting direction by the ways of buildings and towns, which mostly are straight and meet at right angles.
///
/// Borenstein and Ojeda, "Heuristic drift elimination for personnel tracking systems", J. Navigation 63 (2010), with a
/// decision on top: the angle between the ways and the grid is followed from way to way with its drift, and the hypothesis
/// is used only where the ways are 20 times as likely by it as by chance. Where people walk as they like, nothing is changed.
enum StraightWays {
  /// What the direction is off by at a step, rad, and how well that is known.
  struct Correction: Sendable, Equatable {
    var angle: Double
    var sigma: Double
  }

  /// Fewest steps of a way, and how far a step of it is off its middle, rad.
  private static let fewestSteps = 8
  private static let width = 0.2
  /// Steps that the middle is of.
  private static let recent = 40
  private static let grid = Double.pi / 2
  /// Noise of a way's direction, rad; drift at the start, rad/s; its random walk, rad/s/√s; random walk of the angle, rad/√s.
  private static let wayNoise = 0.07
  private static let drift = 0.005
  private static let driftNoise = 3.5e-4
  private static let angleNoise = 0.005
  /// Logarithm of how much likelier the ways must be by the grid than by chance: 20.
  private static let evidence = 3.0
  /// How many ways are no part of the grid.
  private static let stray = 0.1

  private struct Way {
    var time: Double
    var direction: Double
  }

  /// For each step; nil where the ways show no grid.
  static func corrections(of steps: [StepTracker.Step]) -> [Correction]? {
    let ways = ways(of: steps)
    guard ways.count >= 3 else { return nil }
    // The state is the angle of the grid to the ways, and its drift.
    var x = (angle: ways[0].direction, rate: 0.0)
    var p = (aa: wayNoise * wayNoise, ar: 0.0, rr: drift * drift)
    var filtered = [(x, p)]
    var predicted = [(x, p)]
    var evidence = 0.0
    for (before, way) in zip(ways, ways.dropFirst()) {
      let dt = way.time - before.time
      let walk = driftNoise * driftNoise
      x.angle += x.rate * dt
      p = (
        aa: p.aa + 2 * dt * p.ar + dt * dt * p.rr + angleNoise * angleNoise * dt + walk * dt * dt * dt / 3,
        ar: p.ar + dt * p.rr + walk * dt * dt / 2, rr: p.rr + walk * dt
      )
      predicted.append((x, p))
      let residual = (way.direction - x.angle).remainder(dividingBy: grid)
      let s = p.aa + wayNoise * wayNoise
      let likelihood = exp(-residual * residual / (2 * s)) / (2 * Double.pi * s).squareRoot()
      evidence += log((1 - stray) * likelihood * grid + stray)
      if residual * residual < 9 * s {
        let gain = (angle: p.aa / s, rate: p.ar / s)
        x = (x.angle + gain.angle * residual, x.rate + gain.rate * residual)
        p = (p.aa - gain.angle * p.aa, p.ar - gain.angle * p.ar, p.rr - gain.rate * p.ar)
      }
      filtered.append((x, p))
    }
    guard evidence > self.evidence else { return nil }
    return spread(smoothed(filtered, predicted, ways), from: ways, to: steps)
  }

  /// Straight ways, each of steps in about one direction.
  private static func ways(of steps: [StepTracker.Step]) -> [Way] {
    var ways: [Way] = []
    var first = 0
    while first < steps.count {
      var directions = [steps[first].direction]
      var next = first + 1
      while next < steps.count {
        let latest = (directions.suffix(recent) + [steps[next].direction]).sorted()
        let middle = latest[latest.count / 2]
        guard abs(steps[next].direction - middle) < width else { break }
        directions.append(steps[next].direction)
        next += 1
      }
      if directions.count >= fewestSteps {
        ways.append(
          Way(
            time: (steps[first].time + steps[next - 1].time) / 2,
            direction: directions.sorted()[directions.count / 2]))
      }
      first = next
    }
    return ways
  }

  private typealias State = ((angle: Double, rate: Double), (aa: Double, ar: Double, rr: Double))

  /// Rauch, Tung and Striebel's backward pass over two states.
  private static func smoothed(_ filtered: [State], _ predicted: [State], _ ways: [Way]) -> [Correction] {
    var x = filtered[filtered.count - 1].0
    var p = filtered[filtered.count - 1].1
    var result = [Correction(angle: x.angle, sigma: max(0, p.aa).squareRoot())]
    for index in (0..<filtered.count - 1).reversed() {
      let (own, later) = (filtered[index], predicted[index + 1])
      let dt = ways[index + 1].time - ways[index].time
      // C = P Fᵀ P'⁻¹.
      let f = Matrix3(
        rows: Vector3(own.1.aa + dt * own.1.ar, own.1.ar, 0), Vector3(own.1.ar + dt * own.1.rr, own.1.rr, 0), .unitZ)
      let ahead = Matrix3(rows: Vector3(later.1.aa, later.1.ar, 0), Vector3(later.1.ar, later.1.rr, 0), .unitZ)
      guard let inverse = ahead.inverse else { continue }
      let c = f * inverse
      let change = c * Vector3(x.angle - later.0.angle, x.rate - later.0.rate, 0)
      let less = Matrix3(
        rows: Vector3(p.aa - later.1.aa, p.ar - later.1.ar, 0), Vector3(p.ar - later.1.ar, p.rr - later.1.rr, 0), .zero)
      let spread = c * less * c.transpose
      x = (own.0.angle + change.x, own.0.rate + change.y)
      p = (own.1.aa + spread.m11, own.1.ar + spread.m12, own.1.rr + spread.m22)
      result.append(Correction(angle: x.angle, sigma: max(0, p.aa).squareRoot()))
    }
    return result.reversed()
  }

  /// By time between the ways; the first way's direction is what the path begins with.
  private static func spread(
    _ corrections: [Correction], from ways: [Way], to steps: [StepTracker.Step]
  ) -> [Correction] {
    let origin = corrections[0].angle
    var index = 0
    return steps.map { step in
      while index + 1 < ways.count, ways[index + 1].time < step.time { index += 1 }
      let (a, b) = (corrections[index], corrections[min(index + 1, ways.count - 1)])
      let span = ways[min(index + 1, ways.count - 1)].time - ways[index].time
      let share = span > 0 ? min(max((step.time - ways[index].time) / span, 0), 1) : 0
      return Correction(
        angle: a.angle + share * (b.angle - a.angle) - origin, sigma: a.sigma + share * (b.sigma - a.sigma))
    }
  }
}
