internal import InertialNumerics
package import InertialSensors

/// Cuts a stream of motion into windows of 2.56 s, one each 1.28 s.
package struct ActivityWindows: Sendable, Hashable, Codable {
  /// Seconds between two samples from which nothing is assumed about the time between.
  package let maximumGap: Double
  /// Samples that were not finite, or not after the one before, and were not used.
  package private(set) var rejectedCount = 0
  /// Whether the last sample was the first one, or the first after a gap.
  package private(set) var hasJustBegun = false

  private var cells = ActivityCells()
  private var rotation = RotationWindow()
  /// The cells of the window that is filled: those that were in the one before, then mean accelerations.
  private var window: [ActivityCell] = []
  /// Samples since the last window.
  private var sampleCount = 0
  /// Cells that went before the window, since the last gap.
  private var passed = 0
  private var gravity = VectorExponentialLowPass(timeConstant: 0.5)
  /// Before the first sample, before all times.
  private var lastTime = -Double.greatestFiniteMagnitude

  package init(maximumGap: Double = 1) {
    self.maximumGap = maximumGap
    window.reserveCapacity(WindowSpectrum.size)
  }

  /// Takes a sample and returns the window that it completes, if it does.
  ///
  /// A sample without an acceleration with gravity is passed over: without gravity nothing is up or down. One without a
  /// user acceleration has gravity taken off by a low-pass of half a second.
  package mutating func update(_ sample: MotionSample) -> ActivityWindow? {
    if let user = sample.userAcceleration, let total = sample.acceleration,
      takesQuietly(user, total, sample.rotationRate, at: sample.time)
    {
      return nil
    }
    return take(sample)
  }

  /// Takes a sample that begins and completes nothing, as most do, and says whether it was one.
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

  /// Of what is used: a sum is finite where its terms are.
  @inline(__always)
  private static func isFinite(_ user: Vector3, _ total: Vector3) -> Bool {
    abs((user.x + user.y + user.z) + (total.x + total.y + total.z)) < .infinity
  }

  /// Takes any sample.
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
    cells.append(time: sample.time, user: user, total: total) { window.append(ActivityCell($0)) }
    return window.count < WindowSpectrum.size ? nil : complete()
  }

  private mutating func restart() {
    hasJustBegun = true
    cells = ActivityCells()
    rotation = RotationWindow()
    window.removeAll(keepingCapacity: true)
    passed = 0
    sampleCount = 0
    gravity.reset()
  }

  private mutating func complete() -> ActivityWindow {
    // The older half was described as the newer one of the window before.
    let known = passed == 0 ? 0 : WindowSpectrum.half
    let count = WindowSpectrum.size - known
    window.withUnsafeMutableBufferPointer { ActivityCell.describe($0.baseAddress! + known, count: count) }
    var result = ActivityWindow(
      window, start: cells.origin + Double(passed) * ActivityCells.period, isFirst: passed == 0)
    result.rotation = rotation.measure()
    result.rate = Double(sampleCount) / (Double(count) * ActivityCells.period)
    sampleCount = 0
    window.removeFirst(WindowSpectrum.half)
    passed += WindowSpectrum.half
    return result
  }
}
