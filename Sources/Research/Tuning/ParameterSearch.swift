public import InertialFilters
internal import InertialNumerics

/// A search for the parameters of a filter with the smallest mean error over recordings, with cross-validation on
/// recordings that the search has not used.
public struct ParameterSearch: Sendable {
  /// The search method.
  public enum Method: String, Sendable, Codable, CaseIterable {
    /// The simplex of Nelder and Mead.
    case nelderMead = "nelder-mead"
    /// CMA-ES: samples from a normal distribution that adapts.
    case covarianceMatrixAdaptation = "cma-es"
  }

  /// The error that is minimized.
  public var objective = TuningObjective.total
  /// The search method.
  public var method = Method.nelderMead
  /// The division of recordings into training and validation.
  public var division = Folds.Division.folds(5)
  /// The maximum number of evaluations of the mean error in one search, or `nil` for 25 per parameter, and at least
  /// 100. One search is performed per fold, and one on all recordings.
  public var budget: Int?
  /// The seed of the division into folds and of the search.
  public var seed: UInt64 = 1
  /// The parameters that are not searched and differ from their defaults.
  public var settings: [String: Double] = [:]

  private let kind: FilterKind
  private let scales: [SearchScale]

  /// Creates a search for the parameters of a filter.
  ///
  /// - Parameters:
  ///   - kind: The filter.
  ///   - parameters: The names of the searched parameters, or `nil` for every parameter of the filter.
  /// - Throws: `TuningError` for a name that the filter does not have, or a repeated name.
  public init(_ kind: FilterKind, parameters: [String]? = nil) throws(TuningError) {
    self.kind = kind
    let names = parameters ?? kind.parameters.map(\.name)
    guard !names.isEmpty else { throw .noParameter(filter: kind.name) }
    var scales: [SearchScale] = []
    for name in names {
      guard let facts = kind.parameters.first(where: { $0.name == name }) else {
        if let meant = kind.parameter(setBy: name) { throw .classicalName(name, of: meant) }
        throw .setting(
          .unknownParameter(name, owner: "filter \(kind.name)", known: kind.parameters.map(\.name)))
      }
      guard !scales.contains(where: { $0.name == name }) else { throw .repeatedParameter(name) }
      scales.append(SearchScale(facts))
    }
    self.scales = scales
  }

  /// The progress of the search.
  public struct Progress: Sendable {
    /// The index of the current search, from 0; the last is the search on all recordings.
    public var search: Int
    /// The number of searches: one per fold, and one on all recordings.
    public var searchCount: Int
    /// The number of evaluations of the mean error in this search.
    public var evaluations: Int
    /// The maximum number of evaluations in this search.
    public var budget: Int
    /// The smallest mean error found, in degrees.
    public var bestError: Double

    /// The fraction of the work that is done, 0...1.
    public var fraction: Double {
      (Double(search) + min(1, Double(evaluations) / Double(budget))) / Double(searchCount)
    }
  }

  /// Searches in every fold, evaluates each result on its held-out recordings, and searches once more on all of them.
  ///
  /// The result depends only on the recordings, the options and the seed, not on the number of cores.
  public func run(on recordings: [TuningRecording], progress: (Progress) -> Void = { _ in })
    async throws(TuningError) -> TuningReport
  {
    let (kind, scales, settings, objective) = (kind, scales, settings, objective)
    let parallel = ParallelObjective(lengths: recordings.map(\.rowCount)) { point, recording in
      // The values are inside their ranges, so a setting is rejected only if the caller's own settings are.
      recordings[recording].error(of: kind, settings: Self.merged(settings, scales, point), objective)
    }
    return try await run(
      recordings.map { Unit(name: $0.name, group: $0.group) }, parallel, progress: progress)
  }

  /// A recording in the cross-validation.
  struct Unit: Sendable {
    var name: String
    var group: String?
  }

