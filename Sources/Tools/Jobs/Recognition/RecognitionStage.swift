internal import InertialRecognition
internal import InertialSensors

/// Runs recognisers alongside a fusion, on samples of other channels and on the motion samples that `RecognitionFeed`
/// makes of the same log.
struct RecognitionStage {
  /// The current values at the indices of `FusedColumn.recognised`; `NaN` for recognitions that are not requested. The
  /// values of shakes that only other annotators need follow.
  private(set) var values: [Double]
  /// The annotators. The last one is the record of the log, if there is one.
  private var annotators: [any MotionAnnotator]
  /// The index of the first value of each annotator in `values`. It is a separate array: to read a
  /// part of an element copies it, and an annotator with two references copies its arrays when it changes.
  private let places: [Int]
  /// The indices of the annotators in the order of their updates: shakes first, as others need them.
  private let order: [Int]
  private var source: MotionSampleStage
  /// The motion samples that later rows have, sorted by time.
  private var samples: [MotionSample] = []
  private var pending = AuxiliaryBuffer()
  private let channels: Set<AuxiliaryChannel>
  /// The events, complete after `finish`; empty if events are not kept.
  private(set) var events: [RecognisedEvent] = []

  /// Creates a stage, or returns `nil` if there are neither recognitions nor a record.
  ///
  /// - Parameters:
  ///   - recognitions: The recognitions with causal values.
  ///   - given: The annotators that replace the default ones.
  ///   - kept: The recognitions whose events are kept, which takes memory.
  ///   - sensors: The channels of the sensors that can occur, or `nil` if unknown.
  init?(
    _ recognitions: [Recognition], given: [Recognition: any MotionAnnotator] = [:], kept: [Recognition] = [],
    record: LogRecord? = nil, sensors: Set<SensorChannel>? = []
  ) {
    guard !recognitions.isEmpty || record != nil else { return nil }
    var annotators: [Int: any MotionAnnotator] = [:]
    for recognition in recognitions {
      var annotator = given[recognition] ?? recognition.annotator.init()
      if kept.contains(recognition) { annotator.events = [] }
      annotators[recognition.place] = annotator
    }
    let count = FusedColumn.recognised.count
    // The record has no values, and is the last part.
    if let record { annotators[count + ShakeAnnotator.columns.count] = record }
    self.init(annotators, count: count, sensors: sensors)
  }

  /// Returns and removes the events that have become known since the last call.
  mutating func takeEvents() -> [RecognisedEvent] {
    var taken = events
    events = []
    for index in annotators.indices {
      guard let new = annotators[index].events, !new.isEmpty else { continue }
      taken += new
      annotators[index].events = []
    }
    return taken
  }

  /// - Parameters:
  ///   - annotators: The annotators by the index of their first value in `values`.
  ///   - count: The number of `values`, without those of shakes that only other annotators need.
  ///   - sensors: The channels of the sensors that can occur, or `nil` if unknown.
  init(_ annotators: [Int: any MotionAnnotator], count: Int, sensors: Set<SensorChannel>? = []) {
    source = MotionSampleStage(known: sensors)
    var annotators = annotators
    if annotators.values.contains(where: \.needsShakes), !annotators.values.contains(where: { $0 is ShakeAnnotator }) {
      annotators[count] = ShakeAnnotator()
    }
    values = Array(repeating: .nan, count: count + (annotators[count] == nil ? 0 : ShakeAnnotator.columns.count))
    channels = annotators.values.reduce(into: []) { $0.formUnion(type(of: $1).channels) }
    let sorted = annotators.sorted { $0.key < $1.key }
    (self.annotators, places) = (sorted.map(\.value), sorted.map(\.key))
    order =
      sorted.indices.filter { sorted[$0].value is ShakeAnnotator }
      + sorted.indices.filter { !(sorted[$0].value is ShakeAnnotator) }
    for index in sorted.indices { note(index) }
  }

