internal import InertialSensors

/// A source of samples: the merged files of a folder, or a log with several kinds of lines.
protocol LogSource {
  /// The number of empty fields per channel so far; an empty field yields no sample.
  var emptyCounts: [SensorChannel: Int] { get }
  /// The fraction read so far, 0 to 1.
  var progress: Double { get }
  /// Appends some samples, or returns `false` at the end without appending any.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// Appends the samples of auxiliary channels that were read since the last call.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
  /// Adds the remarks of a source that was read to the end.
  func complete(_ description: inout LogDescription)
}

/// A reader that opens and describes a log and reads its samples from a source.
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
