import Foundation
import Inertial
import InertialResearch
import InertialSimulation

// Filters over hours without a field, on simulated motion with ground truth: the median tilt error of each hour, and
// its ratio to the stated sigma.
//
//     LongScenes [HOURS=6] [SEEDS=3]
//
// Prints one row per scene, sensors and filter: the largest and the last hour's median over all seeds, in degrees, its
// ratio to the better of `vqf` and `mekf` in the worst hour, and the mean square of error over sigma (ideally 1).
@main struct LongScenes {
  static let filters: [(name: String, smooths: Bool)] = [
    ("vqf", false), ("mekf", false), ("kalman", false), ("kalman", true),
  ]
  static let scenes = ["walk", "stop-and-go", "car", "rest"]
  static let sensors: [(name: String, suite: SensorSuite)] = [("phone", .phone), ("research-imu", .researchIMU)]

  /// The tilt errors of all seeds in one hour.
  struct Hour {
    var errors: [Double] = []
    var squares = 0.0
    var count = 0

    var median: Double { errors.sorted()[errors.count / 2] }
    /// The mean square of error over sigma, or NaN if no sigma is stated.
    var normalised: Double { count > 0 ? squares / Double(count) : .nan }
  }

  static func main() async throws {
    let words = CommandLine.arguments.dropFirst().compactMap(Int.init)
    let (hours, seeds) = (words.first ?? 6, words.dropFirst().first ?? 3)
    print(
      "| scene | sensors | filter | worst hour, median tilt | last hour | ratio to the better of vqf and mekf | error²/sigma² |"
    )
    print("|---|---|---|---|---|---|---|")
    for scene in scenes {
      for (sensors, suite) in sensors {
        let results = try await withThrowingTaskGroup(of: (Int, [Hour]).self) { group in
          for (index, filter) in filters.enumerated() {
            group.addTask { (index, try study(scene, suite, filter.name, filter.smooths, hours, seeds)) }
          }
          var results = [[Hour]](repeating: [], count: filters.count)
          for try await (index, found) in group { results[index] = found }
          return results
        }
        for (index, filter) in filters.enumerated() {
          let medians = results[index].map(\.median)
          let others = zip(results[0], results[1]).map { min($0.median, $1.median) }
          let ratio = zip(medians, others).map { $0 / $1 }.max() ?? .nan
          let sigma = results[index].map(\.normalised)
          print(
            "| \(scene) | \(sensors) | \(filter.name)\(filter.smooths ? " --smooth" : "") | \(text(medians.max() ?? .nan)) "
              + "| \(text(medians.last ?? .nan)) | \(text(ratio)) | \(text(sigma.min() ?? .nan)) to \(text(sigma.max() ?? .nan)) |"
          )
        }
      }
    }
  }

  static func text(_ value: Double) -> String { String(format: "%.2f", value) }

  static func study(
    _ scene: String, _ suite: SensorSuite, _ filter: String, _ smooths: Bool, _ hours: Int, _ seeds: Int
  ) throws -> [Hour] {
    var result = [Hour](repeating: Hour(), count: hours)
    for seed in 1...UInt64(seeds) {
      let simulation = try simulation(of: scene, suite, seconds: 3600 * Double(hours), seed)
      guard let kind = FilterKind.all[filter], let run = try FilterRun(ConfiguredFilter(kind), smooths: smooths)
      else {
        continue
      }
      var count = 0
      run.estimates(of: simulation) { time, estimate in
        count += 1
        // Errors hardly change between consecutive samples.
        guard count % 20 == 0, Int(time / 3600) < hours else { return }
        let truth = simulation.trajectory.state(at: time).attitude
        let error = (truth * estimate.earthFromDevice.conjugate).rotationVector
        let hour = Int(time / 3600)
        result[hour].errors.append((error.x * error.x + error.y * error.y).squareRoot() * 180 / .pi)
        guard let sigma = estimate.attitudeSigma else { return }
        result[hour].squares += error.x * error.x / (sigma.x * sigma.x) + error.y * error.y / (sigma.y * sigma.y)
        result[hour].count += 2
      }
    }
    return result
  }

  static func simulation(
    of scene: String, _ suite: SensorSuite, seconds: Double, _ seed: UInt64
  ) throws -> Simulation {
    var sensors = suite
    (sensors.magnetometer, sensors.referenceRate) = (nil, nil)
    if let scenario = Scenario.all.first(where: { $0.name == scene }) {
      return try Simulation(scenario: scenario, sensors: sensors, duration: seconds, seed: seed)
    }
    guard let known = BenchmarkScene.named(scene) else { preconditionFailure("there is no scene \(scene)") }
    return known.simulation(seed: seed, sensors: sensors, duration: seconds)
  }
}
