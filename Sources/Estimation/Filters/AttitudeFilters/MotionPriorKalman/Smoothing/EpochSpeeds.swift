internal import InertialNumerics
internal import InertialSystem

/// The intensity of motion around each epoch, found by one pass over the samples for the next pass.
struct EpochSpeeds: Sendable {
  /// The mean squares of the velocity around an epoch, in (m/s)², horizontal per axis.
  struct Speed: Sendable {
    var time: Double
    var horizontal: Double
    var vertical: Double
  }

  private var speeds: [Speed] = []
  private var position = 0

  /// Appends later epochs in chronological order.
  mutating func add(_ more: [Speed]) {
    speeds.removeFirst(position)
    position = 0
    speeds += more
  }

  /// Returns the mean squares at the first epoch that does not end before a time; times must not decrease.
  mutating func speed(at time: Double) -> Speed? {
    while position + 1 < speeds.count, speeds[position].time < time { position += 1 }
    return position < speeds.count ? speeds[position] : nil
  }
}

/// The mean square velocity around each epoch, with weights that decay exponentially in both directions.
struct SpeedLevels: Sendable {
  private let memory: Double
  /// The sums over all previous epochs.
  private var past = Sums()

  private struct Sums: Sendable {
    var horizontal = 0.0
    var vertical = 0.0
    var weight = 0.0

    mutating func fade(_ factor: Double) {
      horizontal *= factor
      vertical *= factor
      weight *= factor
    }

    mutating func add(_ velocity: Vector3) {
      horizontal += 0.5 * (velocity.x * velocity.x + velocity.y * velocity.y)
      vertical += velocity.z * velocity.z
      weight += 1
    }
  }

  init(memory: Double) { self.memory = memory }

  struct Epoch {
    var time: Double
    var duration: Double
    var velocity: Vector3
  }

  /// Returns the levels of the first epochs. The later epochs contribute to them, and are passed again in the next
  /// call.
  mutating func levels(of epochs: [Epoch], first count: Int) -> [EpochSpeeds.Speed] {
    var following = Sums()
    var after = [Sums](repeating: Sums(), count: epochs.count)
    for index in epochs.indices.reversed() {
      after[index] = following
      following.add(epochs[index].velocity)
      following.fade(factor(epochs[index].duration))
    }
    var result: [EpochSpeeds.Speed] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let epoch = epochs[index]
      past.fade(factor(epoch.duration))
      past.add(epoch.velocity)
      let weight = past.weight + after[index].weight
      result.append(
        EpochSpeeds.Speed(
          time: epoch.time, horizontal: (past.horizontal + after[index].horizontal) / weight,
          vertical: (past.vertical + after[index].vertical) / weight))
    }
    return result
  }

  private func factor(_ duration: Double) -> Double { exp(-duration / memory) }
}
