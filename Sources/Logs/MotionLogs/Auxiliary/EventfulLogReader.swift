internal import InertialSensors

/// A log of any format with the events that its own reader does not deliver: those in the file beside it
/// (`EventTable`), and the changes of its proximity sensor.
///
/// What the log itself has of a channel counts; the file beside it is then not asked for that.
struct EventfulLogReader: LogReader {
  private(set) var description: LogDescription
  private var inner: any LogReader
  /// In order of time; `next` is the first that nobody has taken.
  private var events: [AuxiliarySample] = []
  private var next = 0
  private var newest = -Double.infinity
  private var isFinished = false
  private var proximity: ProximityChanges?
  /// Whether the log's proximity was asked for only to tell its changes.
  private let hidesProximity: Bool
  private let besideUnreadable: [AuxiliaryChannel: UnreadableCells]
  private let added: Set<AuxiliaryChannel>
  private let addedNotes: [String]

  /// - Parameter open: opens the log with the options that it is given.
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
    // None comes later than motion of its time; a time that is no number waits for nothing.
    while next < events.count, isFinished || !(events[next].time > newest) {
      batch.append(events[next])
      next += 1
    }
  }

  /// The inner reader's description, which grows on the way, with what is added here.
  private mutating func describe() {
    description = inner.description
    if hidesProximity { description.auxiliaryChannels.remove(.proximity) }
    description.auxiliaryChannels.formUnion(added)
    description.notes += addedNotes
    description.unreadable.merge(besideUnreadable) { own, _ in own }
  }
}

/// Tells when something came close to the screen, or went away, from the samples of the channel `proximity`.
private struct ProximityChanges {
  private var isNear: Bool?

  /// nil where nothing has changed. The first state is one where it is near: before it nothing was.
  mutating func change(with sample: AuxiliarySample) -> AuxiliarySample? {
    let value = sample["proximityNear"]
    guard value == 0 || value == 1 else { return nil }
    defer { isNear = value == 1 }
    guard isNear ?? false != (value == 1) else { return nil }
    var change = AuxiliarySample(time: sample.time, channel: .proximityChange)
    change.line = sample.line
    change["proximityChange"] = value
    // The words of collectors.
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
