internal import Sensors

/// A CSV file as a stream of a folder.
struct CSVSource: SampleSource {
  private var reader: CSVLogReader
  /// Seconds to be added to the file's times, so that all files of a folder count from the same moment.
  private var offset = 0.0
  /// Notes on opening; those behind them came while reading.
  private let noteCount: Int

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

  /// Lets times count from another moment than the file's first stamp.
  mutating func count(from origin: Int64) {
    if let own = reader.origin { offset = Double(own - origin) / 1e9 }
  }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    let start = batch.count
    guard try reader.read(into: &batch) else { return false }
    if offset != 0 { for index in start..<batch.count { batch[index].time += offset } }
    return true
  }
}
