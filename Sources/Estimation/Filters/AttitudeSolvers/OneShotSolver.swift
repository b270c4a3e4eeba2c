internal import InertialNumerics
public import InertialRotations

/// A one-shot method by name: what it is, what it takes, and the method. The list is `OneShotSolver.all`.
public struct OneShotSolver: Sendable {
  /// The method itself.
  public let method: any OneShotMethod.Type

  package init(_ method: any OneShotMethod.Type) { self.method = method }

  /// The word that scripts and the command find it by.
  public var name: String { method.name }
  /// What it is, in a sentence.
  public var summary: String { method.summary }
  /// Where its mathematics is from.
  public var source: String { method.source }
  /// The fewest pairs it takes.
  public var minimumPairs: Int { method.minimumPairs }
  /// The most pairs it takes; nil for any number.
  public var maximumPairs: Int? { method.maximumPairs }
  /// Whether the result has the least Wahba loss of all attitudes.
  public var isOptimal: Bool { method.isOptimal }

  /// The attitude, device to earth, from vector pairs.
  public func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion { try method.attitude(pairs) }

  /// The attitude, device to NWU, of a device at rest; see `OneShotMethod.attitude(acceleration:field:dip:)`.
  public func attitude(
    acceleration: Vector3, field: Vector3, dip: Double? = nil, accelerationWeight: Double = 1, fieldWeight: Double = 1
  ) throws(OneShotError) -> Quaternion {
    try method.attitude(
      acceleration: acceleration, field: field, dip: dip, accelerationWeight: accelerationWeight,
      fieldWeight: fieldWeight)
  }

  /// Every method: one pair, two pairs, any number.
  public static let all: [OneShotSolver] = [
    OneShotSolver(Tilt.self), OneShotSolver(ECompass.self), OneShotSolver(TRIAD.self), OneShotSolver(FQA.self),
    OneShotSolver(SAAM.self), OneShotSolver(FAMC.self), OneShotSolver(Davenport.self), OneShotSolver(QUEST.self),
    OneShotSolver(SVDMethod.self), OneShotSolver(FLAE.self), OneShotSolver(OLEQ.self),
  ]

  /// The solver of a name of the list `all`; nil where there is none.
  public static func named(_ name: String) -> OneShotSolver? { all.first { $0.name == name } }
}
