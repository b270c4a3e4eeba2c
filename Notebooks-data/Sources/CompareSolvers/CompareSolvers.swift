// Compares the one-shot attitude solvers: mean error, distance from the optimum, rounding and time per call.
// swift run -c release --package-path Notebooks-data CompareSolvers [SAMPLES]
import Foundation
import Inertial
import InertialNumerics

@main struct CompareSolvers {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
    print("\(count) attitudes, gravity and field 0.02 rad noisy each, dip 1.15 rad; 5 pairs with unequal noise")
    print("solver       pairs  mean error  from optimum  noise-free  ns/call  |  5 pairs: mean error  ns/call")
    let two = Trial(count: count, sigmas: [0.02, 0.02], seed: 1)
    let five = Trial(count: count, sigmas: [0.01, 0.02, 0.02, 0.05, 0.1], seed: 2)
    for solver in OneShotSolver.all {
      let taken = solver.maximumPairs.map { "\($0)" } ?? "\(solver.minimumPairs)+"
      var line = "\(padded(solver.name, 12)) \(padded(taken, 5))  "
      if solver.minimumPairs == 2 {
        let result = try two.run(solver)
        line += "\(degrees(result.meanError))   \(radians(result.fromOptimum))     \(radians(result.noiseFree))"
      } else {
        line += padded("(tilt alone)", 38)
      }
      line += padded(String(format: "%9.0f", two.nanoseconds(solver)), 11)
      if solver.maximumPairs == nil {
        line += " |  \(degrees(try five.run(solver).meanError))" + String(format: "%20.0f", five.nanoseconds(solver))
      }
      print(line)
    }
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
  }
  static func degrees(_ radians: Double) -> String { String(format: "%8.4f°", radians * 180 / .pi) }
  static func radians(_ value: Double) -> String { String(format: "%7.1e", value) }
}

/// Random attitudes and what a noisy device measures in them.
struct Trial {
  var truths: [Quaternion] = []
  var noisy: [[VectorPair]] = []
  var exact: [[VectorPair]] = []

  init(count: Int, sigmas: [Double], seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func vector() -> Vector3 { Vector3(generator.normal(), generator.normal(), generator.normal()) }
    for _ in 0..<count {
      let truth = Quaternion(rotationVector: .pi * vector())
      let earth =
        sigmas.count == 2 ? [.unitZ, Vector3(cos(1.15), 0, -sin(1.15))] : sigmas.map { _ in vector() }
      truths.append(truth)
      exact.append(
        zip(earth, sigmas).map {
          VectorPair(device: truth.rotateInverse($0), earth: $0, weight: 1 / ($1 * $1))
        })
      noisy.append(
        zip(exact[exact.count - 1], sigmas).map { pair, sigma in
          var pair = pair
          pair.device = Quaternion(rotationVector: sigma * vector()).rotate(pair.device)
          return pair
        })
    }
  }

  func run(_ solver: OneShotSolver) throws -> (meanError: Double, fromOptimum: Double, noiseFree: Double) {
    var (sum, fromOptimum, noiseFree) = (0.0, 0.0, 0.0)
    for index in truths.indices {
      let q = try solver.attitude(noisy[index])
      sum += q.angle(to: truths[index])
      fromOptimum = max(fromOptimum, q.angle(to: try Davenport.attitude(noisy[index])))
      noiseFree = max(noiseFree, try solver.attitude(exact[index]).angle(to: truths[index]))
    }
    return (sum / Double(truths.count), fromOptimum, noiseFree)
  }

  /// The least time of five passes, per call. Two pairs go without an array.
  func nanoseconds(_ solver: OneShotSolver) -> Double {
    var least = Double.infinity
    var sum = 0.0
    let method = solver.method
    for _ in 0..<5 {
      let clock = ContinuousClock.now
      for pairs in noisy {
        let q =
          solver.maximumPairs == 1
          ? try? method.attitude([pairs[0]])
          : pairs.count == 2 ? try? method.attitude(pairs[0], pairs[1]) : try? method.attitude(pairs)
        sum += q?.w ?? 0
      }
      let time = ContinuousClock.now - clock
      least = min(least, (time / .nanoseconds(1)) / Double(noisy.count))
    }
    // The sum is used, so that no call can be left out.
    return sum.isFinite ? least : .nan
  }
}
