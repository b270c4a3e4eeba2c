import Foundation
import InertialNumerics

/// Functions with known minima.
enum TestFunctions {
  /// Rosenbrock's valley in any number of coordinates; 0 at (1, 1, ...).
  static func rosenbrock(_ x: [Double]) -> Double {
    zip(x, x.dropFirst()).reduce(0) { sum, pair in
      let (a, b) = pair
      return sum + 100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a)
    }
  }

  /// An ellipsoid rotated against the axes, with axes of 1 to 1000; 0 at (0.3, 0.3, ...).
  static func ellipsoid(_ x: [Double]) -> Double {
    let n = x.count
    var sum = 0.0
    for i in 0..<n {
      // The rows of the cosine transform are orthogonal.
      var y = 0.0
      for j in 0..<n {
        let angle = Double.pi * Double(i) * (Double(j) + 0.5) / Double(n)
        y += cos(angle) * (x[j] - 0.3)
      }
      let weight = pow(1e6, Double(i) / Double(max(1, n - 1)))
      sum += weight * y * y
    }
    return sum
  }

  static func sphere(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }
}

func distance(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).map { abs($0 - $1) }.max() ?? 0 }
