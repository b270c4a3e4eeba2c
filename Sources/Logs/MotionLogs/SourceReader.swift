internal import InertialSensors

/// A source of samples: the merged files of a folder, or the lines of a log of several kinds.
protocol LogSource {
  /// Empty fields so far, which give no sample.
  var emptyCounts: [SensorChannel: Int] { get }
  /// The fraction that has been read, 0 to 1.
  var progress: Double { get }
  /// Appends some samples; false at the end, with nothing appended.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// Appends the samples of auxiliary channels that came with the samples read since the last call.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
  /// Adds the remarks of a source that has been read to the end.
  func complete(_ description: inout LogDescription)
}

/// A reader that opens and describes a log and leaves the reading to its source.
protocol SourceReader: LogReader {
  associatedtype Source: LogSource
  var description: LogDescription { get set }
  var source: Source { get set }
}

extension SourceReader {
  var emptyCounts: [SensorChannel: Int] { source.emptyCounts }
  var progress: Double { source.progress }

  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool {
    if try source.read(into: &batch) { return true }
    source.complete(&description)
    return false
  }

  mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) { source.takeAuxiliary(into: &batch) }
}
