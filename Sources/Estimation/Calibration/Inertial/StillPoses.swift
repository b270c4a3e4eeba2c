public import InertialNumerics
internal import InertialSystem

/// Samples of one three-axis sensor with their times.
public struct VectorSeries: Sendable {
  /// Seconds, rising.
  public var times: [Double] = []
  /// In the sensor's unit, device axes.
  public var values: [Vector3] = []

  /// A series, empty unless values are given; one time in seconds for each.
  public init(times: [Double] = [], values: [Vector3] = []) {
    precondition(times.count == values.count, "\(values.count) values for \(times.count) times")
    (self.times, self.values) = (times, values)
  }

  /// Whether there is no value.
  public var isEmpty: Bool { times.isEmpty }

  /// Adds a value behind all others; the time is in seconds.
  public mutating func append(_ value: Vector3, at time: Double) {
    times.append(time)
    values.append(value)
  }

  /// The places whose times lie in a span.
  public func places(from start: Double, to end: Double) -> Range<Int> {
    let lower = times.partition(from: 0) { $0 < start }
    return lower..<max(lower, times.partition(from: lower) { $0 <= end })
  }

  /// The mean of a range, and the mean variance of the three axes about it; nil for fewer than two values.
  func statistics(_ range: Range<Int>) -> (mean: Vector3, variance: Double)? {
    guard range.count > 1 else { return nil }
    let mean = range.reduce(Vector3.zero) { $0 + values[$1] } / Double(range.count)
    let sum = range.reduce(0.0) { $0 + (values[$1] - mean).squaredNorm }
    return (mean, sum / (3 * Double(range.count - 1)))
  }
}

extension VectorSeries {
  /// The step of the numbers of each axis; next to nothing where they are on no grid.
  var quantum: Vector3 {
    Vector3(
      (0..<3).map { axis in
        let sorted = values.map { $0[axis] }.filter(\.isFinite).sorted()
        // Numbers that were cut at the sensor's range lie off the grid.
        let steps = zip(sorted, sorted.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }
        return Statistics.percentile(10, of: steps) ?? 0
      })
  }

  /// The variance that rounding leaves of the mean of samples in some spans that have one true value.
  ///
  /// Noise of deviation s before a grid of step q leaves q² / (2 π²) Σ exp(−4 π² k² s² / q²) / k² (B. Widrow and I. Kollár,
  /// Quantization Noise, 2008): q² / 12 without noise, and nothing with noise of a step.
  func meanRounding(in spans: [Range<Int>]) -> Vector3 {
    let quantum = quantum
    var (sums, count) = (Vector3.zero, 0.0)
    for span in spans where span.count > 1 {
      let mean = span.reduce(Vector3.zero) { $0 + values[$1] } / Double(span.count)
      for place in span {
        let d = values[place] - mean
        sums += Vector3(d.x * d.x, d.y * d.y, d.z * d.z)
      }
      count += Double(span.count - 1)
    }
    return Vector3(
      (0..<3).map { axis in
        let q = quantum[axis]
        guard q > 0, count > 0 else { return 0 }
        // A value between two steps is seen with a variance of up to q² / 4 that is no noise.
        let noise = max(0, sums[axis] / count - q * q / 4)
        let rate = 4 * Double.pi * .pi * noise / (q * q)
        return q * q / (2 * .pi * .pi)
          * (1...20).reduce(0) { $0 + exp(-rate * Double($1 * $1)) / Double($1 * $1) }
      })
  }
}

extension Array where Element == Double {
  /// The first place from a start whose element does not satisfy a condition that holds up to somewhere.
  fileprivate func partition(from start: Int, _ holds: (Double) -> Bool) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A time during which the device lay still.
public struct StillPose: Sendable, Equatable {
  /// Seconds.
  public var start: Double
  /// Seconds, on the log's clock.
  public var end: Double
  /// Mean, g.
  public var acceleration: Vector3
  /// Variance of a sample of the accelerometer, mean of the axes, g², and how many there are.
  public var accelerationVariance: Double
  /// Samples of the accelerometer in the pose.
  public var accelerationCount: Int
  /// Mean, rad/s; nil without a gyroscope.
  public var rotationRate: Vector3?
  /// Variance of a sample of the gyroscope, rad²/s², and how many there are.
  public var rotationRateVariance = 0.0
  /// Samples of the gyroscope in the pose.
  public var rotationRateCount = 0

  /// Seconds.
  public var duration: Double { end - start }

