public import InertialFilters
internal import InertialNumerics

/// The division of recordings for cross-validation: each is validated once, with parameters fitted without it.
public struct Folds: Sendable, Equatable {
  /// The indices of the recordings that are validated together, ascending; one list per fold.
  public let validation: [[Int]]
  private let count: Int

  /// Returns the recordings in a fold's training set.
  public func training(_ fold: Int) -> [Int] {
    let left = Set(validation[fold])
    return (0..<count).filter { !left.contains($0) }
  }

  /// The number of folds.
  public enum Division: Sendable, Equatable {
    /// The given number of folds with about equal numbers of recordings, drawn at random.
    case folds(Int)
    /// One fold per recording, or per group if there are groups.
    case leaveOneOut
  }

  /// Creates a division.
  ///
  /// - Parameters:
  ///   - groups: The group of each recording, or `nil` for a recording on its own. Recordings of a group are never
  ///     divided: parameters fitted to a person must not be evaluated on the same person.
  ///   - division: The number of folds.
  ///   - seed: The seed of the random division.
  /// - Throws: `TuningError` if there are fewer than two recordings or groups, or fewer than folds.
  public init(groups: [String?], division: Division, seed: UInt64) throws(TuningError) {
    var units: [[Int]] = []
    var unitOfGroup: [String: Int] = [:]
    for (index, group) in groups.enumerated() {
      if let group, let unit = unitOfGroup[group] {
        units[unit].append(index)
      } else {
        if let group { unitOfGroup[group] = units.count }
        units.append([index])
      }
    }
    let isGrouped = !unitOfGroup.isEmpty
    guard units.count >= 2 else { throw .tooFewUnits(units.count, isGrouped: isGrouped) }
    count = groups.count
    switch division {
    case .leaveOneOut: validation = units
    case .folds(let wanted):
      guard wanted >= 2 else { throw .tooFewFolds(wanted) }
      guard wanted <= units.count else { throw .tooManyFolds(wanted, units: units.count, isGrouped: isGrouped) }
      var generator = SeededGenerator(seed: seed)
      var folds = [[Int]](repeating: [], count: wanted)
      // Large groups are assigned first, each to the smallest fold, so that the folds have similar sizes.
      for unit in units.shuffled(using: &generator).sorted(by: { $0.count > $1.count }) {
        let smallest = folds.indices.min { (folds[$0].count, $0) < (folds[$1].count, $1) } ?? 0
        folds[smallest] += unit
      }
      validation = folds.map { $0.sorted() }
    }
  }
}

/// The reason parameters cannot be searched.
public enum TuningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The recordings, or groups, are too few to leave one out.
  case tooFewUnits(Int, isGrouped: Bool)
  /// The number of folds is below two.
  case tooFewFolds(Int)
  /// The number of folds exceeds that of the recordings, or groups.
  case tooManyFolds(Int, units: Int, isGrouped: Bool)
  /// The filter does not have a searched or fixed parameter, or does not accept its value.
  case setting(SettingError)
  /// The name is a classical name from the literature for a parameter with another name.
  case classicalName(String, of: String)
  /// A searched parameter is also set by a fixed setting under another name.
  case setAndSearched(String, by: String)
  /// A parameter is named twice.
  case repeatedParameter(String)
  /// The filter has no parameter to search.
  case noParameter(filter: String)
  /// The budget is too small for the search to begin.
  case budgetTooSmall(Int, minimum: Int)
  /// The filter's defaults have no finite error on a recording, so there is no baseline for a comparison.
  case noError(recording: String)

  public var description: String {
    switch self {
    case .tooFewUnits(let count, let isGrouped):
      "cross-validation needs at least 2 \(isGrouped ? "groups" : "recordings"), and there \(count == 1 ? "is 1" : "are \(count)"): "
        + "an error on the fitted data does not predict errors on other data"
    case .tooFewFolds(let count):
      "cross-validation needs at least 2 folds, not \(count): "
        + "an error on the fitted data does not predict errors on other data"
    case .tooManyFolds(let count, let units, let isGrouped):
      "\(count) folds need as many \(isGrouped ? "groups" : "recordings"), and there are \(units)"
    case .setting(let error): error.description
    case .classicalName(let name, let parameter):
      "\(name) is a classical name and cannot be searched; search \(parameter)"
    case .setAndSearched(let parameter, let setting):
      "\(setting) sets \(parameter), which is searched; set or search it, not both"
    case .repeatedParameter(let name): "the parameter '\(name)' is named twice"
    case .noParameter(let filter): "the filter \(filter) has no parameter to search"
    case .budgetTooSmall(let budget, let minimum):
      "a budget of \(budget) evaluations is too small for the number of parameters; give at least \(minimum)"
    case .noError(let recording):
      "\(recording): the filter has no finite estimate there with its default parameters"
    }
  }
}
