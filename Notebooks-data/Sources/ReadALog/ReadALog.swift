// Reads a raw log and prints the pose, the rotation and the strongest acceleration of the device:
// swift run --package-path Notebooks-data ReadALog [LOG]
import Inertial
import InertialNumerics

@main struct ReadALog {
  static func main() throws {
    let path = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs/walk.csv"
    let samples = try LogFeed(path: path).load().samples
    var estimator = DeviceMotionEstimator(filter: MotionPriorKalman())
    let motions = estimator.motions(of: samples)

    guard let first = motions.first, let last = motions.last else { return print("\(path): no motion") }
    let turned = last.attitude.multiplied(byInverseOf: first.attitude)
    let pitch = RunningStatistics(motions.map { $0.attitude.pitch * 180 / .pi })
    let push = Statistics.percentile(95, of: motions.compactMap { $0.userAcceleration?.norm })
    print("\(path): \(motions.count) motions in \(tenths(last.time - first.time)) s")
    print("pitch \(tenths(pitch.mean))°, standard deviation \(tenths(pitch.standardDeviation))°")
    print("turned by \(tenths(turned.quaternion.angle * 180 / .pi))° from start to end")
    print("user acceleration below \(tenths(push ?? 0)) g in 95 % of them")
  }

  static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
