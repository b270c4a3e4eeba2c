internal import InertialRecognition
internal import InertialSensors

/// A recogniser of the stream of fused motions, with values at each time.
///
/// It runs alongside the fusion and is causal: its values depend only on earlier samples. `KnownValues` are those from
/// the whole log. Motions arrive in chronological order with the gyroscope's timestamps, regardless of the rate of the rows. Samples of other channels
/// also arrive in chronological order, before motions with the same or a later timestamp. A pause is a step in time that
/// the annotator sees. If gaps split the dataset, each segment has a new annotator.
protocol MotionAnnotator: Sendable {
  /// The name, the unit and the meaning of a column. The name differs from those of all other columns and channel
  /// fields. The unit is "1" for dimensionless numbers. The meaning has the code if numbers denote words.
  typealias Column = (name: String, unit: String, meaning: String)

  /// A description of the values in a few words.
  static var meaning: String { get }
  /// The columns of `values`, in the same order.
  static var columns: [Column] { get }
  /// The channels that the annotator uses in addition to the motion, if the log has them.
  static var channels: Set<AuxiliaryChannel> { get }
  /// Whether the annotator has no values without any of these channels.
  static var needsChannels: Bool { get }

  /// Creates an annotator in its initial state.
  init()

  /// The current values, one number per column; `NaN` if unknown.
  var values: [Double] { get }
  /// The events known so far, or `nil` (the default) if events are not collected.
  var events: [RecognisedEvent]? { get set }

  /// Whether the annotator needs the shakes of the stream.
  var needsShakes: Bool { get }
  /// Adds the next motion.
  ///
  /// - Parameter shake: The shake that begins, ends or is cancelled at this motion. `ShakeAnnotator`, which is updated
  ///   first, sets it.
  mutating func update(_ motion: DeviceMotion, _ shake: inout GestureEvent?)
  /// Adds motions as `update` does, and stores the values at each motion in its row of `rows`.
  ///
  /// - Parameters:
  ///   - shakes: The shakes of these motions and of earlier ones of the block.
  ///   - place: The index of the first value of the first motion in `rows`.
  ///   - stride: The number of values in a row.
  mutating func update(
    _ motions: UnsafeBufferPointer<DeviceMotion>, _ shakes: inout [GestureEvent],
    into rows: UnsafeMutableBufferPointer<Double>, from place: Int, stride: Int)
  mutating func add(_ sample: AuxiliarySample)
  /// Finishes the input and reports pending events.
  mutating func finish()
  /// Starts over: later samples do not continue earlier ones.
  mutating func restart()
}

extension MotionAnnotator {
  static var channels: Set<AuxiliaryChannel> { [] }
  static var needsChannels: Bool { !channels.isEmpty }
  var needsShakes: Bool { false }

  /// `nil`, as the annotator reports no events.
  var events: [RecognisedEvent]? {
    get { nil }
    set {}
  }

  mutating func update(
    _ motions: UnsafeBufferPointer<DeviceMotion>, _ shakes: inout [GestureEvent],
    into rows: UnsafeMutableBufferPointer<Double>, from place: Int, stride: Int
  ) {
    var place = place
    var next = 0
    // By index: a motion is large, and an iterator would copy it.
    for index in motions.indices {
      while next < shakes.count, shakes[next].time < motions[index].time { next += 1 }
      var shake = next < shakes.count && shakes[next].time == motions[index].time ? shakes[next] : nil
      update(motions[index], &shake)
      for (offset, value) in values.enumerated() { rows[place + offset] = value }
      place += stride
    }
  }

  mutating func add(_ sample: AuxiliarySample) {}
  mutating func finish() {}
  mutating func restart() { self = Self() }
}
