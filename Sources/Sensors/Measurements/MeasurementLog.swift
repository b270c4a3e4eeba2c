/// The outcomes of a filter's latest measurements, recorded on request; see `MeasurementReporting`.
public struct MeasurementLog: Sendable, Codable, Equatable {
  /// The outcomes since the last gyroscope sample but one, in order, so that a row of a dataset has each of them once.
  public private(set) var outcomes: [MeasurementOutcome] = []
  private var times: [Double] = []
  private var lastTime: Double?

  /// Creates an empty log.
  public init() {}

  /// Removes the outcomes of gyroscope samples before the last one.
  ///
  /// - Parameter time: The time of the gyroscope's new sample, in s.
  public mutating func begin(at time: Double) {
    if let lastTime {
      let count = times.prefix { $0 <= lastTime }.count
      if count > 0 {
        outcomes.removeFirst(count)
        times.removeFirst(count)
      }
    }
    lastTime = time
  }

  /// Appends the outcome of a measurement.
  ///
  /// - Parameters:
  ///   - outcome: The measurement and its verdict.
  ///   - time: The time of its use, in s. Times must not decrease.
  public mutating func add(_ outcome: MeasurementOutcome, at time: Double) {
    outcomes.append(outcome)
    times.append(time)
  }
}

/// A filter or offline smoother that can record the outcome of each measurement. It records them only on request.
public protocol MeasurementReporting {
  /// The kinds of measurement that can be recorded, in the order of their columns.
  static var measurementKinds: [MeasurementKind] { get }
  /// The outcomes of the latest measurements, or `nil` if they are not recorded. Set an empty log to record them.
  ///
  /// Recording changes no other number of the filter, and the log is not part of its state.
  var measurements: MeasurementLog? { get set }
}
