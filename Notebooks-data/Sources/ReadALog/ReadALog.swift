// Reads a raw log, estimates how the device moved, and says how it was held and how hard it was pushed.
// swift run --package-path Notebooks-data ReadALog [LOG]
import Inertial

let path = CommandLine.arguments.dropFirst().first ?? "Notebooks-data/logs/walk.csv"
var estimator = DeviceMotionEstimator(filter: MEKF())
var pitch = RunningStatistics()
var pushes: [Double] = []

func take(_ motion: DeviceMotion) {
  pitch.add(motion.attitude.pitch * 180 / .pi)
  if let acceleration = motion.userAcceleration { pushes.append(acceleration.norm) }
}

let summary = try LogFeed(path: path).run { sample in
  estimator.append(sample)
  while let motion = estimator.next() { take(motion) }
}
estimator.finish()
while let motion = estimator.next() { take(motion) }

print("\(path): \(summary.description.summary), \(pitch.count) device motions")
print("pitch: \(pitch.mean)° on average, \(pitch.standardDeviation)° standard deviation")
print("user acceleration: \(Statistics.percentile(95, of: pushes) ?? 0) g in the 95th percentile")
