internal import LinearAlgebra
internal import Signals

/// The coefficients of each lane's second-order low-pass.
struct LaneLowPassDesign: Sendable {
  fileprivate var (b0, b1, b2) = (Lanes(repeating: 1), Lanes.none, Lanes.none)
  fileprivate var (a1, a2) = (Lanes.none, Lanes.none)

  mutating func load(_ design: LowPassDesign, lane: Int) {
    let c = design.butterworth
    (b0[lane], b1[lane], b2[lane], a1[lane], a2[lane]) = (c.b0, c.b1, c.b2, c.a1, c.a2)
  }
}

/// `MeanStartLowPass` of a number in lanes, once it runs.
struct LaneLowPass: Sendable {
  /// The state of the transposed direct form II.
  fileprivate var (first, second) = (Lanes.none, Lanes.none)

  @inline(__always)
  mutating func update(_ sample: Lanes, _ c: LaneLowPassDesign, where isUsed: Lanes.Mask) -> Lanes {
    let value = sample * c.b0 + first
    first.set(sample * c.b1 - value * c.a1 + second, where: isUsed)
    second.set(sample * c.b2 - value * c.a2, where: isUsed)
    return value
  }

  subscript(lane: Int) -> (first: Double, second: Double) {
    get { (first[lane], second[lane]) }
    set { (first[lane], second[lane]) = newValue }
  }
}

/// `MeanStartLowPass` of a vector in lanes, once it runs.
struct LaneVectorLowPass: Sendable {
  private var (x, y, z) = (LaneLowPass(), LaneLowPass(), LaneLowPass())

  @inline(__always)
  mutating func update(
    _ sample: LaneVector3<Lanes>, _ design: LaneLowPassDesign, where isUsed: Lanes.Mask
  ) -> LaneVector3<Lanes> {
    LaneVector3(
      x.update(sample.x, design, where: isUsed), y.update(sample.y, design, where: isUsed),
      z.update(sample.z, design, where: isUsed))
  }

  subscript(lane: Int) -> (first: Vector3, second: Vector3) {
    get {
      (Vector3(x[lane].first, y[lane].first, z[lane].first), Vector3(x[lane].second, y[lane].second, z[lane].second))
    }
    set {
      x[lane] = (newValue.first.x, newValue.second.x)
      y[lane] = (newValue.first.y, newValue.second.y)
      z[lane] = (newValue.first.z, newValue.second.z)
    }
  }

  mutating func load(_ lowPass: MeanStartLowPass<Vector3>, lane: Int) { self[lane] = (lowPass.first, lowPass.second) }

  /// A low-pass that does not run has no use here, and is left as it is.
  func store(lane: Int, to lowPass: inout MeanStartLowPass<Vector3>) {
    guard lowPass.isRunning else { return }
    (lowPass.first, lowPass.second) = self[lane]
  }
}

/// `SampleInterval` in lanes, as long as its value stays.
struct LaneInterval: Sendable {
  private var (value, mean) = (Lanes(repeating: 1), Lanes(repeating: 1))
  private var (count, strayCount) = (Lanes.none, Lanes.none)
  /// Where the interval is not given by the parameters.
  private var isLearned = Lanes.Mask(repeating: false)

  mutating func load(_ interval: SampleInterval, isLearned: Bool, lane: Int) {
    (value[lane], mean[lane]) = (interval.value, interval.mean)
    (count[lane], strayCount[lane]) = (Double(interval.count), Double(interval.strayCount))
    self.isLearned[lane] = isLearned
  }

  func store(lane: Int, to interval: inout SampleInterval) {
    interval.mean = mean[lane]
    interval.count = Int(count[lane])
    interval.strayCount = Int(strayCount[lane])
  }

  private static var memory: Lanes { Lanes(repeating: Double(SampleInterval.memory)) }

  @inline(__always)
  private func nextMean(_ dt: Lanes) -> Lanes {
    let old = mean + (1 / Double(SampleInterval.memory)) * (.lesser(dt, 3 * mean) - mean)
    let isYoung = count .< Self.memory
    return isYoung.isAny ? .select(isYoung, mean + (dt - mean) / (count + 1), old) : old
  }

  /// Where the time between two samples may make another value, or begin the mean anew.
  @inline(__always)
  func mayChange(with dt: Lanes, where exists: Lanes.Mask) -> Lanes.Mask {
    let distance = (nextMean(dt) - value).magnitude
    var mayChange = (SampleInterval.slack * value .< distance) .| (7 .<= strayCount)
    let isYoung = count .< Self.memory
    if isYoung.isAny {
      // The mean is adopted at 1, 2, 4, ... samples.
      var isDue = Lanes.Mask(repeating: false)
      var power = 1
      while power < SampleInterval.memory {
        isDue = isDue .| (count .== Lanes(repeating: Double(power - 1)))
        power *= 2
      }
      mayChange = mayChange .| (isYoung .& isDue)
    }
    return exists .& isLearned .& mayChange
  }

  /// Takes the time between two samples, which changes no value.
  @inline(__always)
  mutating func add(_ dt: Lanes, where isUsed: Lanes.Mask) {
    let isUsed = isUsed .& isLearned
    let isStray = 0.25 * mean .< (dt - mean).magnitude
    strayCount.set(.select(isStray, strayCount + 1, .none), where: isUsed)
    mean.set(nextMean(dt), where: isUsed)
    count.set(.lesser(count + 1, Self.memory), where: isUsed)
  }
}
