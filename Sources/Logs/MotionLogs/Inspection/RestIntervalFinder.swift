internal import InertialNumerics
internal import InertialSensors

/// Detects rest in windows of half a second: the rate stays within 1.5 °/s of its mean and the acceleration within 0.02
/// g of its mean, or within that fraction of its magnitude if this is more than 1 g.
struct RestIntervalFinder {
  private(set) var report = RestReport()
  private var windowStart: Double?
  private var rates = Spread()
  private var accelerations = Spread()
  private var phase: RestReport.Phase?
  private var phaseRates = Spread()
  private var phaseAccelerations = Spread()
  private var firstBias: Vector3?
  /// The mean norm of the acceleration that differs most from 1, in g, among the rests of five seconds or more.
  private(set) var strangestNorm: Double?
  private var (totalRates, totalAccelerations) = (Spread(), Spread())

  private struct Spread {
    var count = 0
    var sum = Vector3.zero
    var normSum = 0.0
    var low = Vector3(repeating: .infinity)
    var high = Vector3(repeating: -.infinity)

    mutating func add(_ v: Vector3) {
      count += 1
      sum += v
      normSum += v.norm
      low = Vector3(min(low.x, v.x), min(low.y, v.y), min(low.z, v.z))
      high = Vector3(max(high.x, v.x), max(high.y, v.y), max(high.z, v.z))
    }

    /// Adds the sums of another interval, without its range.
    mutating func add(_ other: Spread) {
      count += other.count
      sum += other.sum
      normSum += other.normSum
    }

    var mean: Vector3 { sum / Double(max(count, 1)) }
    var meanNorm: Double { normSum / Double(max(count, 1)) }
    var width: Double { count > 0 ? (high - low).maximumMagnitude : .infinity }
  }

  mutating func add(_ sample: SensorSample) {
    guard sample.channel == .gyroscope || sample.channel == .accelerometer else { return }
    if let start = windowStart, sample.time - start >= 0.5 { closeWindow(at: sample.time) }
    windowStart = windowStart ?? sample.time
    if sample.channel == .gyroscope { rates.add(sample.vector) } else { accelerations.add(sample.vector) }
  }

  mutating func finish() {
    closePhase()
    if totalRates.count > 0 { report.gyroscopeBias = totalRates.mean }
    if totalAccelerations.count > 0 { report.accelerationNorm = totalAccelerations.meanNorm }
  }

  private mutating func closeWindow(at time: Double) {
    // A sensor whose values do not change at all is asleep.
    let isRest =
      rates.width > 0 && rates.width < 0.052 && accelerations.width < 0.04 * max(1, accelerations.meanNorm)
      && time - windowStart! < 1
    if isRest {
      phase = RestReport.Phase(start: phase?.start ?? windowStart!, end: time)
      phaseRates.add(rates)
      phaseAccelerations.add(accelerations)
    } else {
      closePhase()
    }
    (rates, accelerations, windowStart) = (Spread(), Spread(), nil)
  }

  private mutating func closePhase() {
    defer { (phase, phaseRates, phaseAccelerations) = (nil, Spread(), Spread()) }
    guard let phase, phase.end - phase.start >= 2 else { return }
    report.phases.append(phase)
    let norm = phaseAccelerations.meanNorm
    if phase.end - phase.start >= 5, abs(norm - 1) >= abs((strangestNorm ?? 1) - 1) { strangestNorm = norm }
    let bias = phaseRates.mean
    if let firstBias { report.biasChange = bias - firstBias } else { firstBias = bias }
    totalRates.add(phaseRates)
    totalAccelerations.add(phaseAccelerations)
  }
}
