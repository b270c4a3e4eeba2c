internal import InertialFilters
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// A queue of motions that await the offline estimate of their attitude. Beyond some thousands, they are stored in a
/// temporary file.
struct PendingMotions: Sendable {
  /// A motion without its attitude.
  struct Motion: BitwiseCopyable, Sendable {
    var time: Double
    var rate: Vector3
    var acceleration: Vector3?
    var field: Vector3?
    /// The raw value of the field's accuracy.
    var accuracy: Int
  }

  private var queue = SpilledQueue<Motion>()
  private(set) var failure: SpillError?
  /// An estimate that arrived before the other inputs of the motion at its time.
  var early: TimedAttitudeEstimate?

  mutating func append(_ motion: Motion) { queue.append(motion) }

  /// Removes and returns the first motion if its timestamp is at most `time`.
  mutating func next(through time: Double) -> Motion? {
    do throws(SpillError) {
      guard let first = try queue.first(), first.time <= time else { return nil }
      queue.removeFirst()
      return first
    } catch {
      failure = error
      return nil
    }
  }
}

extension PendingMotions: Codable {
  /// Creates an empty queue: an offline estimator cannot be saved, and an online one has no late motions.
  init(from decoder: any Decoder) {}
  func encode(to encoder: any Encoder) {}
}
