internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// A filter's records for the backward pass, in addition to those of its covariance (`ErrorTrace`).
struct SmoothingTrace: Sendable {
  /// One attitude of the filter.
  struct Sample: Sendable {
    var time: Double
    /// The attitude in the filter's own earth frame at that time.
    var northFromDevice: Quaternion
    /// The norm of the rotation rate, in rad/s.
    var spin: Double
    var flags: AttitudeFlags
    /// The number of rotations of the earth frame before the sample.
    var turns: Int
  }

  /// An event with the filter's state after it.
  struct Link: Sendable {
    enum Kind: Sendable {
      /// The end of a start-up, or a recovery of the tilt.
      case started
      /// The end of an epoch, with its duration, the rotation of the attitude by its measurements, and whether a field
      /// was known.
      case epoch(duration: Double, turn: Vector3, hasField: Bool)
      /// A rotation of the earth frame about the vertical to a field that was first used late or that shows another
      /// heading.
      case alignedToField(Matrix3, isRelearned: Bool)
      /// A reset of tilt and velocity, and possibly of the heading.
      case startedOver(keepsHeading: Bool)
    }

    var kind: Kind
    /// The time of the last gyroscope sample; minus infinity before the first.
    var time: Double
    /// The numbers of samples and of rotations of the earth frame.
    var samples: Int
    var turns: Int
    /// The number of epochs of the covariance's trace.
    var epochs: Int
    var gyroscopeBias: Vector3
    /// `MotionPriorKalman.persistentFraction`.
    var persistentFraction: Double
  }

  /// The filter's measurement outcomes, with the timestamp of the gyroscope sample that they were reported with.
  struct Measured: Sendable {
    var time: Double
    var outcomes: [MeasurementOutcome]
  }

  /// The measurement outcomes, or `nil` if they were not requested.
  var measured: [Measured]?
  var samples: [Sample] = []
  var links: [Link] = []
  /// The cumulative rotations of the earth frame since the filter began or restarted.
  var turns: [Quaternion] = [.identity]

  /// Replaces the attitudes of the samples after a time, which followed a glitch.
  mutating func replaceSamples(after time: Double, by northFromDevice: Quaternion) {
    for index in samples.indices.reversed() {
      guard samples[index].time > time + 1e-9 else { return }
      samples[index].northFromDevice = northFromDevice
    }
  }

  mutating func turnFrame(by rotation: Quaternion) {
    let all = rotation * turns[turns.count - 1]
    turns.append(all.normalized ?? all)
  }

  /// Removes links and samples from the front.
  ///
  /// - Returns: The number of epochs of the covariance's trace that are no longer needed.
  mutating func removeFirst(links linkCount: Int, samples sampleCount: Int) -> Int {
    let epochCount = linkCount > 0 ? links[linkCount - 1].epochs : 0
    links.removeFirst(linkCount)
    if let last = samples.prefix(sampleCount).last?.time { measured?.removeAll { $0.time <= last } }
    samples.removeFirst(sampleCount)
    // Earlier rotations are no longer needed, except for the one that the rest begins with.
    let turnCount = min(samples.first?.turns ?? turns.count, turns.count) - 1
    turns.removeFirst(turnCount)
    for index in samples.indices { samples[index].turns -= turnCount }
    for index in links.indices {
      links[index].samples -= sampleCount
      links[index].turns = max(1, links[index].turns - turnCount)
      links[index].epochs -= epochCount
    }
    return epochCount
  }
}
