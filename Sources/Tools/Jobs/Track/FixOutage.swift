internal import InertialLogs
internal import InertialSensors

/// An interval without position fixes, in a log that has fixes.
package struct FixOutage: Sendable, Equatable {
  /// The interval whose fixes are withheld, in seconds on the log's clock; a fix at its start is kept.
  package var times: ClosedRange<Double>
  /// The end of the log's evaluated part; later samples are not read.
  package var end: Double

  package init(times: ClosedRange<Double>, end: Double) { (self.times, self.end) = (times, end) }

  func withholds(_ time: Double) -> Bool { time > times.lowerBound && time <= times.upperBound }

  func left(of block: [AuxiliarySample]) -> [AuxiliarySample] {
    block.filter { $0.time <= end && !($0.channel == .location && withholds($0.time)) }
  }

  func left(of block: [SensorSample]) -> [SensorSample] {
    // Samples are in chronological order.
    guard let last = block.last, last.time > end else { return block }
    return block.filter { $0.time <= end }
  }
}
