public import InertialNumerics
public import InertialSensors
internal import InertialSystem

extension SensorColumn {
  /// Returns the range of indices whose times lie in an interval.
  func places(from start: Double, to end: Double) -> Range<Int> {
    let lower = times.partition(from: 0) { $0 < start }
    return lower..<max(lower, times.partition(from: lower) { $0 <= end })
  }

  /// Returns the mean of a range, and the mean variance of the three axes, or `nil` for fewer than two values.
  func statistics(_ range: Range<Int>) -> (mean: Vector3, variance: Double)? {
    guard range.count > 1 else { return nil }
    let mean = range.reduce(Vector3.zero) { $0 + values[$1] } / Double(range.count)
    let sum = range.reduce(0.0) { $0 + (values[$1] - mean).squaredNorm }
    return (mean, sum / (3 * Double(range.count - 1)))
  }

  /// The quantization step of each axis; tiny if the values are not quantized.
  var quantum: Vector3 {
    Vector3(
      (0..<3).map { axis in
        let sorted = values.map { $0[axis] }.filter(\.isFinite).sorted()
        // Numbers clipped at the sensor's range lie off the grid.
        let steps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        return Statistics.percentile(10, of: steps) ?? 0
      })
  }

  /// Returns the variance due to rounding of the mean of samples, in spans with one true value.
  ///
  /// With noise of deviation s before a grid of step q, it is q² / (2 π²) Σ exp(−4 π² k² s² / q²) / k² (B. Widrow and
  /// I. Kollár, Quantization Noise, 2008): q² / 12 without noise, and zero with noise of one step.
  func meanRounding(in spans: [Range<Int>]) -> Vector3 {
    let quantum = quantum
    var (sums, count) = (Vector3.zero, 0.0)
    for span in spans where span.count > 1 {
      let mean = span.reduce(Vector3.zero) { $0 + values[$1] } / Double(span.count)
      for position in span {
        let d = values[position] - mean
        sums += Vector3(d.x * d.x, d.y * d.y, d.z * d.z)
      }
      count += Double(span.count - 1)
    }
    return Vector3(
      (0..<3).map { axis in
        let q = quantum[axis]
        guard q > 0, count > 0 else { return 0 }
        // A value between two steps has an apparent variance of up to q² / 4 that is not noise.
        let noise = max(0, sums[axis] / count - q * q / 4)
        let rate = 4 * Double.pi * .pi * noise / (q * q)
        return q * q / (2 * .pi * .pi)
          * (1...20).reduce(0) { $0 + exp(-rate * Double($1 * $1)) / Double($1 * $1) }
      })
  }
}

extension Array where Element == Double {
  /// Returns the first index from a start whose element does not satisfy a condition; the condition holds for a prefix.
  fileprivate func partition(from start: Int, _ holds: (Double) -> Bool) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A time during which the device was at rest.
public struct StillPose: Sendable, Equatable {
  /// The start, in seconds on the log's clock.
  public var start: Double
  /// The end, in seconds on the log's clock.
  public var end: Double
  /// The mean acceleration, in g.
  public var acceleration: Vector3
  /// The variance of an accelerometer sample, mean of the axes, in g².
  public var accelerationVariance: Double
  /// The number of accelerometer samples in the pose.
  public var accelerationCount: Int
  /// The mean rotation rate, in rad/s, or `nil` without a gyroscope.
  public var rotationRate: Vector3?
  /// The variance of a gyroscope sample, in rad²/s².
  public var rotationRateVariance = 0.0
  /// The number of gyroscope samples in the pose.
  public var rotationRateCount = 0

  /// The duration, in seconds.
  public var duration: Double { end - start }

  /// Creates a pose without a rotation rate.
  public init(start: Double, end: Double, acceleration: Vector3, accelerationVariance: Double, accelerationCount: Int) {
    (self.start, self.end, self.acceleration) = (start, end, acceleration)
    (self.accelerationVariance, self.accelerationCount) = (accelerationVariance, accelerationCount)
  }
}

extension StillPose {
  /// The windows in which the spread is computed, and their distance, in seconds.
  private static let window = 0.25
  private static let step = 0.05
  /// The duration of the shortest pose, in seconds.
  private static let minimumDuration = 0.5
  /// The minimum difference of the variances' logarithms between rest and motion; with a smaller difference, all
  /// windows are of one kind.
  private static let minimumContrast = 2.5
  /// The limits of the difference between the means of a pose's halves, in their deviations and as fractions of
  /// gravity.
  private static let steadySigmas = 5.0
  private static let steadyFraction = 0.003
  private static let maximumUnsteadiness = 0.02
  /// The smallest rotation that is detected in the field, in rad.
  private static let minimumAngle = 0.3

