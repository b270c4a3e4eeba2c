/// What a filter has made of its latest measurements, for those who ask; see `MeasurementReporting`.
public struct MeasurementLog: Sendable, Codable, Equatable {
  /// Those from after the last gyroscope sample but one to now, in order: a row of a dataset has each once.
  public private(set) var outcomes: [MeasurementOutcome] = []
  private var times: [Double] = []
  private var lastTime: Double?

  /// Nothing measured yet.
  public init() {}

  /// Forgets what belongs to earlier gyroscope samples than the last one.
  ///
  /// - Parameter time: of the gyroscope's new sample, s.
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

  /// Takes what was made of a measurement.
  ///
  /// - Parameters:
  ///   - outcome: the measurement and its verdict.
  ///   - time: when it was used, s; times do not fall.
  public mutating func add(_ outcome: MeasurementOutcome, at time: Double) {
    outcomes.append(outcome)
    times.append(time)
  }
}

/// A filter, or an offline form, that tells what it makes of each measurement: to those who ask, as it is kept for nobody
/// else.
public protocol MeasurementReporting {
  /// What it can tell of, in the order of their columns.
  static var measurementKinds: [MeasurementKind] { get }
  /// What was made of the latest measurements; nil until somebody asks by putting an empty log here.
  ///
  /// It changes no other number of the filter, and is no part of its state.
  var measurements: MeasurementLog? { get set }
}
