internal import InertialFilters
internal import InertialNumerics
internal import InertialSensors
internal import InertialSystem

/// What is known of a motion but its attitude, until the offline estimate of its time comes. Beyond some thousands they wait in
/// a temporary file.
struct LateMotions: Sendable {
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
  /// An estimate that came before what else the motion of its time needs.
  var early: TimedAttitudeEstimate?

  mutating func append(_ motion: Motion) { queue.append(motion) }

  /// Takes the first motion if it is of a time or an earlier one.
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

extension LateMotions: Codable {
  /// An estimator that is saved has none: an offline one cannot be.
  init(from decoder: any Decoder) {}
  func encode(to encoder: any Encoder) {}
}
