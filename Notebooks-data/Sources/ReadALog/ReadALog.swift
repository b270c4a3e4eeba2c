// Reads a raw log, estimates how the device moved, and says how it was held and how hard it was pushed:
// swift run --package-path Notebooks-data ReadALog [LOG]
import Inertial

@main struct ReadALog {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs/walk.csv"
    var estimator = DeviceMotionEstimator(filter: MEKF())
    var motions: [DeviceMotion] = []
    let summary = try LogFeed(path: path).run { sample in
      estimator.append(sample)
      while let motion = estimator.next() { motions.append(motion) }
    }
    estimator.finish()
    while let motion = estimator.next() { motions.append(motion) }

    let pitch = RunningStatistics(motions.map { $0.attitude.pitch * 180 / .pi })
    let push = Statistics.percentile(95, of: motions.compactMap { $0.userAcceleration?.norm })
    print("\(path): \(summary.description.summary), \(motions.count) device motions")
    print("pitch \(tenths(pitch.mean))° on average, standard deviation \(tenths(pitch.standardDeviation))°")
    print("user acceleration below \(tenths(push ?? 0)) g in 95 % of them")
  }

  static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
