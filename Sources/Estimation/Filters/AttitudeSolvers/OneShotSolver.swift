internal import InertialNumerics
public import InertialRotations

/// A one-shot method with its name and description. `OneShotSolver.all` lists all of them.
public struct OneShotSolver: Sendable {
  /// The type of the method.
  public let method: any OneShotMethod.Type

  package init(_ method: any OneShotMethod.Type) { self.method = method }

  /// The method's name in scripts and commands.
  public var name: String { method.name }
  /// A description in one sentence.
  public var summary: String { method.summary }
  /// The publication of the method's mathematics.
  public var source: String { method.source }
  /// The minimum number of pairs.
  public var minimumPairs: Int { method.minimumPairs }
  /// The maximum number of pairs, or `nil` for any number.
  public var maximumPairs: Int? { method.maximumPairs }
  /// Whether the result minimises Wahba's loss over all attitudes.
  public var isOptimal: Bool { method.isOptimal }

  /// Returns the attitude, device to earth, from vector pairs.
  public func attitude(_ pairs: [VectorPair]) throws(OneShotError) -> Quaternion { try method.attitude(pairs) }

  /// Returns the attitude, device to NWU, of a device at rest; see `OneShotMethod.attitude(acceleration:field:dip:)`.
  public func attitude(
    acceleration: Vector3, field: Vector3, dip: Double? = nil, accelerationWeight: Double = 1, fieldWeight: Double = 1
  ) throws(OneShotError) -> Quaternion {
    try method.attitude(
      acceleration: acceleration, field: field, dip: dip, accelerationWeight: accelerationWeight,
      fieldWeight: fieldWeight)
  }

  /// All methods: for one pair, for two pairs, for any number of pairs.
  public static let all: [OneShotSolver] = [
    OneShotSolver(Tilt.self), OneShotSolver(ECompass.self), OneShotSolver(TRIAD.self), OneShotSolver(FQA.self),
    OneShotSolver(SAAM.self), OneShotSolver(FAMC.self), OneShotSolver(Davenport.self), OneShotSolver(QUEST.self),
    OneShotSolver(SVDMethod.self), OneShotSolver(FLAE.self), OneShotSolver(OLEQ.self),
  ]

  /// Returns the solver with a name from the list `all`, or `nil` if there is no such solver.
  public static func named(_ name: String) -> OneShotSolver? { all.first { $0.name == name } }
}
