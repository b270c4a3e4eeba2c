internal import LinearAlgebra
internal import Rotations

/// The steady state of a filter in lanes: what it does from sample to sample once its start-up is over.
///
/// What is rare stays with the filter itself: the start-up, the time after a gap and the heading's first tie. A lane
/// is loaded from a filter's state and stored back to it, and goes on there as if it had always been one.
protocol LaneBody: Sendable {
  associatedtype Filter: AttitudeFilter

  /// Whether an acceleration and a field of different times are to be taken in their order.
  static var takesVectorsInOrder: Bool { get }

  init()
  /// Whether a filter is in the state that lanes can go on from.
  static func isSteady(_ filter: Filter) -> Bool
  mutating func load(_ filter: Filter, lane: Int)
  /// The filter as it is after the last tick.
  func store(lane: Int, to filter: Filter) -> Filter

  /// Where a tick has a sample that the steady state does not know what to do with.
  func leaves(_ tick: LaneTick) -> Lanes.Mask
  /// Takes the samples of a tick: the rate first.
  mutating func take(_ tick: LaneTick)
  /// What is known after it.
  var estimate: LaneEstimate { get }

  /// Takes rows as long as every lane can take them without looking about, and puts what is known after each; stops
  /// before the first that one cannot.
  ///
  /// - Returns: the row before which it stopped, or the end of the rows.
  mutating func takeRows(_ rows: Range<Int>, of columns: LaneColumns) -> Int
}

extension LaneBody {
  /// None: `take` is asked for each.
  mutating func takeRows(_ rows: Range<Int>, of columns: LaneColumns) -> Int { rows.lowerBound }
}

extension LaneBody {
  static var takesVectorsInOrder: Bool { true }
}

extension SteppedLanes {
  /// Vectors are held until the next rate.
  static var takesVectorsInOrder: Bool { false }
}

/// The samples of one moment of each lane. Lanes are at different times of different recordings.
struct LaneTick: Sendable {
  var gyroscope: LaneSample
  var accelerometer: LaneSample
  var magneticField: LaneSample
}

struct LaneEstimate: Sendable {
  var earthFromDevice: LaneQuaternion<Lanes>
  var gyroscopeBias: LaneVector3<Lanes>
  /// The flags' raw value as a number.
  var flags: Lanes
}
