internal import InertialSensors

/// Distinguishes jumps of a stream's clock from single batches with a wrong or late timestamp.
///
/// A batch far from the previous ones is held until the next ones arrive: if they continue from it, the clock has
/// jumped; if they continue from the earlier batches, that batch alone was wrong. Batches close to the previous ones,
/// which are nearly all, are not delayed.
struct StreamClock: Codable {
  /// The samples that arrived together: those of a line, which have one timestamp, or of a message, sorted by time. The
  /// first motion sample, or else the first other sample, has the time of the batch.
  struct Batch: Codable {
    var motion: [SensorSample]
    var auxiliary: [AuxiliarySample]
    fileprivate var time: Double? { motion.first?.time ?? auxiliary.first?.time }
  }

  /// The batches that are released, after a jump of the clock to theirs, if it is not `nil`; and the batches whose
  /// timestamps match no other batch.
  typealias Release = (jump: StreamSource.ClockJump?, batches: [Batch], outliers: [Batch])

  /// The maximum lateness of a batch that is not a jump, in seconds.
  private let lateness: Double
  /// The step forward after which the next batch is awaited, and after which it is another clock, in seconds: no sensor
  /// pauses for this long.
  private static let pause = 10.0
  private static let day = 86_400.0
  /// The number of consecutive batches at an earlier time that confirm a jump back.
  private static let proof = 3

  private var newest: Double?
  private var held: [Batch] = []

  /// Creates a detector.
  ///
  /// - Parameter horizon: The maximum time by which a sample may arrive out of order, in seconds.
  init(horizon: Double) { lateness = 1 + horizon }

  /// Adds the next batch and returns the batches that need not wait for later ones.
  mutating func add(_ batch: Batch) -> Release {
    guard let time = batch.time, time.isFinite else { return (nil, [batch], []) }
    guard let newest else {
      self.newest = time
      return (nil, [batch], [])
    }
    guard let first = held.first?.time, let last = held.last?.time else {
      guard isNear(time, newest) else {
        held = [batch]
        return (nil, [], [])
      }
      self.newest = max(newest, time)
      return (nil, [batch], [])
    }
    if first > newest { return settleForward(batch, time, newest, first) }
    if time >= last, time - last < Self.pause, time < newest - lateness {
      held.append(batch)
      guard held.count == Self.proof else { return (nil, [], []) }
      return jump(from: newest, to: first, at: time)
    }
    // The batches were late; the component that sorts the samples reports this.
    let late = finish()
    return (nil, late + add(batch).batches, [])
  }

  /// Returns the batches that are still held, as at the end of the stream.
  mutating func finish() -> [Batch] {
    defer { held = [] }
    return held
  }

  private mutating func settleForward(_ batch: Batch, _ time: Double, _ newest: Double, _ first: Double) -> Release {
    guard time >= first - lateness else {
      let outliers = finish()
      return (nil, add(batch).batches, outliers)
    }
    guard first - newest < Self.day else {
      held.append(batch)
      return jump(from: newest, to: first, at: max(first, time))
    }
    self.newest = first
    let batches = finish()
    return (nil, batches + add(batch).batches, [])
  }

  private mutating func jump(from: Double, to: Double, at time: Double) -> Release {
    newest = time
    return (StreamSource.ClockJump(from: from, to: to), finish(), [])
  }

  private func isNear(_ time: Double, _ newest: Double) -> Bool {
    time >= newest - lateness && time <= newest + Self.pause
  }
}
