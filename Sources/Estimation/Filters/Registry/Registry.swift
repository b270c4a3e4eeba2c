/// A kind of object that is found by its name, such as a filter or a shake detector.
public protocol RegisteredKind: Sendable {
  /// The noun for the kind in messages.
  static var noun: String { get }
  /// The name that selects the object.
  var name: String { get }
}

/// The kinds of objects that a program can use, by name and in order. A program adds its own to a copy:
/// `FilterKind.all.adding(MyFilter.self)`.
public struct Registry<Kind: RegisteredKind>: RandomAccessCollection, Sendable {
  private var kinds: [Kind] = []

  /// Creates a registry. Of kinds with the same name, the last one counts, in the position of the first.
  public init(_ kinds: some Sequence<Kind>) {
    for kind in kinds { add(kind) }
  }

  public var startIndex: Int { kinds.startIndex }
  public var endIndex: Int { kinds.endIndex }
  public subscript(position: Int) -> Kind { kinds[position] }

  /// The kind with a name, or `nil` if there is no such kind.
  public subscript(name: String) -> Kind? { kinds.first { $0.name == name } }

  /// Returns the kind with a name.
  ///
  /// - Throws: `SettingError` for an unknown name, with the nearest known one.
  public func known(_ name: String) throws(SettingError) -> Kind {
    guard let kind = self[name] else { throw .unknownName(name, kind: Kind.noun, known: kinds.map(\.name)) }
    return kind
  }

  /// Returns the registry with a kind added, or replaced if its name is present.
  public func adding(_ kind: Kind) -> Self {
    var registry = self
    registry.add(kind)
    return registry
  }

  private mutating func add(_ kind: Kind) {
    if let index = kinds.firstIndex(where: { $0.name == kind.name }) {
      kinds[index] = kind
    } else {
      kinds.append(kind)
    }
  }
}
