import Foundation
import LinearAlgebra
import Rotations
import Signals

@testable import Navigation

/// A foot that walks a polygon, in closed form: it stands, and between stances moves by a polynomial of time, turned up and
/// down by its heel.
struct SimulatedStrides {
  /// Where each stride ends, m.
  var places: [Vector3]
  /// s of a swing and of a stance.
  var swing = 0.5
  var stance = 0.4
  var rest = 2.0
  /// How far the foot is pitched in a swing, rad, and lifted, m.
  var pitch = 0.7
  var lift = 0.1
  var mounting = Quaternion(angle: 0.6, axis: Vector3(0.2, 1, 0.3).normalized!)

  /// Strides of 1.3 m along the sides of a square and back to the start.
  static func square(side: Int, height: Double = 0) -> SimulatedStrides {
    var places: [Vector3] = [.zero]
    for direction in [Vector3.unitX, .unitY, -.unitX, -.unitY] {
      for _ in 0..<side {
        var next = places[places.count - 1] + 1.3 * direction
        next.z += direction.x + direction.y > 0 ? height : -height
        places.append(next)
      }
    }
    return SimulatedStrides(places: places)
  }

  var duration: Double { rest * 2 + Double(places.count - 1) * (swing + stance) }

  /// Shares of a swing: 0 to 1 with no speed, acceleration or jerk at either end.
  private func share(_ x: Double) -> Double { x * x * x * x * (35 + x * (-84 + x * (70 - 20 * x))) }

  func position(_ time: Double) -> Vector3 {
    let (index, x) = phase(time)
    guard index >= 0, index + 1 < places.count else { return index < 0 ? places[0] : places[places.count - 1] }
    let s = share(x)
    var p = places[index] + s * (places[index + 1] - places[index])
    p.z += lift * 256 * s * s * (1 - s) * (1 - s) / 16
    return p
  }

  func attitude(_ time: Double) -> Quaternion {
    let (index, x) = phase(time)
    var (heading, tilt) = (0.0, 0.0)
    if index + 1 < places.count {
      func course(_ i: Int) -> Double {
        let way = places[i + 1] - places[i]
        return atan2(way.y, way.x)
      }
      let own = course(max(0, index))
      let before = index > 0 ? course(index - 1) : own
      heading = before + share(x) * (own - before).remainder(dividingBy: 2 * .pi)
      let s = share(x)
      tilt = pitch * 16 * s * s * (1 - s) * (1 - s)
    } else {
      let way = places[places.count - 1] - places[places.count - 2]
      heading = atan2(way.y, way.x)
    }
    return Quaternion(angle: heading, axis: .unitZ) * Quaternion(angle: tilt, axis: .unitY) * mounting
  }

  private func phase(_ time: Double) -> (index: Int, share: Double) {
    let t = time - rest
    guard t >= 0 else { return (-1, 0) }
    let index = Int(t / (swing + stance))
    return (index, min(1, (t - Double(index) * (swing + stance)) / swing))
  }

  /// What sensors on the foot measure.
  func samples(
    rate: Double = 200, seed: UInt64? = nil, gyroscopeBias: Vector3 = .zero, accelerometerBias: Vector3 = .zero
  ) -> [TrackSample] {
    var generator = SeededGenerator(seed: seed ?? 1)
    let dt = 1 / rate
    return (0..<Int(duration * rate)).map { index in
      let time = Double(index) * dt
      let h = 1e-4
      let acceleration = (position(time + h) - 2 * position(time) + position(time - h)) / (h * h)
      let q = attitude(time)
      let turn = (attitude(time - h).conjugate * attitude(time + h)).rotationVector / (2 * h)
      var force = q.rotateInverse(acceleration + Vector3(0, 0, InertialNavigator.gravity)) + accelerometerBias
      var rate = turn + gyroscopeBias
      if seed != nil {
        func noise(_ sigma: Double) -> Vector3 {
          sigma * Vector3(generator.normal(), generator.normal(), generator.normal())
        }
        force += noise(0.03)
        rate += noise(0.003)
      }
      return TrackSample(time: time, rate: rate, force: force, up: q.rotateInverse(.unitZ), heading: heading(q))
    }
  }

  private func heading(_ q: Quaternion) -> Double {
    let ahead = q.rotate(TrackSample.levelAxis(up: q.rotateInverse(.unitZ)))
    return atan2(ahead.y, ahead.x)
  }
}
