internal import InertialSensors

/// A log of any format, with additional events that its own reader does not deliver: the events of its event file
/// (`EventTable`) and the changes of its proximity sensor.
///
/// If the log itself contains a channel, that channel is not read from the event file.
struct EventMergingReader: LogReader {
  private(set) var description: LogDescription
  private var inner: any LogReader
  /// The events sorted by time. `next` is the index of the first pending event.
  private var events: [AuxiliarySample] = []
  private var next = 0
  private var newest = -Double.infinity
  private var isFinished = false
  private var proximity: ProximityChanges?
  /// Whether the log's proximity is read only to detect its changes.
  private let hidesProximity: Bool
  private let besideUnreadable: [AuxiliaryChannel: UnreadableCells]
  private let added: Set<AuxiliaryChannel>
  private let addedNotes: [String]

  /// - Parameter open: Opens the log with the given options.
  init(
    path: String, options: LogOptions, open: (LogOptions) throws(LogError) -> any LogReader
  ) throws(LogError) {
    var own = options
    let wantsChanges = options.auxiliary.contains(.proximityChange)
    if wantsChanges { own.auxiliary.insert(.proximity) }
    inner = try open(own)
    hidesProximity = wantsChanges && !options.auxiliary.contains(.proximity)
    var added: Set<AuxiliaryChannel> = []
    var notes: [String] = []
    var unreadable: [AuxiliaryChannel: UnreadableCells] = [:]
    let has = inner.description.auxiliaryChannels
    let lacking = options.auxiliary.filter { $0.isEvent && !has.contains($0) }
    if !lacking.isEmpty, let beside = EventTable.path(beside: path),
      let table = try EventTable.read(beside, wanted: lacking, epoch: inner.description.epoch)
    {
      events = table.events
      added = Set(events.map(\.channel))
      unreadable = table.description.unreadable
      let name = beside.split(separator: "/").last.map(String.init) ?? beside
      notes.append("events: \(events.count) from \(name)")
    }
    if wantsChanges, has.contains(.proximity), !has.contains(.proximityChange), !added.contains(.proximityChange) {
      proximity = ProximityChanges()
      added.insert(.proximityChange)
    }
    self.added = added
    addedNotes = notes
    besideUnreadable = unreadable
    description = inner.description
    describe()
  }

  var emptyCounts: [SensorChannel: Int] { inner.emptyCounts }
  var progress: Double { inner.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    let hasMore = try inner.read(into: &batch)
    for sample in batch[start...] where sample.time > newest { newest = sample.time }
    isFinished = !hasMore
    describe()
    return hasMore
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    let start = batch.count
    inner.takeAuxiliary(into: &batch)
    if proximity != nil {
      for sample in batch[start...] where sample.channel == .proximity {
        if let change = proximity?.change(with: sample) { batch.append(change) }
      }
    }
    if hidesProximity { batch.removeSubrange(start..., where: { $0.channel == .proximity }) }
    // Delivers each event no later than motion with its time. An event whose time is NaN is not delayed.
    while next < events.count, isFinished || !(events[next].time > newest) {
      batch.append(events[next])
      next += 1
    }
  }

  /// Updates the description from the inner reader's, which changes during reading, and adds the additional events.
  private mutating func describe() {
    description = inner.description
    if hidesProximity { description.auxiliaryChannels.remove(.proximity) }
    description.auxiliaryChannels.formUnion(added)
    description.notes += addedNotes
    description.unreadable.merge(besideUnreadable) { own, _ in own }
  }
}

/// Detects objects that approach or leave the screen, from the samples of the channel `proximity`.
private struct ProximityChanges {
  private var isNear: Bool?

  /// Returns the change, or `nil` if the state is unchanged. The state before the first sample is "far".
  mutating func change(with sample: AuxiliarySample) -> AuxiliarySample? {
    let value = sample["proximityNear"]
    guard value == 0 || value == 1 else { return nil }
    defer { isNear = value == 1 }
    guard isNear ?? false != (value == 1) else { return nil }
    var change = AuxiliarySample(time: sample.time, channel: .proximityChange)
    change.line = sample.line
    change["proximityChange"] = value
    // The words that collectors use.
    change[text: "proximityWord"] = value == 1 ? "Closing." : "Leaving."
    return change
  }
}

extension Array {
  fileprivate mutating func removeSubrange(_ range: PartialRangeFrom<Int>, where isUnwanted: (Element) -> Bool) {
    let kept = self[range].filter { !isUnwanted($0) }
    replaceSubrange(range.lowerBound..., with: kept)
  }
}
