internal import InertialSensors

/// A CSV file as a stream of a folder: of its motion and, beside it or alone, of its auxiliary channels.
struct CSVSource: SampleSource, AuxiliarySource {
  private var reader: CSVLogReader
  /// Seconds to be added to the file's times, so that all files of a folder count from the same moment.
  private var offset = 0.0
  /// Notes on opening; those behind them came while reading.
  private let noteCount: Int
  /// Auxiliary samples of a file without motion that were read ahead.
  private var held: ArraySlice<AuxiliarySample> = []

  init(_ reader: CSVLogReader) {
    self.reader = reader
    noteCount = reader.description.notes.count
  }

  var description: LogDescription { reader.description }
  /// The first stamp, where times count from it: nanoseconds since 1970.
  var origin: Int64? { reader.origin }
  var emptyCounts: [SensorChannel: Int] { reader.emptyCounts }
  /// What reading added to the description.
  var remarks: [String] { Array(reader.description.notes.dropFirst(noteCount)) }
  var progress: Double { reader.progress }

  /// Lets times count from another moment than the file's first stamp, or than 1970.
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
    let file = reader.description.path.split(separator: "/").last ?? ""
    return reader.description.lineWarnings.map { "\(file), \($0)" }
  }

  /// Appends the rows up to a time, in the order of the file, of a file without motion.
  mutating func read(upTo time: Double, into batch: inout [AuxiliarySample]) throws(LogError) {
    while true {
      while let first = held.first {
        // A time that is no number waits for nothing.
        if first.time > time { return }
        batch.append(held.removeFirst())
      }
      guard try reader.readAuxiliaryRows() else { return }
      var block: [AuxiliarySample] = []
      takeAuxiliary(into: &block)
      held = block[...]
    }
  }

  /// Puts the files of a folder on one clock: those that count nanoseconds since 1970 from the first stamp of one of them,
  /// other UNIX times from the same.
  ///
  /// - Parameter origin: the moment to count from; nil for the earliest stamp.
  /// - Returns: UNIX time in seconds of time 0, where the files tell; false where they count from different moments.
  static func shareClock(_ sources: inout [CSVSource], from first: Int64? = nil) -> (isShared: Bool, epoch: Double?) {
    // Times of day and dates compare only with their own kind.
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