  /// One of which the accelerometer's part is known.
  public init(start: Double, end: Double, acceleration: Vector3, accelerationVariance: Double, accelerationCount: Int) {
    (self.start, self.end, self.acceleration) = (start, end, acceleration)
    (self.accelerationVariance, self.accelerationCount) = (accelerationVariance, accelerationCount)
  }
}

extension StillPose {
  /// Windows in which the spread is taken, and their distance, seconds.
  private static let window = 0.25
  private static let step = 0.05
  /// Shorter rests are no poses.
  private static let shortest = 0.5
  /// Variances of rest and of motion lie further apart than this, as a logarithm; else all is one.
  private static let leastContrast = 2.5
  /// The halves of a pose differ by no more than this many deviations of their means and this share of gravity.
  private static let steadySigmas = 5.0
  private static let steadyShare = 0.003
  private static let mostUnsteady = 0.02
  /// A turn that is seen in the field, rad.
  private static let leastAngle = 0.3

  /// More than a sensor's own noise at rest: the MPU-9250 has 300 µg/√Hz and 0.01 °/s/√Hz, the worst of common parts 3 and 5
  /// times that, at bandwidths to 500 Hz. g and rad/s.
  private static let mostNoise = (force: 0.03, rate: 0.02)
  /// What a bias wanders by within a session, rad/s: 20 K at 0.05 °/s/K (BMI160, LSM6DS3), or 1 g at what gyroscopes feel.
  private static let mostWander = 1.0 * .pi / 180
  /// The part of the earth's field across the axis of a turn that makes the turn seen, µT: less than the horizontal part is
  /// where people live.
  private static let leastField = 10.0

