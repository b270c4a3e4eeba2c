import InertialSensors

@testable import InertialLogs

/// Reads a log to its end.
func readAll(_ reader: inout some LogReader) throws(LogError) -> [SensorSample] {
  var samples: [SensorSample] = []
  while try reader.read(into: &samples) {}
  return samples
}

func readAll(_ reader: some LogReader) throws(LogError) -> [SensorSample] {
  var reader = reader
  return try readAll(&reader)
}

extension [SensorSample] {
  subscript(channel: SensorChannel) -> [SensorSample] { filter { $0.channel == channel } }

  /// The sample rate between the first and the last sample, without pauses of more than half a second, in Hz.
  var rate: Double {
    let pauses = zip(dropFirst(), self).map { $0.time - $1.time }.filter { $0 > 0.5 }
    return Double(count - 1 - pauses.count) / (last!.time - first!.time - pauses.reduce(0, +))
  }
}

/// Returns the error of an expression that opens or reads a log, or `nil` if there is no error.
func logError(of read: @autoclosure () throws(LogError) -> some Any) -> LogError? { logError(read) }

/// Returns the error of opening or reading a log, or `nil` if there is no error.
func logError(_ read: () throws(LogError) -> some Any) -> LogError? {
  do throws(LogError) {
    _ = try read()
    return nil
  } catch { return error }
}