  func run(_ units: [Unit], _ error: ParallelObjective, progress: (Progress) -> Void) async throws(TuningError)
    -> TuningReport
  {
    for setting in settings.keys.sorted() {
      for scale in scales where setting != scale.name && kind.parameter(setBy: setting) == scale.name {
        throw .setAndSearched(scale.name, by: setting)
      }
    }
    let startIsDefault: Bool
    do throws(SettingError) { startIsDefault = try kind.values(settings) == kind.values() } catch {
      throw .setting(error)
    }
    let folds = try Folds(groups: units.map(\.group), division: division, seed: seed)
    let budget = budget ?? max(100, 25 * scales.count)
    guard budget > scales.count + 1 else { throw .budgetTooSmall(budget, minimum: scales.count + 2) }
    let all = Array(units.indices)
    let start = scales.map { scale in settings[scale.name].map(scale.coordinate) ?? 0 }
    let startErrors = await error.errors(of: [start], on: all)[0]
    if let index = startErrors.firstIndex(where: { !$0.isFinite }) { throw .noError(recording: units[index].name) }

    var report = TuningReport(
      filter: kind.name, objective: objective, method: method, seed: seed, budget: budget,
      parameters: scales.map(\.name), start: Self.merged([:], scales, start),
      startIsDefault: startIsDefault)
    for fold in folds.validation.indices {
      let (training, validation) = (folds.training(fold), folds.validation[fold])
      let found = await search(
        start, error, training, seed: seed &+ UInt64(fold) &+ 1, budget: budget
      ) { count, best in
        progress(
          Progress(
            search: fold, searchCount: folds.validation.count + 1, evaluations: count, budget: budget,
            bestError: best))
      }
      let heldOut = await error.errors(of: [found.point], on: validation)[0]
      report.folds.append(
        TuningReport.Fold(
          settings: values(found.point), trainingCount: training.count, trainingError: found.value,
          startTrainingError: Statistics.mean(training.map { startErrors[$0] }) ?? .nan,
          validationError: Statistics.mean(heldOut) ?? .nan,
          startValidationError: Statistics.mean(validation.map { startErrors[$0] }) ?? .nan,
          evaluations: found.count,
          recordings: zip(validation, heldOut).map {
            TuningReport.HeldOut(
              recording: units[$0].name, group: units[$0].group, error: $1, startError: startErrors[$0])
          }))
    }
    let final = await search(start, error, all, seed: seed, budget: budget) { count, best in
      progress(
        Progress(
          search: folds.validation.count, searchCount: folds.validation.count + 1, evaluations: count,
          budget: budget, bestError: best))
    }
    report.settings = values(final.point)
    report.trainingError = final.value
    return report
  }

  // MARK: Steps

  private func search(
    _ start: [Double], _ error: ParallelObjective, _ recordings: [Int], seed: UInt64, budget: Int,
    progress: (Int, Double) -> Void
  ) async -> (point: [Double], value: Double, count: Int) {
    let box = SearchBox(scales.map(\.bounds))
    switch method {
    case .nelderMead:
      let simplex = NelderMead(start: start, steps: Array(repeating: 1, count: start.count), box: box)
      return await drive(simplex, start, error, recordings, budget, progress)
    case .covarianceMatrixAdaptation:
      let strategy = CovarianceMatrixAdaptation(start: start, stepSize: 0.5, box: box, seed: seed)
      return await drive(strategy, start, error, recordings, budget, progress)
    }
  }

  private func drive(
    _ minimizer: some Minimizer, _ start: [Double], _ error: ParallelObjective, _ recordings: [Int],
    _ budget: Int, _ progress: (Int, Double) -> Void
  ) async -> (point: [Double], value: Double, count: Int) {
    var minimizer = minimizer
    // The start itself counts: a search never ends with a worse result than its start.
    var best = (point: start, value: await error.means(of: [start], on: recordings)[0])
    var count = 1
    while count < budget, !minimizer.isConverged {
      let points = minimizer.ask()
      minimizer.tell(await error.means(of: points, on: recordings))
      count += points.count
      if let found = minimizer.best, found.value < best.value { best = found }
      progress(count, best.value)
    }
    return (best.point, best.value, count)
  }

  private func values(_ point: [Double]) -> [String: Double] { Self.merged(settings, scales, point) }

  private static func merged(_ settings: [String: Double], _ scales: [SearchScale], _ point: [Double])
    -> [String: Double]
  {
    var values = settings
    for (scale, coordinate) in zip(scales, point) { values[scale.name] = scale.value(at: coordinate) }
    return values
  }
}