  /// The limits of a sensor's own noise at rest, in g and rad/s: the MPU-9250 has 300 µg/√Hz and 0.01 °/s/√Hz, the
  /// worst of common parts 3 and 5 times that, at bandwidths to 500 Hz.
  private static let maximumNoise = (force: 0.03, rate: 0.02)
  /// The largest change of a bias within a session, in rad/s: 20 K at 0.05 °/s/K (BMI160, LSM6DS3), or 1 g at the
  /// g-sensitivity of gyroscopes.
  private static let maximumBiasChange = 1.0 * .pi / 180
  /// The minimum component of the earth's field orthogonal to a rotation axis for a detectable rotation, in µT: less
  /// than the horizontal component in inhabited regions.
  private static let minimumField = 10.0

  /// Finds the poses of a log: the windows in which the spread of both sensors belongs to the rest component of a
  /// mixture of two normal distributions, fitted to its logarithm by maximum likelihood. It needs no threshold.
  ///
  /// A log with only one component is at rest if both sensors show no more than noise. A field that rotates with the
  /// rate indicates a rotation, and so does a rate that differs from the other poses' rates.
  ///
  /// - Parameters:
  ///   - accelerometer: The accelerations, in g. Times that span more than eleven days have no poses.
  ///   - gyroscope: The rates, in rad/s, or an empty series.
  ///   - magnetometer: The raw field, in µT, or an empty series.
  public static func find(
    accelerometer: SensorColumn, gyroscope: SensorColumn, magnetometer: SensorColumn = SensorColumn()
  ) -> [StillPose] {
    guard let first = accelerometer.times.first, let last = accelerometer.times.last, last > first else { return [] }
    let (start, end) =
      gyroscope.isEmpty
      ? (first, last) : (max(first, gyroscope.times[0]), min(last, gyroscope.times[gyroscope.times.count - 1]))
    // A clock that jumps to another origin would have more windows than memory.
    guard end - start < 1e6 else { return [] }
    let starts = Array(stride(from: start, through: end - window, by: step))
    guard starts.count > 1 else { return [] }
    let force = stillness(of: accelerometer, at: starts, about: nil)
    var isStill = force.isStill
    let step = gyroscope.quantum.maximumMagnitude
    var isOneKind = !force.hasMotion
    if !gyroscope.isEmpty {
      // A slow rotation has little spread; its rate reveals it.
      let windows = starts.map { gyroscope.statistics(gyroscope.places(from: $0, to: $0 + window)) }
      let calm = Statistics.percentile(25, of: windows.compactMap { $0?.variance }) ?? 0
      let means = windows.compactMap { $0 }.filter { $0.variance <= calm }.map(\.mean)
      let bias = Vector3(
        Statistics.median(means.map(\.x)) ?? 0, Statistics.median(means.map(\.y)) ?? 0,
        Statistics.median(means.map(\.z)) ?? 0)
      let rate = stillness(of: gyroscope, at: starts, about: bias)
      isStill = zip(isStill, rate.isStill).map { $0 && $1 }
      isOneKind = isOneKind && !rate.hasMotion
    }
    // If neither sensor separates motion from rest, the whole log is one of them.
    if isOneKind {
      let isRest =
        isNoise(accelerometer, accelerometer.quantum.maximumMagnitude, from: start, to: end, atMost: maximumNoise.force)
        && isNoise(gyroscope, step, from: start, to: end, atMost: maximumNoise.rate)
      guard isRest else { return [] }
    }
    let poses = runs(isStill, starts: starts, end: end)
      .compactMap { pose(accelerometer, gyroscope, step, $0, $1) }
    return ofOneBias(poses.filter { !turnsField(magnetometer, $0) })
  }

