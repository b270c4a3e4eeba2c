internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// A filter's records for the backward pass: its attitudes, and for every epoch the propagation of the errors and the
/// measurements.
struct SmoothingTrace: Sendable {
  /// One attitude of the filter.
  struct Sample: Sendable {
    var time: Double
    /// The attitude in the filter's own earth frame at that time.
    var northFromDevice: Quaternion
    var flags: AttitudeFlags
    /// The number of rotations of the earth frame before the sample.
    var turns: Int
  }

  /// The numbers of samples and rotations of the earth frame before a position.
  struct Place: Sendable {
    var samples: Int
    var turns: Int
  }

  /// The end of a start-up.
  struct Snapshot: Sendable {
    /// The time of the last gyroscope sample; minus infinity before the first.
    var time: Double
    var gyroscopeBias: Vector3
    /// `rowCount` rows of `ErrorIndex.count`.
    var covarianceRows: [Float]
  }

  struct Epoch: Sendable {
    var time: Double
    var duration: Double
    var place: Place
    var transition: ErrorTransition
    /// The indices of its measurements, in order.
    var updates: Range<Int>
    /// The rotation of the attitude by its measurements.
    var turn: Vector3
    var gyroscopeBias: Vector3
    var velocity: Vector3
    /// `MotionPriorKalman.persistentFraction`.
    var persistentFraction: Double
  }

  enum Link: Sendable {
    /// The end of a start-up.
    case started(Snapshot, Place)
    case epoch(Epoch)
    /// A rotation of the earth frame about the vertical to a field that was first used late or that replaces another.
    case metField(Quaternion, isAnew: Bool)
    /// A reset of tilt and velocity.
    case startedOver(Place)
  }

  /// A measurement of one scalar and its effect.
  struct Update: Sendable {
    var errors: MeasuredErrors
    /// The innovation divided by its variance, and the reciprocal of its variance.
    var weightedInnovation: Double
    var information: Double
    /// The errors held back from the measurement.
    var held: ErrorCorrection.PartialUpdate?
  }

  /// Rows of the covariance that an epoch keeps: attitude, gyroscope bias, velocity.
  static let rowCount = 9

  /// The filter's measurement outcomes, with the timestamp of the gyroscope sample that they were reported with.
  struct Measured: Sendable {
    var time: Double
    var outcomes: [MeasurementOutcome]
  }

  let keepsSamples: Bool
  /// The measurement outcomes, or `nil` if they were not requested.
  var measured: [Measured]?
  var samples: [Sample] = []
  var links: [Link] = []
  var updates: [Update] = []
  /// The gains, `ErrorIndex.count` for each update. Single precision is a hundred thousandth of a measurement's effect.
  var gains: [Float] = []
  /// `rowCount` rows of `ErrorIndex.count` for each epoch.
  var covarianceRows: [Float] = []
  /// The cumulative rotations of the earth frame since the filter began or restarted.
  var turns: [Quaternion] = [.identity]
  /// The intervals in which fields showed a north that was later found to be wrong, in s.
  private(set) var disowned: [ClosedRange<Double>] = []
  private var openUpdates = 0

  init(keepsSamples: Bool) { self.keepsSamples = keepsSamples }

  // MARK: Records of the filter

  mutating func addSample(at time: Double, _ northFromDevice: Quaternion, _ flags: AttitudeFlags) {
    guard keepsSamples else { return }
    samples.append(Sample(time: time, northFromDevice: northFromDevice, flags: flags, turns: turns.count))
  }

  /// Replaces the attitudes of the samples after a time, which followed a glitch.
  mutating func replaceSamples(after time: Double, by northFromDevice: Quaternion) {
    for index in samples.indices.reversed() {
      guard samples[index].time > time + 1e-9 else { return }
      samples[index].northFromDevice = northFromDevice
    }
  }

  mutating func addStart(_ snapshot: Snapshot) { links.append(.started(snapshot, place)) }

  mutating func addField(turn: Quaternion, isAnew: Bool) { links.append(.metField(turn, isAnew: isAnew)) }

  /// Records another accepted north: earlier fields showed a wrong one, unless they show this one again.
  mutating func disown(_ change: NorthReferenceVote.Change) {
    if change.isBack, !disowned.isEmpty { disowned.removeLast() }
    disowned.append(change.disowned)
  }

  mutating func add(_ update: Update, gain: ErrorVector) {
    updates.append(update)
    for index in 0..<ErrorIndex.count { gains.append(Float(gain[index])) }
  }

  mutating func close(
    _ transition: ErrorTransition, at time: Double, duration: Double, turn: Vector3, gyroscopeBias: Vector3,
    velocity: Vector3, persistentFraction: Double, _ covariance: ErrorCovariance
  ) {
    links.append(
      .epoch(
        Epoch(
          time: time, duration: duration, place: place, transition: transition,
          updates: openUpdates..<updates.count, turn: turn, gyroscopeBias: gyroscopeBias, velocity: velocity,
          persistentFraction: persistentFraction)))
    openUpdates = updates.count
    Self.appendRows(of: covariance, to: &covarianceRows)
  }

  static func appendRows(of covariance: ErrorCovariance, to rows: inout [Float]) {
    for row in 0..<rowCount {
      for column in 0..<ErrorIndex.count { rows.append(Float(covariance[row, column])) }
    }
  }

  mutating func turnFrame(by rotation: Quaternion) {
    let all = rotation * turns[turns.count - 1]
    turns.append(all.normalized ?? all)
  }

  mutating func startOver() {
    links.append(.startedOver(place))
    turns.append(.identity)
  }

  /// The present position.
  var place: Place { Place(samples: samples.count, turns: turns.count) }

  // MARK: Forgetting

  /// Removes links with their data, and samples, from the front.
  mutating func removeFirst(links linkCount: Int, samples sampleCount: Int) {
    var epochCount = 0
    var updateCount = 0
    for link in links.prefix(linkCount) {
      guard case .epoch(let epoch) = link else { continue }
      epochCount += 1
      updateCount = epoch.updates.upperBound
    }
    links.removeFirst(linkCount)
    if let last = samples.prefix(sampleCount).last?.time { measured?.removeAll { $0.time <= last } }
    samples.removeFirst(sampleCount)
    updates.removeFirst(updateCount)
    gains.removeFirst(updateCount * ErrorIndex.count)
    covarianceRows.removeFirst(epochCount * Self.rowCount * ErrorIndex.count)
    openUpdates -= updateCount
    // Earlier rotations are no longer needed, except for the one that the rest begins with.
    let turnCount = min(samples.first?.turns ?? turns.count, turns.count) - 1
    turns.removeFirst(turnCount)
    for index in samples.indices { samples[index].turns -= turnCount }
    func moved(_ place: Place) -> Place {
      Place(samples: place.samples - sampleCount, turns: max(1, place.turns - turnCount))
    }
    for index in links.indices {
      switch links[index] {
      case .epoch(var epoch):
        epoch.place = moved(epoch.place)
        epoch.updates = epoch.updates.lowerBound - updateCount..<epoch.updates.upperBound - updateCount
        links[index] = .epoch(epoch)
      case .started(let snapshot, let place): links[index] = .started(snapshot, moved(place))
      case .metField: break
      case .startedOver(let place): links[index] = .startedOver(moved(place))
      }
    }
  }
}

/// The errors observed by a scalar measurement, with its derivative by each.
enum MeasuredErrors: Sendable {
  case single(Int)
  case field(FieldObservation)
}
