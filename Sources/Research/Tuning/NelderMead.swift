/// The simplex search of Nelder and Mead ("A simplex method for function minimization", Computer Journal 7, 1965),
/// with the coefficients of Gao and Han ("Implementing the Nelder-Mead simplex algorithm with adaptive parameters",
/// Computational Optimization and Applications 51, 2012), which depend on the number of coordinates n:
/// reflection 1, expansion 1 + 2/n, contraction 3/4 − 1/(2n), shrinkage 1 − 1/n.
///
/// The function continues beyond the box as its mirror image. Clamping points to the box's sides instead would make
/// them coincide and leave a degenerate simplex. The search is deterministic: each start gives one search.
public struct NelderMead: Minimizer {
  /// The largest difference of a coordinate from the best point's at convergence. In addition, no value may differ by
  /// more than `valueTolerance`.
  public var pointTolerance = 1e-6
  /// The largest difference of values at convergence, relative to the best value, and absolute below 1.
  public var valueTolerance = 1e-9

  private struct Vertex: Sendable {
    var point: [Double]
    var value: Double
  }

  /// The purpose of the last requested points.
  private enum Stage: Sendable {
    case start
    case reflection
    case expansion(reflected: Vertex)
    case contraction(limit: Double)
    case shrinkage
  }

  private let box: SearchBox
  // Vertices and requested points may be outside the box; the caller receives mirrored points.
  private let expansion: Double
  private let contraction: Double
  private let shrinkage: Double
  private var stage = Stage.start
  /// The vertices, ascending in value; empty before the first values.
  private var simplex: [Vertex] = []
  private var asked: [[Double]]

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - start: The first vertex.
  ///   - steps: The distances of the other vertices from it, one along each coordinate; applied in the other direction
  ///     if the box ends.
  ///   - box: The box.
  public init(start: [Double], steps: [Double], box: SearchBox) {
    precondition(start.count == box.count && steps.count == box.count, "start, steps and box differ in size")
    precondition(steps.allSatisfy { $0 != 0 && $0.isFinite }, "a step of zero spans no simplex")
    self.box = box
    // With one coordinate the formulas would shrink the simplex to a point; those for two are Nelder and Mead's own.
    let n = Double(max(2, box.count))
    expansion = 1 + 2 / n
    contraction = 0.75 - 1 / (2 * n)
    shrinkage = 1 - 1 / n
    let first = box.clamped(start)
    asked =
      [first]
      + steps.indices.map { index in
        var forward = first
        var backward = first
        forward[index] += steps[index]
        backward[index] -= steps[index]
        (forward, backward) = (box.clamped(forward), box.clamped(backward))
        let isForwardLonger = abs(forward[index] - first[index]) >= abs(backward[index] - first[index])
        return isForwardLonger ? forward : backward
      }
  }

  public var best: (point: [Double], value: Double)? { simplex.first.map { (box.mirrored($0.point), $0.value) } }

  public var isConverged: Bool {
    guard let best = simplex.first, let worst = simplex.last, best.value.isFinite else { return false }
    let isFlat = worst.value - best.value <= valueTolerance * max(1, abs(best.value))
    return isFlat
      && simplex.allSatisfy { vertex in
        zip(vertex.point, best.point).allSatisfy { abs($0 - $1) <= pointTolerance }
      }
  }

  public mutating func ask() -> [[Double]] { asked.map(box.mirrored) }

  public mutating func tell(_ values: [Double]) {
    precondition(values.count == asked.count, "\(values.count) values for \(asked.count) points")
    let evaluated = zip(asked, values).map { Vertex(point: $0, value: ranked($1)) }
    switch stage {
    case .start:
      simplex = evaluated
      beginStep()
    case .shrinkage:
      simplex = [simplex[0]] + evaluated
      beginStep()
    case .reflection: judgeReflection(evaluated[0])
    case .expansion(let reflected):
      // The better of the two vertices.
      replaceWorst(evaluated[0].value < reflected.value ? evaluated[0] : reflected)
    case .contraction(let limit):
      if evaluated[0].value < limit { replaceWorst(evaluated[0]) } else { shrink() }
    }
  }

  /// Sorts the simplex and requests the reflection of its worst vertex.
  private mutating func beginStep() {
    // Equal values are sorted by index, so that the order never depends on the sorting algorithm.
    simplex = simplex.enumerated().sorted {
      ($0.element.value, $0.offset) < ($1.element.value, $1.offset)
    }.map(\.element)
    stage = .reflection
    asked = [pointOnRay(1)]
  }

  private mutating func judgeReflection(_ reflected: Vertex) {
    let worst = simplex[simplex.count - 1]
    let secondWorst = simplex[simplex.count - 2]
    if reflected.value < simplex[0].value {
      stage = .expansion(reflected: reflected)
      asked = [pointOnRay(expansion)]
    } else if reflected.value < secondWorst.value {
      replaceWorst(reflected)
    } else if reflected.value < worst.value {
      stage = .contraction(limit: reflected.value)
      asked = [pointOnRay(contraction)]
    } else {
      stage = .contraction(limit: worst.value)
      asked = [pointOnRay(-contraction)]
    }
  }

  private mutating func replaceWorst(_ vertex: Vertex) {
    simplex[simplex.count - 1] = vertex
    beginStep()
  }

  private mutating func shrink() {
    stage = .shrinkage
    let best = simplex[0].point
    asked = simplex.dropFirst().map { vertex in
      zip(vertex.point, best).map { $1 + shrinkage * ($0 - $1) }
    }
  }

  /// Returns the point on the ray from the worst vertex through the centroid c of the others: c + factor · (c − worst).
  private func pointOnRay(_ factor: Double) -> [Double] {
    let others = simplex.dropLast()
    let worst = simplex[simplex.count - 1].point
    return worst.indices.map { index in
      let centre = others.reduce(0) { $0 + $1.point[index] } / Double(others.count)
      return centre + factor * (centre - worst[index])
    }
  }
}
