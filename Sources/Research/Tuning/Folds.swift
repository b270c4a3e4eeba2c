internal import InertialNumerics

/// How recordings are divided for cross-validation: each is validated once, by parameters that never saw it.
public struct Folds: Sendable, Equatable {
  /// The indices of the recordings that are validated together, ascending; one list a fold.
  public let validation: [[Int]]
  private let count: Int

  /// The recordings that a fold trains on.
  public func training(_ fold: Int) -> [Int] {
    let left = Set(validation[fold])
    return (0..<count).filter { !left.contains($0) }
  }

  /// How many folds to make of what belongs together.
  public enum Division: Sendable, Equatable {
    /// So many folds of about equal numbers of recordings, drawn by chance.
    case folds(Int)
    /// A fold for each recording, or each group where there are groups.
    case leaveOneOut
  }

  /// - `groups`: the group of each recording; nil = on its own. Recordings of a group are never divided: what was
  ///   learned of a person in training must not be judged on the same person.
  /// - `seed`: of the drawing.
  /// - Throws: where there are fewer than two recordings or groups, or not as many as folds.
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
      // Big groups first, each to the fold with the fewest recordings, so that the folds come out alike.
      for unit in units.shuffled(using: &generator).sorted(by: { $0.count > $1.count }) {
        let smallest = folds.indices.min { (folds[$0].count, $0) < (folds[$1].count, $1) } ?? 0
        folds[smallest] += unit
      }
      validation = folds.map { $0.sorted() }
    }
  }
}

/// Why parameters cannot be searched.
public enum TuningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Too few recordings, or groups, to leave one out.
  case tooFewUnits(Int, isGrouped: Bool)
  /// Fewer than two folds.
  case tooFewFolds(Int)
  /// More folds than recordings, or groups.
  case tooManyFolds(Int, units: Int, isGrouped: Bool)
  /// The filter has no parameter of the name; `known` are those that it has.
  case unknownParameter(String, filter: String, known: [String])
  /// A name of the literature for parameters with names of their own.
  case classicalName(String, of: [String])
  /// A parameter that is searched, and that a fixed setting under another name decides.
  case setAndSearched(String, by: String)
  /// A parameter is named twice.
  case repeatedParameter(String)
  /// The filter has no parameter to search.
  case noParameter(filter: String)
  /// The search cannot begin with so few evaluations.
  case budgetTooSmall(Int, least: Int)
  /// The filter's defaults have no finite error on a recording, so that there is nothing to compare with.
  case noError(recording: String)

  public var description: String {
    switch self {
    case .tooFewUnits(let count, let isGrouped):
      "cross-validation needs at least 2 \(isGrouped ? "groups" : "recordings"), and there \(count == 1 ? "is 1" : "are \(count)"): "
        + "an error on the data that parameters were fitted to says nothing about other data"
    case .tooFewFolds(let count):
      "cross-validation needs at least 2 folds, not \(count): "
        + "an error on the data that parameters were fitted to says nothing about other data"
    case .tooManyFolds(let count, let units, let isGrouped):
      "\(count) folds need as many \(isGrouped ? "groups" : "recordings"), and there are \(units)"
    case .unknownParameter(let name, let filter, let known):
      "the filter \(filter) has no parameter '\(name)'; it has \(known.joined(separator: ", "))"
    case .classicalName(let name, let parameters):
      "\(name) is a classical name and cannot be searched; search \(parameters.joined(separator: ", "))"
    case .setAndSearched(let parameter, let setting):
      "\(setting) sets \(parameter), which is searched; set or search it, not both"
    case .repeatedParameter(let name): "the parameter '\(name)' is named twice"
    case .noParameter(let filter): "the filter \(filter) has no parameter to search"
    case .budgetTooSmall(let budget, let least):
      "a budget of \(budget) evaluations is too small for so many parameters; give at least \(least)"
    case .noError(let recording):
      "\(recording): the filter has no finite estimate there with its default parameters"
    }
  }
}
