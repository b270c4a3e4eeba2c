internal import InertialNumerics
internal import InertialRotations
internal import InertialSensors

/// What a filter leaves behind for the pass backward: its attitudes, and of every epoch how errors went on and what
/// was measured.
struct SmoothingTrace: Sendable {
  /// One attitude of the filter.
  struct Sample: Sendable {
    var time: Double
    /// In the filter's own earth frame as it was then.
    var northFromDevice: Quaternion
    var flags: AttitudeFlags
    /// How many turns of the earth frame came before it.
    var turns: Int
  }

  /// How many samples and turns of the earth frame came before something.
  struct Place: Sendable {
    var samples: Int
    var turns: Int
  }

  /// The end of a start-up.
  struct Snapshot: Sendable {
    /// Of the last gyroscope sample; minus infinity before the first.
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
    /// Where its measurements are, in order.
    var updates: Range<Int>
    /// What its measurements turned the attitude by.
    var turn: Vector3
    var gyroscopeBias: Vector3
    var velocity: Vector3
    /// `MotionPriorKalman.lastingShare`.
    var lastingShare: Double
  }

  enum Link: Sendable {
    /// The start-up is over.
    case started(Snapshot, Place)
    case epoch(Epoch)
    /// The earth frame was turned about the vertical to a field that was met late, or in place of another one.
    case metField(Quaternion, isAnew: Bool)
    /// Tilt and velocity were forgotten.
    case startedOver(Place)
  }

  /// A measurement of one scalar and what it did.
  struct Update: Sendable {
    var errors: MeasuredErrors
    /// Innovation over its variance, and one over its variance.
    var weightedInnovation: Double
    var information: Double
    /// What it was kept from correcting.
    var held: ErrorCorrection.HeldErrors?
  }

  /// Rows of the covariance that an epoch keeps: attitude, gyroscope bias, velocity.
  static let rowCount = 9

  /// What the filter made of measurements, and the stamp of the gyroscope sample that it told it with.
  struct Measured: Sendable {
    var time: Double
    var outcomes: [MeasurementOutcome]
  }

  let keepsSamples: Bool
  /// nil where nobody asked.
  var measured: [Measured]?
  var samples: [Sample] = []
  var links: [Link] = []
  var updates: [Update] = []
  /// `ErrorIndex.count` for each update. Single precision is a hundred thousandth of what a measurement changes.
  var gains: [Float] = []
  /// `rowCount` rows of `ErrorIndex.count` for each epoch.
  var covarianceRows: [Float] = []
  /// The turns of the earth frame since the filter began or started over, each after all before it.
  var turns: [Quaternion] = [.identity]
  /// When fields showed a north that was found to be wrong later, s.
  private(set) var disowned: [ClosedRange<Double>] = []
  private var openUpdates = 0

  init(keepsSamples: Bool) { self.keepsSamples = keepsSamples }

  // MARK: What the filter tells

  mutating func addSample(at time: Double, _ northFromDevice: Quaternion, _ flags: AttitudeFlags) {
    guard keepsSamples else { return }
    samples.append(Sample(time: time, northFromDevice: northFromDevice, flags: flags, turns: turns.count))
  }

  /// Gives the samples after a time another attitude: they were followed by mistake.
  mutating func replaceSamples(after time: Double, by northFromDevice: Quaternion) {
    for index in samples.indices.reversed() {
      guard samples[index].time > time + 1e-9 else { return }
      samples[index].northFromDevice = northFromDevice
    }
  }

  mutating func addStart(_ snapshot: Snapshot) { links.append(.started(snapshot, place)) }

  mutating func addField(turn: Quaternion, isAnew: Bool) { links.append(.metField(turn, isAnew: isAnew)) }

  /// Another north is believed: earlier fields showed a wrong one, unless they show this one again.
  mutating func disown(_ change: NorthEvidence.Change) {
    if change.isBack, !disowned.isEmpty { disowned.removeLast() }
    disowned.append(change.disowned)
  }

  mutating func add(_ update: Update, gain: ErrorVector) {
    updates.append(update)
    for index in 0..<ErrorIndex.count { gains.append(Float(gain[index])) }
  }

  mutating func close(
    _ transition: ErrorTransition, at time: Double, duration: Double, turn: Vector3, gyroscopeBias: Vector3,
    velocity: Vector3, lastingShare: Double, _ covariance: ErrorCovariance
  ) {
    links.append(
      .epoch(
        Epoch(
          time: time, duration: duration, place: place, transition: transition,
          updates: openUpdates..<updates.count, turn: turn, gyroscopeBias: gyroscopeBias, velocity: velocity,
          lastingShare: lastingShare)))
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

  /// Here and now.
  var place: Place { Place(samples: samples.count, turns: turns.count) }

  // MARK: Forgetting

  /// Drops links and what belongs to them, and samples, from the front.
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
    // Earlier turns are no longer asked for, but for the one that the rest begin with.
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

/// The errors that a scalar measurement shows, with its derivative by each.
enum MeasuredErrors: Sendable {
  case single(Int)
  case field(FieldObservation)
}
