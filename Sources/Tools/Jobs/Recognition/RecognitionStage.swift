internal import InertialRecognition
internal import InertialSensors

/// The recognisers beside a fusion: motions and samples of other channels in, what is known now out.
struct RecognitionStage {
  private struct Part {
    var annotator: any MotionAnnotator
    let channels: Set<AuxiliaryChannel>
    /// Place of its first value among `values`.
    let place: Int
  }

  /// What is known now, by the places of `FusedColumn.recognised`; NaN of what is not asked for.
  private(set) var values: [Double]
  private var parts: [Part] = []
  private var waiting = WaitingAuxiliary()
  private let channels: Set<AuxiliaryChannel>
  /// What happened, once `finish` was called; empty where nobody wants to be told.
  private(set) var events: [RecognisedEvent] = []

  /// Which events are kept, which takes memory.
  enum KeptEvents {
    case none, all
    /// Those that are known while the recording goes on, until `takeEvents`: activities are told by their columns, as the
    /// stretches of a whole recording are known at its end.
    case live
  }

  /// nil where nothing is to be recognised.
  ///
  /// - Parameters:
  ///   - given: those that do not begin as by `init()`.
  ///   - kept: which events are kept, which takes memory.
  init?(
    _ recognitions: [Recognition], given: [Recognition: any MotionAnnotator] = [:], kept: KeptEvents = .none
  ) {
    guard !recognitions.isEmpty else { return nil }
    var annotators: [Int: any MotionAnnotator] = [:]
    for recognition in recognitions {
      annotators[Self.place(of: recognition)] = given[recognition] ?? recognition.annotator.init()
    }
    self.init(annotators, count: FusedColumn.recognised.count)
    guard kept != .none else { return }
    for index in parts.indices where kept == .all || !(parts[index].annotator is ActivityAnnotator) {
      parts[index].annotator.events = []
    }
  }

  /// What has happened since it was asked last, and is known by now.
  mutating func takeEvents() -> [RecognisedEvent] {
    var taken = events
    events = []
    for index in parts.indices {
      guard let new = parts[index].annotator.events, !new.isEmpty else { continue }
      taken += new
      parts[index].annotator.events = []
    }
    return taken
  }

  /// - Parameters:
  ///   - annotators: by the place of the first value among `values`.
  ///   - count: the number of `values`.
  init(_ annotators: [Int: any MotionAnnotator], count: Int) {
    values = Array(repeating: .nan, count: count)
    channels = annotators.values.reduce(into: []) { $0.formUnion(type(of: $1).channels) }
    parts = annotators.sorted { $0.key < $1.key }.map { place, annotator in
      Part(annotator: annotator, channels: type(of: annotator).channels, place: place)
    }
    for part in parts { note(part) }
  }

  private static func place(of recognition: Recognition) -> Int {
    FusedColumn.recognised.firstIndex { $0.recognition == recognition }!
  }

  /// What tells by the whole log, of those that have gathered it.
  mutating func recalling(_ recognitions: [Recognition]) throws(FusionError) -> [Recognition: any MotionAnnotator] {
    var result: [Recognition: any MotionAnnotator] = [:]
    for recognition in recognitions {
      let part = parts.firstIndex { $0.place == Self.place(of: recognition) }!
      result[recognition] = try parts[part].annotator.recalling()
    }
    return result
  }

  /// What finds the path, or keeps what that needs; nil where no path is wanted.
  var track: TrackAnnotator? { parts.lazy.compactMap { $0.annotator as? TrackAnnotator }.first }

  /// Takes samples of any channels: all up to a time before the motions of later times.
  mutating func add(_ block: [AuxiliarySample]) {
    let wanted = block.filter { channels.contains($0.channel) }
    if !wanted.isEmpty { waiting.add(wanted) }
  }

  /// Takes the next motion, and what other channels have told up to its time.
  mutating func update(_ motion: DeviceMotion) {
    advance(to: motion.time)
    for index in parts.indices {
      parts[index].annotator.update(motion)
      note(parts[index])
    }
  }

  /// Takes what other channels have told up to a time that has no motion of its own.
  mutating func advance(to time: Double) {
    guard !channels.isEmpty else { return }
    for sample in waiting.take(until: time) {
      for index in parts.indices where parts[index].channels.contains(sample.channel) {
        parts[index].annotator.add(sample)
      }
    }
    for part in parts where !part.channels.isEmpty { note(part) }
  }

  /// Begins anew behind a gap that splits the dataset; samples that are still to be taken stay.
  mutating func restart() {
    for index in parts.indices {
      let keepsEvents = finish(index)
      parts[index].annotator.restart()
      if keepsEvents { parts[index].annotator.events = [] }
      note(parts[index])
    }
  }

  /// Nothing more will come.
  mutating func finish() {
    for index in parts.indices { finish(index) }
  }

  /// - Returns: whether the annotator tells events.
  @discardableResult
  private mutating func finish(_ index: Int) -> Bool {
    guard parts[index].annotator.events != nil else { return false }
    parts[index].annotator.finish()
    events += parts[index].annotator.events ?? []
    return true
  }

  private mutating func note(_ part: Part) {
    for (offset, value) in part.annotator.values.enumerated() { values[part.place + offset] = value }
  }
}
