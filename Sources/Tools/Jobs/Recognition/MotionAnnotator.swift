internal import InertialSensors

/// Something that is recognised in the stream of fused motions, and what of it is known at each moment.
///
/// It runs beside the fusion. By itself it is causal: a value at a time depends on nothing later. One that has gathered a whole
/// log in a first pass, and is run over it again, tells of each moment what the whole log says of it. Motions come in order of
/// time, at the gyroscope's own stamps whatever the rate of the rows is; samples of other channels come in order of time,
/// each before motions of its own or a later time. A pause is a step in time that the annotator sees; where gaps split
/// the dataset, each segment has a fresh annotator.
protocol MotionAnnotator: Sendable {
  /// What it tells, in a few words.
  static var meaning: String { get }
  /// What `values` are, in their order.
  static var columns: [AnnotatedColumn] { get }
  /// Channels beside the motion that it is given, where the log has them.
  static var channels: Set<AuxiliaryChannel> { get }
  /// Whether it says nothing without any of them.
  static var needsChannels: Bool { get }

  /// An annotator at its start.
  init()

  /// What is known now, a number for each column; NaN where nothing is known.
  var values: [Double] { get }
  /// What happened, as far as it is known; nil, as at the start, where nobody wants to be told.
  var events: [RecognisedEvent]? { get set }

  mutating func update(_ motion: DeviceMotion)
  mutating func add(_ sample: AuxiliarySample)
  /// Nothing more will come: tells the events that were waited for.
  mutating func finish()
  /// What comes next does not follow what came before.
  mutating func restart()

  /// One at its start that gathers a whole log; nil where later samples change nothing.
  static func gathering() -> Self?
  /// What tells by the whole log, of one that has gathered it: when nothing more will come.
  mutating func recalling() throws(FusionError) -> Self
}

extension MotionAnnotator {
  static var channels: Set<AuxiliaryChannel> { [] }
  static var needsChannels: Bool { !channels.isEmpty }

  /// None are told.
  var events: [RecognisedEvent]? {
    get { nil }
    set {}
  }

  mutating func add(_ sample: AuxiliarySample) {}
  mutating func finish() {}
  mutating func restart() { self = Self() }
  static func gathering() -> Self? { nil }
  mutating func recalling() -> Self { self }
}

/// A column of what an annotator tells. Names are those of no other column and no channel's field.
struct AnnotatedColumn: Sendable, Equatable {
  var name: String
  /// "1" for numbers without one.
  var unit: String
  /// With the code, where numbers stand for words.
  var meaning: String

  init(_ name: String, _ unit: String, _ meaning: String) {
    self.name = name
    self.unit = unit
    self.meaning = meaning
  }
}