  /// The poses of a log: where the spread of both sensors is what rests of this log have, by the mixture of two normal
  /// distributions that its logarithm is most likely of. No threshold is given.
  ///
  /// A log of one kind alone is at rest where both sensors show no more than noise does. A field that turns with the rate is
  /// that of a turn, and so is a rate that is another than that of the other poses.
  ///
  /// - Parameters:
  ///   - accelerometer: g.
  ///   - gyroscope: rad/s; empty where there is none.
  ///   - magnetometer: raw, µT; empty where there is none.
  public static func find(
    accelerometer: VectorSeries, gyroscope: VectorSeries, magnetometer: VectorSeries = VectorSeries()
  ) -> [StillPose] {
    guard let first = accelerometer.times.first, let last = accelerometer.times.last, last > first else { return [] }
    let (start, end) =
      gyroscope.isEmpty
      ? (first, last) : (max(first, gyroscope.times[0]), min(last, gyroscope.times[gyroscope.times.count - 1]))
    let starts = Array(stride(from: start, through: end - window, by: step))
    guard starts.count > 1 else { return [] }
    let force = stillness(of: accelerometer, at: starts, about: nil)
    var isStill = force.isStill
    let step = gyroscope.quantum.maximumMagnitude
    var isOneKind = !force.hasMotion
    if !gyroscope.isEmpty {
      // A slow turn has little spread; its rate tells it.
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
    // Where neither tells motion from rest, it is the one or the other.
    if isOneKind {
      let isRest =
        isNoise(accelerometer, accelerometer.quantum.maximumMagnitude, from: start, to: end, atMost: mostNoise.force)
        && isNoise(gyroscope, step, from: start, to: end, atMost: mostNoise.rate)
      guard isRest else { return [] }
    }
    let poses = runs(isStill, starts: starts, end: end)
      .compactMap { pose(accelerometer, gyroscope, step, $0, $1) }
    return ofOneBias(poses.filter { !turnsField(magnetometer, $0) })
  }

  /// Those whose rate is what a bias can be beside the others'.
  private static func ofOneBias(_ poses: [StillPose]) -> [StillPose] {
    let rates = poses.compactMap(\.rotationRate)
    guard rates.count > 1 else { return poses }
    let middle = Vector3((0..<3).map { axis in Statistics.median(rates.map { $0[axis] }) ?? 0 })
    return poses.filter { pose in
      guard let rate = pose.rotationRate, pose.rotationRateCount > 1 else { return true }
      let noise = (pose.rotationRateVariance / Double(pose.rotationRateCount)).squareRoot()
      return (rate - middle).norm < mostWander + steadySigmas * noise
    }
  }

  /// Whether the field goes round at the pose's rate, as it does about a device that turns: the part of it that does is as
  /// large as the earth's, and explains most of how it changes.
  private static func turnsField(_ magnetometer: VectorSeries, _ pose: StillPose) -> Bool {
    guard let rate = pose.rotationRate?.norm else { return false }
    let angle = rate * pose.duration
    let means = stride(from: pose.start, through: pose.end - window, by: window).compactMap { start in
      magnetometer.statistics(magnetometer.places(from: start, to: start + window)).map { (start, $0.mean) }
    }
    // Of a shorter way an arc and noise look alike.
    guard angle > leastAngle, means.count >= 8 else { return false }
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
    return left < 0.5 * all && (squares / 2).squareRoot() > leastField
  }

  /// Whether samples vary as noise does: from one window to the next the mean changes by no more than single samples could,
  /// which makes twice the variance within windows; that of a smooth motion is twelve times it. Told apart at the geometric mean.
  ///
  /// - Parameter step: of the series' numbers, by which those without noise jump.
  private static func isNoise(
    _ series: VectorSeries, _ step: Double, from start: Double, to end: Double, atMost size: Double
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
    of series: VectorSeries, at starts: [Double], about bias: Vector3?
  ) -> (isStill: [Bool], hasMotion: Bool) {
    // Numbers in steps say nothing of less.
    let least = max(1e-30, series.quantum.squaredNorm / 36)
    let spreads = starts.map { start -> Double in
      guard let window = series.statistics(series.places(from: start, to: start + window)) else { return .nan }
      let offset = bias.map { (window.mean - $0).squaredNorm } ?? 0
      return log(max(window.variance + offset, least))
    }
    let known = spreads.filter { !$0.isNaN }
    guard let limit = TwoClasses(known)?.limit(contrast: leastContrast) else {
      return (spreads.map { _ in false }, false)
    }
    return (spreads.map { $0 < limit }, limit.isFinite)
  }

  /// Spans that no window with motion touches.
  private static func runs(_ isStill: [Bool], starts: [Double], end: Double) -> [(Double, Double)] {
    var runs: [(Double, Double)] = []
    var begin: Double? = starts[0]
    for (index, start) in starts.enumerated() where !isStill[index] {
      if let from = begin, start > from { runs.append((from, start)) }
      begin = start + window
    }
    if let begin, end > begin { runs.append((begin, end)) }
    return runs.filter { $0.1 - $0.0 >= shortest }
  }

  /// Whether the two halves say the same: in a log without rests the slowest turns are the calmest, and are no poses.
  private static func isSteady(_ accelerometer: VectorSeries, _ places: Range<Int>) -> Bool {
    let middle = (places.lowerBound + places.upperBound) / 2
    guard let first = accelerometer.statistics(places.lowerBound..<middle),
      let second = accelerometer.statistics(middle..<places.upperBound)
    else { return false }
    let sigma =
      (first.variance / Double(middle - places.lowerBound) + second.variance / Double(places.upperBound - middle))
      .squareRoot()
    let size = max(first.mean.norm, 1e-9)
    return (second.mean - first.mean).norm < min(steadySigmas * sigma + steadyShare * size, mostUnsteady * size)
  }

  private static func pose(
    _ accelerometer: VectorSeries, _ gyroscope: VectorSeries, _ step: Double, _ start: Double, _ end: Double
  ) -> StillPose? {
    let places = accelerometer.places(from: start, to: end)
    guard let statistics = accelerometer.statistics(places), isSteady(accelerometer, places) else { return nil }
    var pose = StillPose(
      start: start, end: end, acceleration: statistics.mean, accelerationVariance: statistics.variance,
      accelerationCount: places.count)
    let others = gyroscope.places(from: start, to: end)
    // A device that turns to and fro is not still where it hardly accelerates.
    guard gyroscope.isEmpty || isNoise(gyroscope, step, from: start, to: end, atMost: .infinity) else { return nil }
    if let statistics = gyroscope.statistics(others) {
      (pose.rotationRate, pose.rotationRateVariance) = (statistics.mean, statistics.variance)
      pose.rotationRateCount = others.count
    }
    return pose
  }
}

/// Two normal distributions of one number, the most likely by expectation and maximisation.
struct TwoClasses {
  private var means: (Double, Double)
  private var sigmas: (Double, Double)
  private var shares = (0.5, 0.5)

  private static let iterations = 100
  private static let leastSigma = 0.05

  /// - Returns: nil for fewer than two numbers.
  init?(_ values: [Double]) {
    guard let low = Statistics.percentile(10, of: values), let high = Statistics.percentile(95, of: values),
      values.count > 1
    else { return nil }
    means = (low, high)
    sigmas = (max(Self.leastSigma, (high - low) / 6), max(Self.leastSigma, (high - low) / 3))
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
        max(Self.leastSigma, (squares.0 / count.0).squareRoot()),
        max(Self.leastSigma, (squares.1 / count.1).squareRoot())
      )
      shares = (count.0 / Double(values.count), count.1 / Double(values.count))
    }
  }

  private func probabilityOfFirst(_ value: Double) -> Double {
    let (a, b) = ((value - means.0) / sigmas.0, (value - means.1) / sigmas.1)
    let odds = 0.5 * (a * a - b * b) + log(shares.1 * sigmas.0 / (shares.0 * sigmas.1))
    return 1 / (1 + exp(min(500, odds)))
  }

  /// Where the second becomes likelier; infinite where the two are nearer than a contrast and so are one.
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