  /// Returns the poses whose rate is a plausible bias compared with the others.
  private static func ofOneBias(_ poses: [StillPose]) -> [StillPose] {
    let rates = poses.compactMap(\.rotationRate)
    guard rates.count > 1 else { return poses }
    let middle = Vector3((0..<3).map { axis in Statistics.median(rates.map { $0[axis] }) ?? 0 })
    return poses.filter { pose in
      guard let rate = pose.rotationRate, pose.rotationRateCount > 1 else { return true }
      let noise = (pose.rotationRateVariance / Double(pose.rotationRateCount)).squareRoot()
      return (rate - middle).norm < maximumBiasChange + steadySigmas * noise
    }
  }

  /// Returns whether the field rotates at the pose's rate, as around a rotating device: its rotating component is as
  /// large as the earth's, and explains most of its variance.
  private static func turnsField(_ magnetometer: SensorColumn, _ pose: StillPose) -> Bool {
    guard let rate = pose.rotationRate?.norm else { return false }
    let angle = rate * pose.duration
    let means = stride(from: pose.start, through: pose.end - window, by: window).compactMap { start in
      magnetometer.statistics(magnetometer.places(from: start, to: start + window)).map { (start, $0.mean) }
    }
    // Over a smaller angle, an arc and noise look alike.
    guard angle > minimumAngle, means.count >= 8 else { return false }
    let design = Matrix(rowCount: means.count, columnCount: 3) { row, column in
      let phase = rate * (means[row].0 - pose.start)
      return column == 0 ? 1 : column == 1 ? cos(phase) : sin(phase)
    }
    var (left, all, squares) = (0.0, 0.0, 0.0)
    for axis in 0..<3 {
      let values = means.map { $0.1[axis] }
      guard let fit = try? design.leastSquares(values), fit.rank == 3, let mean = Statistics.mean(values) else {
        return false
      }
      left += zip(values, design * fit.solution).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      all += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      squares += fit.solution[1] * fit.solution[1] + fit.solution[2] * fit.solution[2]
    }
    return left < 0.5 * all && (squares / 2).squareRoot() > minimumField
  }

  /// Returns whether samples vary like noise. For noise, the mean square change of the mean between windows is at most
  /// that of single samples, which is twice the variance within windows; for a smooth motion it is twelve times the
  /// variance. The threshold is the geometric mean.
  ///
  /// - Parameter step: The quantization step of the series, by which values without noise jump.
  /// - Parameter step: of the series' numbers, by which those without noise jump.
  private static func isNoise(
    _ series: SensorColumn, _ step: Double, from start: Double, to end: Double, atMost size: Double
  ) -> Bool {
    let windows = stride(from: start, through: end - window, by: window).compactMap {
      series.statistics(series.places(from: $0, to: $0 + window))
    }
    let spread = windows.reduce(0) { $0 + $1.variance } / Double(max(1, windows.count))
    let changes = zip(windows, windows.dropFirst()).map { ($1.mean - $0.mean).squaredNorm / 3 }
    guard let change = Statistics.mean(changes) else { return true }
    return spread < size * size && change <= 24.0.squareRoot() * spread + step * step
  }

  private static func stillness(
    of series: SensorColumn, at starts: [Double], about bias: Vector3?
  ) -> (isStill: [Bool], hasMotion: Bool) {
    // Quantized values do not resolve smaller spreads.
    let minimum = max(1e-30, series.quantum.squaredNorm / 36)
    let spreads = starts.map { start -> Double in
      guard let window = series.statistics(series.places(from: start, to: start + window)) else { return .nan }
      let offset = bias.map { (window.mean - $0).squaredNorm } ?? 0
      return log(max(window.variance + offset, minimum))
    }
    let known = spreads.filter { !$0.isNaN }
    guard let limit = GaussianMixture(known)?.limit(contrast: minimumContrast) else {
      return (spreads.map { _ in false }, false)
    }
    return (spreads.map { $0 < limit }, limit.isFinite)
  }

  /// Returns the intervals without a window with motion.
  private static func runs(_ isStill: [Bool], starts: [Double], end: Double) -> [(Double, Double)] {
    var runs: [(Double, Double)] = []
    var begin: Double? = starts[0]
    for (index, start) in starts.enumerated() where !isStill[index] {
      if let from = begin, start > from { runs.append((from, start)) }
      begin = start + window
    }
    if let begin, end > begin { runs.append((begin, end)) }
    return runs.filter { $0.1 - $0.0 >= minimumDuration }
  }

