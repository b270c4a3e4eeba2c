internal import InertialNumerics

/// What a search found, and what it is worth on recordings that it has not seen. Errors are mean root mean square
/// errors in degrees, each recording counted once.
public struct TuningReport: Sendable, Codable, Equatable {
  /// A recording judged with parameters that were fitted without it.
  public struct HeldOut: Sendable, Codable, Equatable {
    /// The recording's name.
    public var recording: String
    /// What it was left out with; nil = it was left out alone.
    public var group: String?
    /// The error of the parameters that the search found.
    public var error: Double
    /// The error of the parameters that the search began with.
    public var startError: Double
  }

  /// One division into training and validation.
  public struct Fold: Sendable, Codable, Equatable {
    /// What the search found on the training recordings.
    public var settings: [String: Double]
    /// Recordings that the search saw.
    public var trainingCount: Int
    /// Their error with what was found.
    public var trainingError: Double
    /// Their error with what the search began with.
    public var startTrainingError: Double
    /// The error of the recordings left out, with what was found.
    public var validationError: Double
    /// The error of the recordings left out, with what the search began with.
    public var startValidationError: Double
    /// How often the mean training error was computed.
    public var evaluations: Int
    /// The recordings left out.
    public var recordings: [HeldOut]
  }

  /// The filter's name.
  public var filter: String
  /// Which error was made small.
  public var objective: TuningObjective
  /// How the parameters were searched.
  public var method: ParameterSearch.Method
  /// Of the division into folds and of the search.
  public var seed: UInt64
  /// How often the mean error might be computed in one search.
  public var budget: Int
  /// What was searched.
  public var parameters: [String]
  /// The values of these that every search began with: the filter's defaults, but for what was set by hand.
  public var start: [String: Double]
  /// Whether the searches began with the defaults of all parameters; if not, `startError` and the like are not the
  /// errors of the defaults.
  public var startIsDefault: Bool
  /// What came of each division.
  public var folds: [Fold] = []
  /// The parameters fitted on all recordings: what to use, and what no recording is left to judge.
  public var settings: [String: Double] = [:]
  /// Their error on the recordings they were fitted to.
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

  /// Every recording once, as judged when it was left out.
  public var heldOut: [HeldOut] { folds.flatMap(\.recordings) }
  /// The mean over the folds' training errors.
  public var meanTrainingError: Double { Statistics.mean(folds.map(\.trainingError)) ?? .nan }
  /// The mean over all recordings, each judged when it was left out: what new recordings of this kind may expect.
  public var meanValidationError: Double { Statistics.mean(heldOut.map(\.error)) ?? .nan }
  /// The same of the parameters that the search began with.
  public var meanStartError: Double { Statistics.mean(heldOut.map(\.startError)) ?? .nan }
  /// On how many recordings the fitted parameters were better than those at the start.
  public var improvedCount: Int { heldOut.count { $0.error < $0.startError } }
}
