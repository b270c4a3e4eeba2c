internal import LinearAlgebra
internal import Rotations
internal import SystemLibrary

/// The direction of gravity in the device over a log, from the accelerometer and, between, the gyroscope.
///
/// Turned by the rates and drawn to the acceleration where that is as long as gravity; once forwards and once backwards, so
/// that it lags behind nothing.
struct GravityTrack {
  private var times: [Double] = []
  private var directions: [Vector3] = []

  /// Seconds after which an error has gone to 1/e, and by how much an acceleration may differ from 1 g to be trusted.
  private static let timeConstant = 1.0
  private static let tolerance = 0.05

  /// - Parameters:
  ///   - accelerometer: g, calibrated.
  ///   - gyroscope: rad/s, calibrated; empty: the acceleration's direction alone.
  init(accelerometer: VectorSeries, gyroscope: VectorSeries) {
    guard !gyroscope.isEmpty, !accelerometer.isEmpty else {
      times = accelerometer.times
      directions = accelerometer.values
      return
    }
    times = gyroscope.times
    let accelerations = times.map { Self.value(accelerometer, at: $0) }
    let forward = Self.track(times, gyroscope.values, accelerations)
    let backward = Self.track(
      times.reversed().map { -$0 }, gyroscope.values.reversed().map { -$0 }, accelerations.reversed())
    directions = zip(forward, backward.reversed()).map { $0 + $1 }
  }

  /// The unit vector at a time within the log; nil outside of it.
  func direction(at time: Double) -> Vector3? {
    guard let first = times.first, let last = times.last, time >= first, time <= last else { return nil }
    return Self.value(VectorSeries(times: times, values: directions), at: time).normalized
  }

  private static func track(_ times: [Double], _ rates: [Vector3], _ accelerations: [Vector3]) -> [Vector3] {
    var direction = accelerations[0].normalized ?? .unitZ
    var result = [direction]
    for index in 1..<max(1, times.count) {
      let interval = times[index] - times[index - 1]
      let turn = 0.5 * interval * (rates[index] + rates[index - 1])
      direction = Quaternion(rotationVector: turn).rotateInverse(direction)
      let acceleration = accelerations[index]
      let excess = (acceleration.norm - 1) / tolerance
      if let measured = acceleration.normalized {
        let gain = min(1, interval / timeConstant) * exp(-excess * excess)
        direction = (direction + gain * (measured - direction)).normalized ?? direction
      }
      result.append(direction)
    }
    return result
  }

  /// On the line between the two neighbours.
  static func value(_ series: VectorSeries, at time: Double) -> Vector3 {
    let place = series.places(from: time, to: .infinity).lowerBound
    if place == 0 { return series.values[0] }
    if place >= series.times.count { return series.values[series.values.count - 1] }
    let (before, after) = (series.times[place - 1], series.times[place])
    let share = after > before ? (time - before) / (after - before) : 1
    return series.values[place - 1] + share * (series.values[place] - series.values[place - 1])
  }
}
