internal import InertialNumerics

/// The result of a search, with its cross-validation on recordings that it has not used. Errors are mean root mean
/// square errors in degrees, with each recording counted once.
public struct TuningReport: Sendable, Codable, Equatable {
  /// A recording evaluated with parameters that were fitted without it.
  public struct HeldOut: Sendable, Codable, Equatable {
    /// The recording's name.
    public var recording: String
    /// The group that was left out together, or `nil` if the recording was left out alone.
    public var group: String?
    /// The error with the fitted parameters.
    public var error: Double
    /// The error with the parameters at the start of the search.
    public var startError: Double
  }

  /// One division into training and validation.
  public struct Fold: Sendable, Codable, Equatable {
    /// The parameters fitted to the training recordings.
    public var settings: [String: Double]
    /// The number of training recordings.
    public var trainingCount: Int
    /// The training error with the fitted parameters.
    public var trainingError: Double
    /// The training error with the parameters at the start.
    public var startTrainingError: Double
    /// The error of the held-out recordings with the fitted parameters.
    public var validationError: Double
    /// The error of the held-out recordings with the parameters at the start.
    public var startValidationError: Double
    /// The number of evaluations of the mean training error.
    public var evaluations: Int
    /// The held-out recordings.
    public var recordings: [HeldOut]
  }

  /// The filter's name.
  public var filter: String
  /// The error that was minimized.
  public var objective: TuningObjective
  /// The search method.
  public var method: ParameterSearch.Method
  /// The seed of the division into folds and of the search.
  public var seed: UInt64
  /// The maximum number of evaluations of the mean error in one search.
  public var budget: Int
  /// The searched parameters.
  public var parameters: [String]
  /// The start values of the searched parameters: the filter's defaults, except for those set by the caller.
  public var start: [String: Double]
  /// Whether the searches began with the defaults of all parameters; if not, `startError` and similar figures do not
  /// refer to the defaults.
  public var startIsDefault: Bool
  /// The result of each division.
  public var folds: [Fold] = []
  /// The parameters fitted to all recordings: those to use, without a held-out recording to evaluate them.
  public var settings: [String: Double] = [:]
  /// The error on the recordings to which `settings` were fitted.
  public var trainingError = Double.nan

  init(
    filter: String, objective: TuningObjective, method: ParameterSearch.Method, seed: UInt64, budget: Int,
    parameters: [String], start: [String: Double], startIsDefault: Bool
  ) {
    self.filter = filter
    self.objective = objective
    self.method = method
    self.seed = seed
    self.budget = budget
    self.parameters = parameters
    self.start = start
    self.startIsDefault = startIsDefault
  }

  /// Every recording once, as evaluated when it was held out.
  public var heldOut: [HeldOut] { folds.flatMap(\.recordings) }
  /// The mean of the folds' training errors.
  public var meanTrainingError: Double { Statistics.mean(folds.map(\.trainingError)) ?? .nan }
  /// The mean over all recordings, each evaluated when it was held out: the expected error on new recordings of this
  /// kind.
  public var meanValidationError: Double { Statistics.mean(heldOut.map(\.error)) ?? .nan }
  /// The mean over all held-out recordings with the parameters at the start.
  public var meanStartError: Double { Statistics.mean(heldOut.map(\.startError)) ?? .nan }
  /// The number of recordings on which the fitted parameters were better than those at the start.
  public var improvedCount: Int { heldOut.count { $0.error < $0.startError } }
}
