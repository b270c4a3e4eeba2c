public import InertialFilters
internal import InertialFusion
public import InertialLogs
internal import InertialSensors

/// The reason for a failed job: one line with the problem, its position and the remedy.
public enum FusionError: LogFailure, Sendable, Equatable, CustomStringConvertible {
  /// Invalid data: exit status 1.
  case badData(String)
  /// An invalid request: exit status 2.
  case usage(String)
  /// A log that lacks information for the request, which an option can provide: exit status 2.
  case lacking(String)
  /// A closed standard output, so that no message can be read.
  case readerHasGone
  /// A job that its caller has stopped: status 3.
  case stopped

  public var description: String {
    switch self {
    case .badData(let line), .usage(let line), .lacking(let line): line
    case .readerHasGone: ""
    case .stopped: "stopped by the caller"
    }
  }

  /// The exit status of the command, or the code for a C caller.
  package var exitCode: Int32 {
    switch self {
    case .badData, .readerHasGone: 1
    case .usage, .lacking: 2
    case .stopped: 3
    }
  }

  /// Creates an error of invalid data from a log's error.
  public init(_ error: LogError) { self = .badData(error.description) }
  /// Creates an error from an output's error: an invalid request, invalid data, or a closed standard output.
  public init(_ error: OutputError) {
    self =
      switch error.kind {
      case .exists: .usage(error.description)
      case .closedPipe: .readerHasGone
      default: .badData(error.description)
      }
  }

  /// Creates an error of an invalid request from an unknown name or an invalid setting.
  public init(_ error: SettingError) { self = .usage(error.description) }
}

extension Registry {
  /// Returns the kind with a name given by the user.
  package func requested(_ name: String) throws(FusionError) -> Kind {
    do throws(SettingError) { return try known(name) } catch { throw FusionError(error) }
  }

  /// Returns the kinds with the names given by the user; all if there are no names.
  package func requested(_ names: [String]) throws(FusionError) -> [Kind] {
    names.isEmpty ? Array(self) : try names.map { (name) throws(FusionError) in try requested(name) }
  }
}

extension FilterKind {
  /// Returns an estimator of device motion that uses this filter or its offline form.
  func estimator(
    _ settings: [String: Double], _ configuration: DeviceMotionEstimator.Configuration, smooths: Bool
  ) throws(FusionError) -> DeviceMotionEstimator {
    do throws(SettingError) {
      if !smooths { return try DeviceMotionEstimator(filter: self, settings: settings, configuration: configuration) }
      if let estimator = try DeviceMotionEstimator(smoothing: self, settings: settings, configuration: configuration) {
        return estimator
      }
    } catch {
      throw FusionError(error)
    }
    throw noOfflineForm
  }

  /// - Throws: ``FusionError`` if a column needs a measurement that the filter does not report.
  func checkMeasurements(_ columns: [FusedColumn], smooths: Bool) throws(FusionError) {
    let reported = measurementKinds(smoothing: smooths)
    guard let column = columns.first(where: { $0.measurement.map { !reported.contains($0) } ?? false }) else { return }
    guard reported.isEmpty else {
      let labels = reported.map(\.rawValue).joined(separator: ", ")
      throw .usage("the filter \(name) has no column '\(column.name)'; it measures \(labels)")
    }
    throw noMeasurements(smooths: smooths)
  }

  /// Returns the error that the filter reports no measurements, with the names of the filters that do.
  func noMeasurements(smooths: Bool) -> FusionError {
    let others = FilterKind.all.filter { !$0.measurementKinds(smoothing: smooths).isEmpty }.map(\.name)
    let form = smooths ? "the offline form of \(name)" : "the filter \(name)"
    let verb = others.count == 1 ? "reports" : "report"
    return .usage("\(form) reports no innovations; \(others.joined(separator: ", ")) \(verb) them")
  }

  func checkOfflineForm() throws(FusionError) {
    guard canSmooth else { throw noOfflineForm }
  }

  private var noOfflineForm: FusionError {
    let others = FilterKind.all.filter(\.canSmooth).map(\.name)
    return .usage("the filter \(name) has no offline form for --smooth; use \(others.joined(separator: ", "))")
  }
}
