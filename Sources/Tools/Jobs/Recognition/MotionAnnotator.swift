internal import InertialRecognition
internal import InertialSensors

/// A recogniser of motion samples, with values at the times of rows.
///
/// It runs alongside the fusion and is causal: its values depend only on earlier samples. `KnownValues` are those from
/// the whole log. All inputs arrive in chronological order, regardless of the rate of the rows, and samples of other
/// channels before motion samples with the same or a later timestamp. A pause is a step in time that the annotator
/// sees. If gaps split the dataset, each segment has a new annotator.
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

  /// The automatic decisions, apart from those that the report of the path states.
  var decisions: [AutomaticDecision] { get }

  /// Whether the annotator needs the shakes of the stream.
  var needsShakes: Bool { get }
  /// Whether the annotator finds the shakes of the stream.
  static var findsShakes: Bool { get }
  /// Whether the annotator uses the next fused motion in addition to the motion samples.
  var usesMotions: Bool { get }
  /// Adds the next motion sample.
  ///
  /// - Parameter shake: The shake that begins, ends or is cancelled at this sample. `ShakeAnnotator`, which is updated
  ///   first, sets it.
  mutating func update(_ sample: MotionSample, _ shake: inout GestureEvent?)
  /// Adds the next fused motion, after the motion samples up to its time.
  mutating func update(_ motion: DeviceMotion)
  /// Adds the inputs of a block, and stores the values at each row.
  ///
  /// - Parameters:
  ///   - shakes: The shakes of the block.
  ///   - rows: The values of the block's rows, or an empty buffer to store none.
  ///   - place: The index of the first value of the first row.
  ///   - stride: The number of values in a row.
  mutating func update(
    _ block: RecognitionBlock, _ shakes: inout [GestureEvent], into rows: UnsafeMutableBufferPointer<Double>,
    from place: Int, stride: Int)
  /// Adds a sample of another channel.
  mutating func add(_ sample: AuxiliarySample)
  /// Finishes the input and reports pending events.
  mutating func finish()
  /// Starts over: later samples do not continue earlier ones.
  mutating func restart()
}

extension MotionAnnotator {
  static var channels: Set<AuxiliaryChannel> { [] }
  static var needsChannels: Bool { !channels.isEmpty }
  static var findsShakes: Bool { false }
  var decisions: [AutomaticDecision] { [] }
  var needsShakes: Bool { false }
  var usesMotions: Bool { false }

  /// `nil`, as the annotator reports no events.
  var events: [RecognisedEvent]? {
    get { nil }
    set {}
  }

  mutating func update(_ motion: DeviceMotion) {}

  mutating func update(
    _ block: RecognitionBlock, _ shakes: inout [GestureEvent], into rows: UnsafeMutableBufferPointer<Double>,
    from place: Int, stride: Int
  ) {
    var place = place
    var next = RecognitionBlock.Position()
    // By index: a motion is large, and an iterator would copy it.
    for index in block.motions.indices {
      add(block, until: block.limits[index], &next, &shakes)
      if usesMotions { update(block.motions[index]) }
      guard !rows.isEmpty else { continue }
      for (offset, value) in values.enumerated() { rows[place + offset] = value }
      place += stride
    }
    add(block, until: .infinity, &next, &shakes)
  }

  /// Adds the samples of a block up to a time.
  @inline(__always)
  private mutating func add(
    _ block: RecognitionBlock, until time: Double, _ next: inout RecognitionBlock.Position,
    _ shakes: inout [GestureEvent]
  ) {
    while next.sample < block.samples.count, block.samples[next.sample].time <= time {
      let moment = block.samples[next.sample].time
      if !block.others.isEmpty { addOthers(block, until: moment, &next) }
      var shake: GestureEvent?
      if !Self.findsShakes {
        while next.shake < shakes.count, shakes[next.shake].time < moment { next.shake += 1 }
        if next.shake < shakes.count, shakes[next.shake].time == moment { shake = shakes[next.shake] }
      }
      update(block.samples[next.sample], &shake)
      if Self.findsShakes, let shake { shakes.append(shake) }
      next.sample += 1
    }
    if !block.others.isEmpty { addOthers(block, until: time, &next) }
  }

  private mutating func addOthers(
    _ block: RecognitionBlock, until time: Double, _ next: inout RecognitionBlock.Position
  ) {
    while next.other < block.others.count, block.others[next.other].time <= time {
      if Self.channels.contains(block.others[next.other].channel) { add(block.others[next.other]) }
      next.other += 1
    }
  }

  mutating func add(_ sample: AuxiliarySample) {}
  mutating func finish() {}
  mutating func restart() { self = Self() }
}

/// The inputs of recognisers for some rows of a dataset.
struct RecognitionBlock {
  /// The fused motions of the rows.
  let motions: UnsafeBufferPointer<DeviceMotion>
  /// The times up to which motion samples precede each row, in seconds.
  let limits: UnsafeBufferPointer<Double>
  /// The motion samples up to the last row.
  let samples: UnsafeBufferPointer<MotionSample>
  /// The samples of other channels up to the last row.
  let others: [AuxiliarySample]

  /// The indices of the next inputs of an annotator.
  struct Position {
    var (sample, other, shake) = (0, 0, 0)
  }
}
