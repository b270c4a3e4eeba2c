public import InertialSensors

// How a reader delivers an auxiliary channel (pressure, steps, position, sound, scans, annotations ...):
// 1. `LogOptions.auxiliary` contains the requested channels. By default it is empty, and the reader skips the rest.
// 2. When opening, set `description.auxiliaryChannels` to the requested channels that the log has.
// 3. While `read` goes through the log, make `AuxiliarySample`s in the units of the channel's fields
//    (`sample["pressure"] = hectopascals / 10`), store them, and return them from `takeAuxiliary`.
// A folder of tables needs no such code: list `AuxiliaryFile`s (file, channel, columns), open them with
// `AuxiliaryTable`, and pass these to `MergedLogReader`. A new channel is a case and an entry in `AuxiliaryChannel`.

/// A single pass over a log, in batches and in bounded memory.
///
/// Samples of a channel have the order of the file. Different channels are roughly sorted by time (a reader of several
/// files merges them). Invalid values (NaN, infinity) are passed on unchanged; `SampleConditioner` handles them. Empty
/// cells yield no sample and are counted in `emptyCounts`.
public protocol LogReader {
  /// The log's format and the inferred properties.
  var description: LogDescription { get }
  /// The number of empty fields per channel; an empty field yields no sample.
  var emptyCounts: [SensorChannel: Int] { get }
  /// The fraction of the log read so far, 0 to 1.
  var progress: Double { get }
  /// Appends the next batch of samples, or returns `false` at the end of the log without appending any.
  mutating func read(into batch: inout [SensorSample]) throws(LogError) -> Bool
  /// Appends the samples of the requested auxiliary channels that were read since the last call.
  ///
  /// Call this method after every `read`, including the last one. Samples of a channel have the order of the file. No
  /// sample is delivered after the motion samples of its time, as far as the log's order allows.
  mutating func takeAuxiliary(into batch: inout [AuxiliarySample])
}

extension LogReader {
  /// Appends no samples: most logs contain motion only.
  public mutating func takeAuxiliary(into batch: inout [AuxiliarySample]) {}
}
