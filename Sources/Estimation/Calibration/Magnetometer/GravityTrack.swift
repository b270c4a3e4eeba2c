internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors
internal import InertialSystem

/// The direction of gravity in the device's axes over a log, from the accelerometer and the gyroscope.
///
/// The direction is rotated by the rates and drawn towards the acceleration if its magnitude is near gravity's; a
/// forward and a backward pass together have no lag. The effects of both calibrations' errors are propagated with it.
struct GravityTrack {
  private var times: [Double] = []
  private var directions: [Vector3] = []
  /// The effect of each error on the direction, at the requested indices.
  private var changes: [Int: [Vector3]] = [:]

  /// The time constant of the correction, in seconds, and the scale of an acceleration's deviation from 1 g that
  /// reduces its weight.
  private static let timeConstant = 1.0
  private static let tolerance = 0.05

  /// - Parameters:
  ///   - accelerometer: The calibrated accelerations, in g.
  ///   - gyroscope: The calibrated rates, in rad/s; if empty, the acceleration's direction is used alone.
  ///   - errors: The errors of both calibrations.
  ///   - wanted: The times at which the effects of the errors are requested.
  init(accelerometer: SensorColumn, gyroscope: SensorColumn, errors: TrackErrors, at wanted: [Double]) {
    guard !gyroscope.isEmpty, !accelerometer.isEmpty else {
      times = accelerometer.times
      directions = accelerometer.values
      for position in wanted.compactMap(position) { changes[position] = errors.ofForce(directions[position]) }
      return
    }
    times = gyroscope.times
    let accelerations = times.map { Self.value(accelerometer, at: $0) }
    let places = Set(wanted.compactMap(position))
    let last = times.count - 1
    let forward = Self.track(times, gyroscope.values, accelerations, errors, places)
    let backward = Self.track(
      times.reversed().map { -$0 }, gyroscope.values.reversed().map { -$0 }, accelerations.reversed(),
      errors.backwards, Set(places.map { last - $0 }))
    directions = zip(forward.directions, backward.directions.reversed()).map { $0 + $1 }
    for position in places {
      guard let one = forward.changes[position], let other = backward.changes[last - position] else { continue }
      changes[position] = zip(one, other).map { 0.5 * ($0 + $1) }
    }
  }

  private func position(at time: Double) -> Int? {
    let position = SensorColumn(times: times, values: directions.isEmpty ? times.map { _ in .zero } : directions)
      .places(from: time, to: .infinity).lowerBound
    return position < times.count ? position : nil
  }

  /// Returns the effect of each error on the unit vector at a requested time.
  func changes(at time: Double) -> [Vector3]? { position(at: time).flatMap { changes[$0] } }

  /// Returns the unit vector at a time, or `nil` outside the log.
  func direction(at time: Double) -> Vector3? {
    guard let first = times.first, let last = times.last, time >= first, time <= last else { return nil }
    return Self.value(SensorColumn(times: times, values: directions), at: time).normalized
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
        for (position, forced) in errors.ofForce(acceleration).enumerated() {
          change[position] += gain * (forced - change[position])
        }
      }
      if places.contains(index) { changes[index] = change }
    }
    return (result, changes)
  }

  /// Returns the value at a time, interpolated linearly between the two adjacent values.
  static func value(_ series: SensorColumn, at time: Double) -> Vector3 {
    let position = series.places(from: time, to: .infinity).lowerBound
    if position == 0 { return series.values[0] }
    if position >= series.times.count { return series.values[series.values.count - 1] }
    let (before, after) = (series.times[position - 1], series.times[position])
    let fraction = after > before ? (time - before) / (after - before) : 1
    return series.values[position - 1] + fraction * (series.values[position] - series.values[position - 1])
  }
}

/// The remaining errors of the calibrations of accelerometer and gyroscope, as independent errors of deviation 1.
struct TrackErrors {
  private let force: GravityErrors
  private var forceModel: LinearModel
  private var forceInverse: Matrix3
  private var rate: CalibratedModel
  private var rateInverse: Matrix3
  /// −1 if time runs backwards: the bias is negated with the rates.
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

  /// Returns the errors with calibrations changed by given errors, in units of their deviations.
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

  /// Returns an acceleration calibrated by these models instead of the other's.
  func force(_ calibrated: Vector3, of other: TrackErrors) -> Vector3 {
    forceModel.calibrated(other.forceInverse * calibrated + other.forceModel.bias)
  }

  /// Returns a rate calibrated by these models instead of the other's.
  func rate(_ calibrated: Vector3, of other: TrackErrors) -> Vector3 {
    rate.model.calibrated(other.rateInverse * calibrated + other.rate.bias)
  }

  /// Returns the effects on the direction of an acceleration; the gyroscope's errors do not affect it.
  func ofForce(_ calibrated: Vector3) -> [Vector3] {
    force.changes(of: forceInverse * calibrated + forceModel.bias, forceModel)
      + [Vector3](repeating: .zero, count: Self.count - GravityErrors.count)
  }

  /// Rotates the effects of the errors, and adds those of the gyroscope's errors in an interval.
  func add(to change: inout [Vector3], turnedBy back: Matrix3, interval: Double, rate: Vector3, direction: Vector3) {
    for position in change.indices { change[position] = back * change[position] }
    let raw = rateInverse * rate
    for row in 0..<3 {
      // A rotation larger by d changes the direction by −d × direction.
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
