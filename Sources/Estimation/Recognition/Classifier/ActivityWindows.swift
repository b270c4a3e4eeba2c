internal import InertialNumerics
package import InertialSensors

/// Divides a stream of motion into windows of 2.56 s, one every 1.28 s.
package struct ActivityWindows: Sendable, Hashable, Codable {
  /// The maximum interval between samples, in seconds. After a longer gap the windows restart.
  package let maximumGap: Double
  /// The number of rejected samples: not finite, or not later than the previous sample.
  package private(set) var rejectedCount = 0
  /// Whether the last sample was the first one, or the first after a gap.
  package private(set) var hasJustBegun = false

  private var cells = ActivityBins()
  private var rotation = RotationWindow()
  /// The cells of the current window: those shared with the previous window, followed by mean accelerations.
  private var window: [ActivityBin] = []
  /// The number of samples since the last window.
  private var sampleCount = 0
  /// The number of cells before the window, since the last gap.
  private var passed = 0
  private var gravity = VectorExponentialLowPass(timeConstant: 0.5)
  /// The time of the last sample; before the first sample, a time earlier than any.
  private var lastTime = -Double.greatestFiniteMagnitude

  package init(maximumGap: Double = 1) {
    self.maximumGap = maximumGap
    window.reserveCapacity(WindowSpectrum.size)
  }

  /// Adds a sample and returns the window that it completes, or `nil`.
  ///
  /// A sample without an acceleration with gravity is ignored, since it has no vertical direction. If a sample has no
  /// user acceleration, gravity is removed by a low-pass of half a second.
  package mutating func update(_ sample: MotionSample) -> ActivityWindow? {
    if let user = sample.userAcceleration, let total = sample.acceleration,
      takesQuietly(user, total, sample.rotationRate, at: sample.time)
    {
      return nil
    }
    return take(sample)
  }

  /// Adds a sample if it does not start or complete anything, the usual case. Returns whether it was added.
  @inline(__always)
  mutating func takesQuietly(_ user: Vector3, _ total: Vector3, _ rotationRate: Vector3?, at time: Double) -> Bool {
    guard Self.isFinite(user, total), time > lastTime, time - lastTime <= maximumGap,
      cells.add(time: time, user: user, total: total)
    else { return false }
    if let rotationRate { rotation.add(rotationRate, at: time) }
    lastTime = time
    hasJustBegun = false
    sampleCount += 1
    return true
  }

  /// Whether the used components are finite: a sum is finite only if its terms are.
  @inline(__always)
  private static func isFinite(_ user: Vector3, _ total: Vector3) -> Bool {
    abs((user.x + user.y + user.z) + (total.x + total.y + total.z)) < .infinity
  }

  /// Adds any sample.
  mutating func take(_ sample: MotionSample) -> ActivityWindow? {
    hasJustBegun = false
    guard sample.time.isFinite, sample.time > lastTime,
      Self.isFinite(sample.userAcceleration ?? .zero, sample.acceleration ?? .zero)
    else {
      rejectedCount += 1
      return nil
    }
    guard let total = sample.acceleration else { return nil }
    let interval = sample.time - lastTime
    lastTime = sample.time
    if interval > maximumGap { restart() }
    sampleCount += 1
    if let rotationRate = sample.rotationRate { rotation.add(rotationRate, at: sample.time) }
    let user = sample.userAcceleration ?? total - gravity.update(total, after: hasJustBegun ? 0 : interval)
    cells.append(time: sample.time, user: user, total: total) { window.append(ActivityBin($0)) }
    return window.count < WindowSpectrum.size ? nil : complete()
  }

  private mutating func restart() {
    hasJustBegun = true
    cells = ActivityBins()
    rotation = RotationWindow()
    window.removeAll(keepingCapacity: true)
    passed = 0
    sampleCount = 0
    gravity.reset()
  }

  private mutating func complete() -> ActivityWindow {
    // The older half was already computed as the newer half of the previous window.
    let known = passed == 0 ? 0 : WindowSpectrum.half
    let count = WindowSpectrum.size - known
    window.withUnsafeMutableBufferPointer { ActivityBin.describe($0.baseAddress! + known, count: count) }
    var result = ActivityWindow(
      window, rotation: rotation.measure(), start: cells.origin + Double(passed) * ActivityBins.period,
      isFirst: passed == 0)
    result.rate = Double(sampleCount) / (Double(count) * ActivityBins.period)
    sampleCount = 0
    window.removeFirst(WindowSpectrum.half)
    passed += WindowSpectrum.half
    return result
  }
}
