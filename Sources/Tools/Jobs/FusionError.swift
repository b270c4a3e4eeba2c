public import InertialFilters
internal import InertialFusion
public import InertialLogs
internal import InertialSensors

/// Why a job was not done: one line that says what is wrong, where, and what to do.
public enum FusionError: LogFailure, Sendable, Equatable, CustomStringConvertible {
  /// The data are at fault: exit status 1.
  case badData(String)
  /// The request is at fault: exit status 2.
  case usage(String)
  /// One log does not say what the request needs, and an option can: exit status 2.
  case lacking(String)
  /// Whoever read standard output has left: nobody is there to be told.
  case readerHasGone

  public var description: String {
    switch self {
    case .badData(let line), .usage(let line), .lacking(let line): line
    case .readerHasGone: ""
    }
  }

  /// The command's exit status.
  package var exitCode: Int32 {
    switch self {
    case .badData, .readerHasGone: 1
    case .usage, .lacking: 2
    }
  }

  /// A log's error: bad data.
  public init(_ error: LogError) { self = .badData(error.description) }
  /// An output's error: bad usage, or that nobody reads any more.
  public init(_ error: OutputError) {
    self =
      switch error.kind {
      case .exists: .usage(error.description)
      case .closedPipe: .readerHasGone
      default: .badData(error.description)
      }
  }

  /// A setting that a filter does not take: bad usage.
  public init(_ error: FilterSettingError) { self = .usage(error.description) }
}

extension FilterKind {
  /// The filter of a name that a user gave.
  public static func known(_ name: String) throws(FusionError) -> FilterKind {
    guard let kind = named(name) else {
      throw .usage("there is no filter '\(name)'; there are \(all.map(\.name).joined(separator: ", "))")
    }
    return kind
  }
  /// An estimator of device motion around a filter of this kind, or around its offline form.
  func estimator(
    _ settings: [String: Double], _ configuration: DeviceMotionEstimator.Configuration, smooths: Bool
  ) throws(FusionError) -> DeviceMotionEstimator {
    do throws(FilterSettingError) {
      if !smooths {
        return try DeviceMotionEstimator(filter: self, settings: settings, configuration: configuration)
      }
      if let estimator = try DeviceMotionEstimator(smoothing: self, settings: settings, configuration: configuration) {
        return estimator
      }
    } catch {
      throw FusionError(error)
    }
    throw noOfflineForm
  }

  /// - Throws: where a column is of measurements that the filter does not tell of.
  func checkMeasurements(_ columns: [FusedColumn], smooths: Bool) throws(FusionError) {
    let told = measurementKinds(smoothing: smooths)
    guard let column = columns.first(where: { $0.measurement.map { !told.contains($0) } ?? false }) else { return }
    guard told.isEmpty else {
      let words = told.map(\.rawValue).joined(separator: ", ")
      throw .usage("the column '\(column.name)' is not of the filter \(name), which measures \(words)")
    }
    throw noMeasurements(smooths: smooths)
  }

  /// That the filter tells nothing of its measurements, and who does.
  func noMeasurements(smooths: Bool) -> FusionError {
    let others = Self.all.filter { !$0.measurementKinds(smoothing: smooths).isEmpty }.map(\.name)
    let form = smooths ? "the offline form of \(name)" : "the filter \(name)"
    let verb = others.count == 1 ? "does" : "do"
    return .usage("\(form) tells no innovations; \(others.joined(separator: ", ")) \(verb)")
  }

  func checkOfflineForm() throws(FusionError) {
    guard canSmooth else { throw noOfflineForm }
  }

  private var noOfflineForm: FusionError {
    let others = Self.all.filter(\.canSmooth).map(\.name)
    return .usage("the filter \(name) has no offline form for --smooth; \(others.joined(separator: ", ")) has")
  }
}
