internal import InertialSensors
internal import InertialSystem

/// A CSV file as a stream of a folder, with motion, auxiliary channels, or both.
struct CSVSource: SampleSource {
  private var reader: CSVLogReader
  /// The offset added to the file's times, in seconds, so that all files of a folder have the same epoch.
  private var offset = 0.0
  /// The number of notes after opening. Later notes were added during reading.
  private let noteCount: Int
  /// The auxiliary samples of a file without motion that were read ahead.
  private var held: ArraySlice<AuxiliarySample> = []

  init(_ reader: CSVLogReader) {
    self.reader = reader
    noteCount = reader.description.notes.count
  }

  var description: LogDescription { reader.description }
  /// The first timestamp, in nanoseconds since 1970, if times count from it.
  var origin: Int64? { reader.origin }
  var emptyCounts: [SensorChannel: Int] { reader.emptyCounts }
  /// The notes that were added during reading.
  var remarks: [String] { Array(reader.description.notes.dropFirst(noteCount)) }
  var progress: Double { reader.progress }

  /// Sets the origin of times, in nanoseconds since 1970, in place of the file's first timestamp or of 1970.
  mutating func count(from origin: Int64) {
    if let own = reader.origin {
      offset = Double(own - origin) / 1e9
    } else if reader.description.epoch == 0 {
      offset = -Double(origin) / 1e9
    }
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    guard try reader.read(into: &batch) else { return false }
    if offset != 0 { for index in start..<batch.count { batch[index].time += offset } }
    return true
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {
    let start = batch.count
    reader.takeAuxiliary(into: &batch)
    if offset != 0 { for index in start..<batch.count { batch[index].time += offset } }
  }

  var auxiliaryChannels: Set<AuxiliaryChannel> { reader.description.auxiliaryChannels }
  var unreadable: [AuxiliaryChannel: UnreadableCells] { reader.description.unreadable }
  var lineWarnings: [String] {
    reader.description.lineWarnings.map { "\(reader.description.path.lastPathPart), \($0)" }
  }

  /// Appends the rows of a file without motion up to a time, in the order of the file.
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError) {
    while true {
      while let first = held.first {
        // A row whose time is NaN is not delayed.
        if first.time > time { return }
        batch.append(held.removeFirst())
      }
      guard try reader.readAuxiliaryRows() else { return }
      var block: [AuxiliarySample] = []
      takeAuxiliary(into: &block)
      held = block[...]
    }
  }

  /// Sets a common clock for the files of a folder. Files with nanoseconds since 1970 count from a common timestamp, as
  /// do other UNIX times.
  ///
  /// - Parameter origin: The origin of the times, or `nil` for the earliest timestamp.
  /// - Returns: The UNIX time of time 0, in seconds, if the files determine it, and `false` if their epochs differ.
  static func shareClock(_ sources: inout [CSVSource], from first: Int64? = nil) -> (isShared: Bool, epoch: Double?) {
    // Times of day and dates are comparable only with times of the same kind.
    let kinds = Set(sources.compactMap { $0.description.clock?.origin })
    guard kinds.count <= 1 || kinds.isDisjoint(with: [.date, .timeOfDay]) else { return (false, nil) }
    guard let origin = first ?? sources.compactMap(\.origin).min() else {
      let epoch = sources.first?.description.epoch
      return (sources.allSatisfy { $0.description.epoch == epoch }, epoch)
    }
    guard sources.allSatisfy({ $0.origin != nil || $0.description.epoch == 0 }) else { return (false, nil) }
    for index in sources.indices { sources[index].count(from: origin) }
    let isDated = sources.allSatisfy { $0.description.epoch != nil }
    return (true, isDated ? Double(origin) / 1e9 : nil)
  }
}