  /// Returns whether the two halves agree: in a log without rests, the slowest rotations are the calmest windows, but
  /// not poses.
  private static func isSteady(_ accelerometer: SensorColumn, _ places: Range<Int>) -> Bool {
    let middle = (places.lowerBound + places.upperBound) / 2
    guard let first = accelerometer.statistics(places.lowerBound..<middle),
      let second = accelerometer.statistics(middle..<places.upperBound)
    else { return false }
    let sigma =
      (first.variance / Double(middle - places.lowerBound) + second.variance / Double(places.upperBound - middle))
      .squareRoot()
    let size = max(first.mean.norm, 1e-9)
    return (second.mean - first.mean).norm
      < min(steadySigmas * sigma + steadyFraction * size, maximumUnsteadiness * size)
  }

  private static func pose(
    _ accelerometer: SensorColumn, _ gyroscope: SensorColumn, _ step: Double, _ start: Double, _ end: Double
  ) -> StillPose? {
    let places = accelerometer.places(from: start, to: end)
    guard let statistics = accelerometer.statistics(places), isSteady(accelerometer, places) else { return nil }
    var pose = StillPose(
      start: start, end: end, acceleration: statistics.mean, accelerationVariance: statistics.variance,
      accelerationCount: places.count)
    let others = gyroscope.places(from: start, to: end)
    // A device that rotates back and forth is not at rest, even if it hardly accelerates.
    guard gyroscope.isEmpty || isNoise(gyroscope, step, from: start, to: end, atMost: .infinity) else { return nil }
    if let statistics = gyroscope.statistics(others) {
      (pose.rotationRate, pose.rotationRateVariance) = (statistics.mean, statistics.variance)
      pose.rotationRateCount = others.count
    }
    return pose
  }
}

/// A mixture of two normal distributions of one number, fitted by expectation maximisation.
struct GaussianMixture {
  private var means: (Double, Double)
  private var sigmas: (Double, Double)
  private var fractions = (0.5, 0.5)

  private static let iterations = 100
  private static let minimumSigma = 0.05

  /// - Returns: `nil` for fewer than two numbers.
  init?(_ values: [Double]) {
    guard let low = Statistics.percentile(10, of: values), let high = Statistics.percentile(95, of: values),
      values.count > 1
    else { return nil }
    means = (low, high)
    sigmas = (max(Self.minimumSigma, (high - low) / 6), max(Self.minimumSigma, (high - low) / 3))
    for _ in 0..<Self.iterations {
      var (count, sum, squares) = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0))
      for value in values {
        let first = probabilityOfFirst(value)
        count.0 += first
        count.1 += 1 - first
        sum.0 += first * value
        sum.1 += (1 - first) * value
        squares.0 += first * (value - means.0) * (value - means.0)
        squares.1 += (1 - first) * (value - means.1) * (value - means.1)
      }
      guard count.0 > 1e-6, count.1 > 1e-6 else { break }
      means = (sum.0 / count.0, sum.1 / count.1)
      sigmas = (
        max(Self.minimumSigma, (squares.0 / count.0).squareRoot()),
        max(Self.minimumSigma, (squares.1 / count.1).squareRoot())
      )
      fractions = (count.0 / Double(values.count), count.1 / Double(values.count))
    }
  }

  private func probabilityOfFirst(_ value: Double) -> Double {
    let (a, b) = ((value - means.0) / sigmas.0, (value - means.1) / sigmas.1)
    let odds = 0.5 * (a * a - b * b) + log(fractions.1 * sigmas.0 / (fractions.0 * sigmas.1))
    return 1 / (1 + exp(min(500, odds)))
  }

  /// Returns the value above which the second component is more likely, or infinity if the difference of the two means
  /// is below a contrast.
  func limit(contrast: Double) -> Double {
    guard means.1 - means.0 > contrast else { return .infinity }
    var (low, high) = (means.0, means.1)
    for _ in 0..<60 {
      let middle = 0.5 * (low + high)
      if probabilityOfFirst(middle) > 0.5 { low = middle } else { high = middle }
    }
    return 0.5 * (low + high)
  }
}
