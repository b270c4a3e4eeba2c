/// The reason that a decomposition or a solution does not exist for the given numbers.
///
/// Wrong shapes are programming errors and trap, with the shapes in the message.
public enum LinearAlgebraError: Error, Equatable, Sendable {
  /// The leading principal minor of this order (from 1) is not positive, so there is no Cholesky factor.
  case notPositiveDefinite(leadingMinor: Int)

  /// The pivot in this row and column (from 0) is zero, or zero to working accuracy if the decomposition documents it,
  /// so there is no unique solution.
  case singular(pivot: Int)

  /// An iterative decomposition ended with this many unconverged elements.
  case notConverged(decomposition: String, remaining: Int)

  /// An operand has an infinite or NaN element.
  case nonFinite
}

extension LinearAlgebraError: CustomStringConvertible {
  /// The reason in one sentence.
  public var description: String {
    switch self {
    case .notPositiveDefinite(let order):
      "the matrix is not positive definite: its leading minor of order \(order) is not positive"
    case .singular(let pivot):
      "the matrix is singular: pivot \(pivot) is zero"
    case .notConverged(let decomposition, let remaining):
      "\(decomposition) did not converge: \(remaining) elements remain"
    case .nonFinite:
      "an element is infinite or NaN"
    }
  }
}
