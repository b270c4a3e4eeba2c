import Foundation
import Inertial
import InertialNumerics

/// A weighted sum of terms, and its threshold.
struct Scorer {
  var weights: [Double]
  var threshold: Double

  func score(_ terms: [Double]) -> Double { zip(weights, terms).reduce(0) { $0 + $1.0 * $1.1 } }

  /// Returns the highest score of a window, or `nil` if every sample is excluded.
  func score(_ window: Window) -> Double? { window.moments.map { score($0) }.max() }

  func fires(_ window: Window) -> Bool { score(window).map { $0 > threshold } ?? false }

  var sum: Double { weights.reduce(0, +) }

  /// Returns a scorer with the same decisions in other units.
  func scaled(by scale: Double) -> Scorer {
    Scorer(weights: weights.map { $0 * scale }, threshold: threshold * scale)
  }
}

/// The weights and threshold that separate shakes from other motion.
///
/// A window is a shake if one of its samples is, so each window is represented by its sample with the highest score, and
/// the fit is repeated until these samples do not change (Andrews, Tsochantaridis and Hofmann, "Support vector machines for
/// multiple-instance learning", 2002, section 4, with the logistic loss). Rest is not fitted, because one participant
/// continues to shake in it.
struct Fit {
  private(set) var scorer: Scorer
  /// The lowest score of a shake minus the highest score of the others, in the fit's units; negative if they overlap.
  private(set) var gap = 0.0

  /// The ridge on the weights in standard deviations of their terms, relative to the mean loss of one window. It is small,
  /// and necessary because the windows are separable and the weights would grow without bound.
  private static let ridge = 1e-3
  private static let rounds = 30

  init(_ windows: Windows) throws {
    let shakes = windows.labelled.filter { $0.label == "shake" && !$0.moments.isEmpty }
    let chops = windows.labelled.filter { $0.label == "chop" && !$0.moments.isEmpty }
    let steering = windows.labelled.filter { $0.label == "steering" && !$0.moments.isEmpty }
    let others = windows.others.flatMap { $0 }
    let moments = (shakes + chops + steering + others).flatMap(\.moments)
    let termCount = ShakeReason.termNames.count
    let deviations = (0..<termCount).map { term in
      max(Statistics.standardDeviation(moments.map { $0[term] }) ?? 1, 1e-6)
    }
    // Every term indicates a shake; initially all have the same weight.
    scorer = Scorer(weights: deviations.map { 1 / $0 }, threshold: 0)

    // Shakes have half of the total weight; the other kinds share the rest equally.
    let kinds = [chops, steering, others].filter { !$0.isEmpty }
    var change = Double.infinity
    for _ in 0..<Self.rounds where change > 1e-9 {
      var logistic = Logistic(deviations: deviations)
      for shake in shakes { logistic.add(best(shake), isShake: true, weight: 0.5 / Double(shakes.count)) }
      for kind in kinds {
        let weight = 0.5 / Double(kinds.count) / Double(kind.count)
        for window in kind { logistic.add(best(window), isShake: false, weight: weight) }
      }
      let next = try logistic.fit(ridge: Self.ridge)
      change = zip(next.weights, scorer.weights).map { abs($0 - $1) }.max() ?? 0
      scorer = next
    }
    if change > 1e-9 { note("windows' moments still change after \(Self.rounds) rounds, and weights by \(change)") }
    let lowest = shakes.compactMap { scorer.score($0) }.min() ?? 0
    let highest = kinds.joined().compactMap { scorer.score($0) }.max() ?? 0
    gap = lowest - highest
    // The threshold is the middle of the gap. Without a gap it is the score at which both classes are equally likely.
    if gap > 0 { scorer.threshold = (lowest + highest) / 2 }
  }

  private func best(_ window: Window) -> [Double] {
    window.moments.max { scorer.score($0) < scorer.score($1) } ?? []
  }
}

private func note(_ text: String) { FileHandle.standardError.write(Data("note: \(text)\n".utf8)) }

/// Logistic regression with a ridge, by Newton's method (Hastie, Tibshirani and Friedman, "The elements of statistical
/// learning", 2009, section 4.4.1).
struct Logistic {
  private let deviations: [Double]
  private var rows: [(terms: [Double], target: Double, weight: Double)] = []

  init(deviations: [Double]) { self.deviations = deviations }

  mutating func add(_ terms: [Double], isShake: Bool, weight: Double) {
    rows.append((zip(terms, deviations).map { $0 / $1 } + [1], isShake ? 1 : 0, weight))
  }

  /// Fits a scorer whose threshold is the score at which both classes are equally likely.
  func fit(ridge: Double) throws(LinearAlgebraError) -> Scorer {
    let count = deviations.count + 1
    var values = [Double](repeating: 0, count: count)
    var length = Double.infinity
    for _ in 0..<100 where length > 1e-10 {
      var gradient = values.map { -ridge * $0 }
      gradient[count - 1] = 0
      // The constant has no ridge except for a value that keeps the matrix regular.
      var curvature = Matrix(diagonal: (0..<count).map { $0 < count - 1 ? ridge : 1e-12 })
      for row in rows {
        let score = zip(values, row.terms).reduce(0) { $0 + $1.0 * $1.1 }
        let probability = 1 / (1 + exp(-score))
        for i in 0..<count {
          gradient[i] += row.weight * (row.target - probability) * row.terms[i]
          for j in 0..<count {
            curvature[i, j] += row.weight * probability * (1 - probability) * row.terms[i] * row.terms[j]
          }
        }
      }
      let step = try curvature.solve(gradient)
      // A step of more than a few units leaves the region in which the curvature is valid.
      length = step.map(abs).max() ?? 0
      let scale = min(1, 4 / max(length, 1e-300))
      for i in 0..<count { values[i] += scale * step[i] }
    }
    if length > 1e-10 { note("Newton's method has not converged: its last step is \(length)") }
    return Scorer(weights: zip(values, deviations).map { $0 / $1 }, threshold: -values[count - 1])
  }
}
