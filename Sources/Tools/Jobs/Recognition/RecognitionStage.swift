internal import InertialRecognition
internal import InertialSensors

/// Runs recognisers alongside a fusion, on motions and samples of other channels.
struct RecognitionStage {
  /// The current values at the indices of `FusedColumn.recognised`; `NaN` for recognitions that are not requested. The
  /// values of shakes that only other annotators need follow.
  private(set) var values: [Double]
  /// The annotators with their channels, and the index of the first value of each in `values`. The last one is the
  /// record of the log, if there is one.
  private var parts: [(annotator: any MotionAnnotator, channels: Set<AuxiliaryChannel>, place: Int)]
  /// The indices of `parts` in the order of their updates: shakes first, as others need them.
  private let order: [Int]
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
  init?(
    _ recognitions: [Recognition], given: [Recognition: any MotionAnnotator] = [:], kept: [Recognition] = [],
    record: LogRecord? = nil
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
    self.init(annotators, count: count)
  }

  /// Returns and removes the events that have become known since the last call.
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
  ///   - annotators: The annotators by the index of their first value in `values`.
  ///   - count: The number of `values`, without those of shakes that only other annotators need.
  init(_ annotators: [Int: any MotionAnnotator], count: Int) {
    var annotators = annotators
    if annotators.values.contains(where: \.needsShakes), !annotators.values.contains(where: { $0 is ShakeAnnotator }) {
      annotators[count] = ShakeAnnotator()
    }
    values = Array(repeating: .nan, count: count + (annotators[count] == nil ? 0 : ShakeAnnotator.columns.count))
    channels = annotators.values.reduce(into: []) { $0.formUnion(type(of: $1).channels) }
    parts = annotators.sorted { $0.key < $1.key }.map { place, annotator in
      (annotator, type(of: annotator).channels, place)
    }
    let parts = parts
    order =
      parts.indices.filter { parts[$0].annotator is ShakeAnnotator }
      + parts.indices.filter { !(parts[$0].annotator is ShakeAnnotator) }
    for index in parts.indices { note(index) }
  }

  /// The record of the whole log so far, or `nil` without one.
  var record: LogRecord? { parts.last?.annotator as? LogRecord }

  /// The annotator that computes the path causally, or `nil` if no causal path is requested.
  var track: TrackAnnotator? { parts.lazy.compactMap { $0.annotator as? TrackAnnotator }.first }

  /// Adds samples of any channels: all up to a time before the motions of later times.
  mutating func add(_ block: [AuxiliarySample]) {
    let wanted = block.filter { channels.contains($0.channel) }
    if !wanted.isEmpty { pending.add(wanted) }
  }

  /// Adds motions, each after the samples of other channels up to its time, and returns the values at each motion: rows
  /// of `FusedColumn.recognised`.
  mutating func update(_ motions: [DeviceMotion], into rows: inout [Double]) {
    rows.removeAll(keepingCapacity: true)
    guard let last = motions.last else { return }
    let stride = values.count
    rows.append(contentsOf: repeatElement(.nan, count: stride * motions.count))
    let due = channels.isEmpty ? [] : pending.take(until: last.time)
    var shakes: [GestureEvent] = []
    // Each annotator adds the whole block: a call per row takes as long as many annotators do.
    motions.withUnsafeBufferPointer { motions in
      rows.withUnsafeMutableBufferPointer { rows in
        for index in order {
          let place = parts[index].place
          var first = 0
          func update(until end: Int) {
            let part = UnsafeBufferPointer(rebasing: motions[first..<end])
            parts[index].annotator.update(part, &shakes, into: rows, from: place + first * stride, stride: stride)
            first = end
          }
          for sample in due where parts[index].channels.contains(sample.channel) {
            update(until: motions[first...].firstIndex { $0.time >= sample.time } ?? motions.count)
            parts[index].annotator.add(sample)
          }
          update(until: motions.count)
        }
      }
    }
    for index in parts.indices { note(index) }
  }

  /// Adds the next motion, and the samples of other channels up to its time.
  mutating func update(_ motion: DeviceMotion) {
    advance(to: motion.time)
    var shake: GestureEvent?
    for index in order {
      parts[index].annotator.update(motion, &shake)
      note(index)
    }
  }

  /// Adds the samples of other channels up to a time without its own motion.
  mutating func advance(to time: Double) {
    guard !channels.isEmpty else { return }
    for sample in pending.take(until: time) {
      for index in parts.indices where parts[index].channels.contains(sample.channel) {
        parts[index].annotator.add(sample)
      }
    }
    for index in parts.indices where !parts[index].channels.isEmpty { note(index) }
  }

  /// Starts over after a gap that splits the dataset; pending samples are kept.
  mutating func restart() {
    for index in parts.indices {
      let keepsEvents = finish(index)
      parts[index].annotator.restart()
      if keepsEvents { parts[index].annotator.events = [] }
      note(index)
    }
  }

  /// Finishes the input and collects pending events.
  mutating func finish() {
    for index in parts.indices { finish(index) }
  }

  /// - Returns: Whether the annotator reports events.
  @discardableResult
  private mutating func finish(_ index: Int) -> Bool {
    guard parts[index].annotator.events != nil else { return false }
    parts[index].annotator.finish()
    events += parts[index].annotator.events ?? []
    return true
  }

  private mutating func note(_ index: Int) {
    let place = parts[index].place
    for (offset, value) in parts[index].annotator.values.enumerated() { values[place + offset] = value }
  }
}
