internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// The direction of gravity in the device over a log, from the accelerometer and, between, the gyroscope.
///
/// Turned by the rates and drawn to the acceleration where that is as long as gravity; once forwards and once backwards, so
/// that it lags behind nothing. What errors of both calibrations do to it is followed beside it.
struct GravityTrack {
  private var times: [Double] = []
  private var directions: [Vector3] = []
  /// What each error does to the direction, at the places that were asked for.
  private var changes: [Int: [Vector3]] = [:]

  /// Seconds after which an error has gone to 1/e, and by how much an acceleration may differ from 1 g to be trusted.
  private static let timeConstant = 1.0
  private static let tolerance = 0.05

  /// - Parameters:
  ///   - accelerometer: g, calibrated.
  ///   - gyroscope: rad/s, calibrated; empty: the acceleration's direction alone.
  ///   - errors: of both calibrations.
  ///   - wanted: the times at which what they do is asked for.
  init(accelerometer: VectorSeries, gyroscope: VectorSeries, errors: TrackErrors, at wanted: [Double]) {
    guard !gyroscope.isEmpty, !accelerometer.isEmpty else {
      times = accelerometer.times
      directions = accelerometer.values
      for place in wanted.compactMap(place) { changes[place] = errors.ofForce(directions[place]) }
      return
    }
    times = gyroscope.times
    let accelerations = times.map { Self.value(accelerometer, at: $0) }
    let places = Set(wanted.compactMap(place))
    let last = times.count - 1
    let forward = Self.track(times, gyroscope.values, accelerations, errors, places)
    let backward = Self.track(
      times.reversed().map { -$0 }, gyroscope.values.reversed().map { -$0 }, accelerations.reversed(),
      errors.backwards, Set(places.map { last - $0 }))
    directions = zip(forward.directions, backward.directions.reversed()).map { $0 + $1 }
    for place in places {
      guard let one = forward.changes[place], let other = backward.changes[last - place] else { continue }
      changes[place] = zip(one, other).map { 0.5 * ($0 + $1) }
    }
  }

  private func place(at time: Double) -> Int? {
    let place = VectorSeries(times: times, values: directions.isEmpty ? times.map { _ in .zero } : directions)
      .places(from: time, to: .infinity).lowerBound
    return place < times.count ? place : nil
  }

  /// What each error does to the unit vector at a time that was asked for.
  func changes(at time: Double) -> [Vector3]? { place(at: time).flatMap { changes[$0] } }

  /// The unit vector at a time within the log; nil outside of it.
  func direction(at time: Double) -> Vector3? {
    guard let first = times.first, let last = times.last, time >= first, time <= last else { return nil }
    return Self.value(VectorSeries(times: times, values: directions), at: time).normalized
  }

  private static func track(
    _ times: [Double], _ rates: [Vector3], _ accelerations: [Vector3], _ errors: TrackErrors, _ places: Set<Int>
  ) -> (directions: [Vector3], changes: [Int: [Vector3]]) {
    var direction = accelerations[0].normalized ?? .unitZ
    var result = [direction]
    var change = errors.ofForce(accelerations[0])
    var changes = places.contains(0) ? [0: change] : [:]
    for index in 1..<max(1, times.count) {
      let interval = times[index] - times[index - 1]
      let rate = 0.5 * (rates[index] + rates[index - 1])
      let turn = Quaternion(rotationVector: interval * rate)
      direction = turn.rotateInverse(direction)
      let acceleration = accelerations[index]
      let excess = (acceleration.norm - 1) / tolerance
      var gain = 0.0
      if let measured = acceleration.normalized {
        gain = min(1, interval / timeConstant) * exp(-excess * excess)
        direction = (direction + gain * (measured - direction)).normalized ?? direction
      }
      result.append(direction)
      guard !places.isEmpty else { continue }
      let back = turn.matrix.transpose
      errors.add(to: &change, turnedBy: back, interval: interval, rate: rate, direction: direction)
      if gain > 0 {
        for (place, forced) in errors.ofForce(acceleration).enumerated() {
          change[place] += gain * (forced - change[place])
        }
      }
      if places.contains(index) { changes[index] = change }
    }
    return (result, changes)
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

/// What the calibrations of accelerometer and gyroscope leave, as independent errors of deviation 1.
struct TrackErrors {
  private let force: GravityErrors
  private var forceModel: LinearModel
  private var forceInverse: Matrix3
  private var rate: CalibratedModel
  private var rateInverse: Matrix3
  /// −1 where time runs backwards: the bias is turned over with the rates.
  private var sign = 1.0

  static let count = GravityErrors.count + 12

  init(_ force: GravityErrors, of forceModel: LinearModel, _ rate: CalibratedModel) {
    (self.force, self.forceModel, self.rate) = (force, forceModel, rate)
    forceInverse = forceModel.matrix.inverse ?? .identity
    rateInverse = rate.matrix.inverse ?? .identity
  }

  var backwards: TrackErrors {
    var backwards = self
    backwards.sign = -1
    return backwards
  }

  /// With the calibrations as they are with errors of some deviations.
  func moved(by errors: [Double]) -> TrackErrors {
    var moved = self
    moved.forceModel = force.moved(forceModel, by: errors)
    for index in 0..<9 {
      moved.rate.model.matrix[index / 3, index % 3] +=
        errors[GravityErrors.count + index] * rate.matrixSigma[index / 3, index % 3]
    }
    for axis in 0..<3 { moved.rate.model.bias[axis] += errors[GravityErrors.count + 9 + axis] * rate.biasSigma[axis] }
    moved.forceInverse = moved.forceModel.matrix.inverse ?? .identity
    moved.rateInverse = moved.rate.matrix.inverse ?? .identity
    return moved
  }

  /// What others made an acceleration of, as these do.
  func force(_ calibrated: Vector3, of other: TrackErrors) -> Vector3 {
    forceModel.calibrated(other.forceInverse * calibrated + other.forceModel.bias)
  }

  /// What others made a rate of, as these do.
  func rate(_ calibrated: Vector3, of other: TrackErrors) -> Vector3 {
    rate.model.calibrated(other.rateInverse * calibrated + other.rate.bias)
  }

  /// Of the direction of an acceleration; those of the gyroscope do nothing to it.
  func ofForce(_ calibrated: Vector3) -> [Vector3] {
    force.changes(of: forceInverse * calibrated + forceModel.bias, forceModel)
      + [Vector3](repeating: .zero, count: Self.count - GravityErrors.count)
  }

  /// Turns what the errors have done, and adds what those of the gyroscope do in an interval.
  func add(to change: inout [Vector3], turnedBy back: Matrix3, interval: Double, rate: Vector3, direction: Vector3) {
    for place in change.indices { change[place] = back * change[place] }
    let raw = rateInverse * rate
    for row in 0..<3 {
      // A turn that is larger by d takes d × direction off.
      let across = (-interval * [Vector3.unitX, .unitY, .unitZ][row]).cross(direction)
      for column in 0..<3 {
        change[GravityErrors.count + 3 * row + column] += (self.rate.matrixSigma[row, column] * raw[column]) * across
      }
    }
    for axis in 0..<3 {
      let turn = (sign * interval * self.rate.biasSigma[axis]) * self.rate.matrix.column(axis)
      change[GravityErrors.count + 9 + axis] += turn.cross(direction)
    }
  }
}
