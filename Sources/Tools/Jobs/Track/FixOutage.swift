internal import InertialLogs
internal import InertialSensors

/// A time without position fixes, in a log that has them.
package struct FixOutage: Sendable, Equatable {
  /// Fixes after its start and up to its end are held back, seconds on the log's clock.
  package var times: ClosedRange<Double>
  /// What the log has later than this is not read, either.
  package var end: Double

  package init(times: ClosedRange<Double>, end: Double) { (self.times, self.end) = (times, end) }

  func holdsBack(_ time: Double) -> Bool { time > times.lowerBound && time <= times.upperBound }

  func left(of block: [AuxiliarySample]) -> [AuxiliarySample] {
    block.filter { $0.time <= end && !($0.channel == .location && holdsBack($0.time)) }
  }

  func left(of block: [SensorSample]) -> [SensorSample] {
    // In order of time.
    guard let last = block.last, last.time > end else { return block }
    return block.filter { $0.time <= end }
  }
}
