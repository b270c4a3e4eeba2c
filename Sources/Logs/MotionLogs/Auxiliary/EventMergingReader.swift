internal import InertialSensors

/// A log of any format, with additional events that its own reader does not deliver: the events of its event file
/// (`LogFeed.events(beside:)`) and the changes of its proximity sensor.
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
  /// Whether the changes of the log's proximity sensor are delivered.
  private let detectsProximityChanges: Bool
  /// Whether the last known proximity is near. The state before the first sample is "far".
  private var isNear = false
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
    if !lacking.isEmpty, let beside = LogFeed.events(beside: path),
      let table = try CSVLogReader.events(of: beside, wanted: lacking, epoch: inner.description.epoch)
    {
      events = table.events
      added = Set(events.map(\.channel))
      unreadable = table.description.unreadable
      let name = beside.split(separator: "/").last.map(String.init) ?? beside
      notes.append("events: \(events.count) from \(name)")
    }
    detectsProximityChanges =
      wantsChanges && has.contains(.proximity) && !has.contains(.proximityChange) && !added.contains(.proximityChange)
    if detectsProximityChanges { added.insert(.proximityChange) }
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
    if detectsProximityChanges {
      for sample in batch[start...] where sample.channel == .proximity {
        if let change = proximityChange(with: sample) { batch.append(change) }
      }
    }
    if hidesProximity {
      let kept = batch[start...].filter { $0.channel != .proximity }
      batch.replaceSubrange(start..., with: kept)
    }
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

  /// Returns the approach or departure of an object from the screen, or `nil` if the state is unchanged.
  private mutating func proximityChange(with sample: AuxiliarySample) -> AuxiliarySample? {
    let value = sample["proximityNear"]
    guard value == 0 || value == 1, isNear != (value == 1) else { return nil }
    isNear = value == 1
    var change = AuxiliarySample(time: sample.time, channel: .proximityChange)
    change.line = sample.line
    change["proximityChange"] = value
    // The words that collectors use.
    change[text: "proximityWord"] = isNear ? "Closing." : "Leaving."
    return change
  }
}