  /// The record of the whole log so far, or `nil` without one.
  var record: LogRecord? { annotators.last as? LogRecord }

  /// The annotator that computes the path causally, or `nil` if no causal path is requested.
  var track: TrackAnnotator? { annotators.lazy.compactMap { $0 as? TrackAnnotator }.first }

  /// The automatic decisions of the recognisers, without a path's.
  var decisions: [AutomaticDecision] {
    [source.decision].compactMap(\.self) + annotators.flatMap(\.decisions)
  }

  /// Adds samples of any channels: all up to a time before the motions of later times.
  mutating func add(_ block: [AuxiliarySample]) {
    let wanted = block.filter { channels.contains($0.channel) }
    if !wanted.isEmpty { pending.add(wanted) }
  }

  /// Sets the channels of the sensors that can occur, if they were unknown.
  mutating func expect(_ sensors: Set<SensorChannel>) { source.expect(sensors) }

  /// Adds samples of the sensors: all up to a time before the motions of later times.
  mutating func add(_ samples: ArraySlice<SensorSample>) {
    guard source.source != .fused else { return }
    for sample in samples { source.append(sample) { self.samples.append($0) } }
  }

  /// Adds motions, and returns the values at each: rows of `FusedColumn.recognised`.
  mutating func update(_ motions: [DeviceMotion], into rows: inout [Double]) {
    rows.removeAll(keepingCapacity: true)
    guard !motions.isEmpty else { return }
    rows.append(contentsOf: repeatElement(.nan, count: values.count * motions.count))
    rows.withUnsafeMutableBufferPointer { rows in motions.withUnsafeBufferPointer { update($0, into: rows) } }
  }

