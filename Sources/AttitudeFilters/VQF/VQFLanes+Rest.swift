internal import LinearAlgebra

/// `VQF.RestDetection` in lanes, once its low-passes run.
struct LaneRestDetection: Sendable {
  private(set) var isResting = Lanes.Mask(repeating: false)
  private(set) var rate = LaneVector3<Lanes>.zero
  private var time = Lanes.none
  private var (rateLowPass, forceLowPass) = (LaneVectorLowPass(), LaneVectorLowPass())

  mutating func load(_ rest: VQF.RestDetection, lane: Int) {
    isResting[lane] = rest.isResting
    rate[lane] = rest.rate
    time[lane] = rest.time
    rateLowPass.load(rest.rateLowPass, lane: lane)
    forceLowPass.load(rest.forceLowPass, lane: lane)
  }

  func store(lane: Int, to rest: inout VQF.RestDetection) {
    rest.isResting = isResting[lane]
    rest.rate = rate[lane]
    rest.time = time[lane]
    rateLowPass.store(lane: lane, to: &rest.rateLowPass)
    forceLowPass.store(lane: lane, to: &rest.forceLowPass)
  }

  @inline(__always)
  mutating func add(rate newRate: LaneVector3<Lanes>, _ c: Limits, where isUsed: Lanes.Mask) {
    let isUsed = isUsed .& c.usesRate
    let low = rateLowPass.update(newRate, c.rateLowPass, where: isUsed)
    rate.set(low, where: isUsed)
    let isOver = (c.squaredRate .<= (newRate - low).squaredNorm) .| (c.biasBound .< low.maximumMagnitude)
    end(where: isUsed .& isOver)
  }

  @inline(__always)
  mutating func add(force: LaneVector3<Lanes>, _ c: Limits, where isUsed: Lanes.Mask) {
    let isUsed = isUsed .& c.usesForce
    let low = forceLowPass.update(force, c.forceLowPass, where: isUsed)
    let isQuiet = (force - low).squaredNorm .< c.squaredForce
    end(where: isUsed .& .!isQuiet)
    time.set(time + c.forceInterval, where: isUsed .& isQuiet)
    isResting = isResting .| (isUsed .& isQuiet .& (c.duration .<= time))
  }

  @inline(__always)
  private mutating func end(where isOver: Lanes.Mask) {
    time.set(.none, where: isOver)
    isResting = isResting .& .!isOver
  }

  /// `VQF.RestDetection.Limits` in lanes, and the low-passes.
  struct Limits: Sendable {
    /// Where the rate and the force are looked at.
    private(set) var (usesRate, usesForce) = (Lanes.Mask(repeating: false), Lanes.Mask(repeating: false))
    private(set) var (squaredRate, squaredForce) = (Lanes.none, Lanes.none)
    private(set) var (duration, biasBound, forceInterval) = (Lanes.none, Lanes.none, Lanes.none)
    private(set) var (rateLowPass, forceLowPass) = (LaneLowPassDesign(), LaneLowPassDesign())

    mutating func load(_ c: VQF.Coefficients, lane: Int) {
      (usesRate[lane], usesForce[lane]) = (c.usesRate, c.learnsAtRest)
      (squaredRate[lane], squaredForce[lane]) = (c.rest.squaredRate, c.rest.squaredForce)
      (duration[lane], biasBound[lane]) = (c.rest.duration, c.rest.biasBound)
      forceInterval[lane] = c.restForce.interval
      rateLowPass.load(c.restRate, lane: lane)
      forceLowPass.load(c.restForce, lane: lane)
    }
  }
}
