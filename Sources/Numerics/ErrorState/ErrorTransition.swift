/// The transition of the errors over an epoch, e ← D (I + G) e, by blocks: equation (5) of docs/theory/error-state.md.
///
/// G consists of at most 8 terms, each from a source to a target; D is diagonal. All terms act on the errors at the
/// epoch's start. The transition has no heap storage.
public struct ErrorTransition: Sendable {
  /// A part of G or of D.
  struct Term: Sendable {
    enum Kind: Sendable {
      /// A matrix from three components to three.
      case matrix
      /// A factor, `matrix.m11`, from each source component to the corresponding target component.
      case factor
      /// The factor of D, `matrix.m11`, for the target.
      case fade
    }

    var kind = Kind.factor
    // The sizes are small, so that a transition is.
    private var first: (source: UInt8, target: UInt8) = (0, 0)
    private var size: UInt8 = 0
    var matrix = Matrix3.zero

    init() {}

    init(kind: Kind, source: Int, target: Int, count: Int, matrix: Matrix3) {
      (self.kind, self.matrix) = (kind, matrix)
      (first, size) = ((UInt8(source), UInt8(target)), UInt8(count))
    }

    /// The index of the first source and target component.
    var source: Int { Int(first.source) }
    var target: Int { Int(first.target) }
    /// The number of components.
    var count: Int { Int(size) }

    /// The same part of Gᵀ.
    var transposed: Term {
      Term(kind: kind, source: target, target: source, count: count, matrix: matrix.transpose)
    }
  }

  private(set) var terms = InlineArray<8, Term>(repeating: Term())
  private(set) var count = 0

  /// Creates the identity.
  public init() {}

  private mutating func append(_ term: Term) {
    terms[count] = term
    count += 1
  }

  /// Adds a matrix to the block of G from one block of errors to another, both with three components.
  public mutating func add(_ matrix: Matrix3, of source: ErrorLayout.Block, to target: ErrorLayout.Block) {
    precondition(source.count == 3 && target.count == 3, "a matrix connects blocks with three components")
    append(Term(kind: .matrix, source: source.start, target: target.start, count: 3, matrix: matrix))
  }

  /// Adds a factor times the identity to the block of G from one block of errors to another of the same size.
  public mutating func add(_ factor: Double, of source: ErrorLayout.Block, to target: ErrorLayout.Block) {
    precondition(source.count == target.count, "a factor connects blocks of the same size")
    append(source.start, target.start, source.count, .factor, factor)
  }

  /// Adds a factor to the element of G from one component to another.
  public mutating func add(_ factor: Double, of source: Int, to target: Int) {
    append(source, target, 1, .factor, factor)
  }

  /// Multiplies the errors of a block by a factor at the epoch's end, in addition to the terms of G.
  public mutating func fade(_ block: ErrorLayout.Block, by factor: Double) {
    append(block.start, block.start, block.count, .fade, factor)
  }

  private mutating func append(_ source: Int, _ target: Int, _ count: Int, _ kind: Term.Kind, _ factor: Double) {
    append(
      Term(
        kind: kind, source: source, target: target, count: count, matrix: Matrix3(diagonal: Vector3(factor, 0, 0))))
  }
}