  /// Adds the next motion.
  mutating func update(_ motion: DeviceMotion) {
    withUnsafePointer(to: motion) { update(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  private mutating func update(
    _ motions: UnsafeBufferPointer<DeviceMotion>,
    into rows: UnsafeMutableBufferPointer<Double> = UnsafeMutableBufferPointer(start: nil, count: 0)
  ) {
    if source.source == .fused {
      // A call with a motion would copy it.
      for index in motions.indices { samples.append(MotionSample(motions[index])) }
    } else {
      for index in motions.indices { source.append(motions[index]) { samples.append($0) } }
    }
    let limits = motions.indices.map { source.limit(at: motions[$0].time) }
    add(until: limits.last!, motions, limits, into: rows)
  }

  /// Adds the samples up to a time without its own motion.
  mutating func advance(to time: Double) { add(until: source.limit(at: time)) }

  /// Adds motions, and all samples up to a time.
  private mutating func add(
    until limit: Double, _ motions: UnsafeBufferPointer<DeviceMotion> = UnsafeBufferPointer(start: nil, count: 0),
    _ limits: [Double] = [],
    into rows: UnsafeMutableBufferPointer<Double> = UnsafeMutableBufferPointer(start: nil, count: 0)
  ) {
    let count = (samples.last?.time ?? .infinity) <= limit ? samples.count : samples.prefix { $0.time <= limit }.count
    let others = channels.isEmpty ? [] : pending.take(until: limit)
    guard !motions.isEmpty || count > 0 || !others.isEmpty else { return }
    var shakes: [GestureEvent] = []
    // Each annotator adds the whole block: a call per row takes as long as many annotators do.
    // Moved out of the stage: an array with two references is copied when its first elements are removed.
    var taken: [MotionSample] = []
    swap(&taken, &samples)
    taken.withUnsafeBufferPointer { samples in
      limits.withUnsafeBufferPointer { limits in
        let block = RecognitionBlock(
          motions: motions, limits: limits, samples: UnsafeBufferPointer(rebasing: samples[..<count]), others: others)
        for index in order {
          annotators[index].update(block, &shakes, into: rows, from: places[index], stride: values.count)
        }
      }
    }
    taken.removeFirst(count)
    swap(&taken, &samples)
    for index in annotators.indices { note(index) }
  }

  /// Declares that no more samples up to a time will arrive.
  mutating func close(through time: Double) { source.close(through: time) { samples.append($0) } }

  /// Starts over after a gap that splits the dataset; pending samples of other channels are kept.
  mutating func restart() {
    finishSamples()
    for index in annotators.indices {
      let keepsEvents = finish(index)
      annotators[index].restart()
      if keepsEvents { annotators[index].events = [] }
      note(index)
    }
  }

  /// Finishes the input and collects pending events.
  mutating func finish() {
    finishSamples()
    for index in annotators.indices { finish(index) }
  }

  private mutating func finishSamples() {
    source.finish { samples.append($0) }
    if let last = samples.last { add(until: last.time) }
  }

  /// - Returns: Whether the annotator reports events.
  @discardableResult
  private mutating func finish(_ index: Int) -> Bool {
    guard annotators[index].events != nil else { return false }
    annotators[index].finish()
    events += annotators[index].events ?? []
    return true
  }

  private mutating func note(_ index: Int) {
    for (offset, value) in annotators[index].values.enumerated() { values[places[index] + offset] = value }
  }
}

extension RecognitionStage {
  /// The part of a stage that depends on the samples.
  struct State: Codable {
    fileprivate var annotators: [SavedAnnotator]
    fileprivate var source: MotionSampleStage
    fileprivate var samples: [MotionSample]
    fileprivate var pending: AuxiliaryBuffer
    fileprivate var events: [RecognisedEvent]
  }

  /// Returns the state, with which `restore` continues.
  ///
  /// - Throws: ``FusionError`` if an annotator cannot be saved.
  func state() throws(FusionError) -> State {
    State(
      annotators: try annotators.map { (annotator) throws(FusionError) in try SavedAnnotator(annotator) },
      source: source, samples: samples, pending: pending, events: events)
  }

  /// Continues from the state of a stage of the same recognitions.
  mutating func restore(_ state: State) throws(FusionError) {
    let saved = state.annotators.map(\.annotator)
    guard saved.elementsEqual(annotators, by: { type(of: $0) as Any.Type == type(of: $1) }) else {
      throw .usage("the state has other recognitions than the options")
    }
    (annotators, source, samples) = (saved, state.source, state.samples)
    (pending, events) = (state.pending, state.events)
    for index in annotators.indices { note(index) }
  }
}

/// An annotator with the recognition that it computes.
private struct SavedAnnotator: Codable {
  private enum CodingKeys: CodingKey { case recognition, annotator }

  let annotator: any MotionAnnotator & Codable
  private let recognition: Recognition

  /// - Throws: ``FusionError`` if the annotator cannot be saved.
  init(_ annotator: any MotionAnnotator) throws(FusionError) {
    guard let recognition = Recognition.allCases.first(where: { $0.annotator == type(of: annotator) }),
      let annotator = annotator as? any MotionAnnotator & Codable
    else { throw .usage("the state of a recognition from the whole log cannot be saved") }
    (self.annotator, self.recognition) = (annotator, recognition)
  }

  init(from decoder: any Decoder) throws {
    let saved = try decoder.container(keyedBy: CodingKeys.self)
    recognition = try saved.decode(Recognition.self, forKey: .recognition)
    guard let kind = recognition.annotator as? any (MotionAnnotator & Codable).Type else {
      throw DecodingError.dataCorruptedError(
        forKey: .recognition, in: saved, debugDescription: "its state is not saved")
    }
    annotator = try kind.init(from: saved.superDecoder(forKey: .annotator))
  }

  func encode(to encoder: any Encoder) throws {
    var saved = encoder.container(keyedBy: CodingKeys.self)
    try saved.encode(recognition, forKey: .recognition)
    try annotator.encode(to: saved.superEncoder(forKey: .annotator))
  }
}
