/// A smooth motion in closed form, sampled at arbitrary times.
enum SyntheticMotion {
  /// Returns the orientation at a time: rotations of about ±60° about all axes, with incommensurable frequencies.
  static func orientation(at t: Double) -> Quaternion {
    Quaternion(angle: 1.1 * sin(0.9 * t) + 0.3 * t, axis: .unitZ)
      * Quaternion(rotationVector: Vector3(0.9 * sin(1.7 * t + 1), 0.8 * sin(1.13 * t), 0.5 * sin(2.3 * t + 2)))
  }

  /// Returns sampling times from 0, with `rate` samples per second.
  static func times(_ count: Int, rate: Double = 50) -> [Double] { (0..<count).map { Double($0) / rate } }

  static func track(_ times: [Double], _ orientation: (Double) -> Quaternion = orientation)
    -> OrientationTrack
  { try! OrientationTrack(times: times, quaternions: times.map(orientation), frame: .nwu) }
}

/// Replaces every tenth orientation, on average, by a random one.
func withOutliers(_ quaternions: [Quaternion], seed: UInt64) -> [Quaternion] {
  var generator = SeededGenerator(seed: seed)
  let wrong = Quaternion.random(quaternions.count, seed: seed + 1)
  return zip(quaternions, wrong).map { generator.uniform() < 0.1 ? $1 : $0 }
}

/// Adds small random rotations on the sensor's side, with `sigma` radians per axis.
func withNoise(_ quaternions: [Quaternion], sigma: Double, seed: UInt64) -> [Quaternion] {
  var generator = SeededGenerator(seed: seed)
  return quaternions.map {
    $0 * Quaternion(rotationVector: sigma * Vector3(generator.normal(), generator.normal(), generator.normal()))
  }
}
