internal import LinearAlgebra
internal import Rotations

/// `Strapdown` in lanes, once it has had its first samples.
struct LaneStrapdown: Sendable {
  private(set) var earthFromDevice = LaneQuaternion<Lanes>(.identity)
  private var midway = LaneQuaternion<Lanes>(.identity)
  private var rate = LaneVector3<Lanes>.zero
  private var time = Lanes.none
  private var held = LaneHold()

  mutating func load(_ strapdown: Strapdown, lane: Int) {
    earthFromDevice[lane] = strapdown.earthFromDevice
    midway[lane] = strapdown.midway
    rate[lane] = strapdown.rate
    time[lane] = strapdown.time ?? 0
    held.load(strapdown.held, lane: lane)
  }

  func store(lane: Int, to strapdown: inout Strapdown) {
    strapdown.earthFromDevice = earthFromDevice[lane]
    strapdown.midway = midway[lane]
    strapdown.rate = rate[lane]
    strapdown.time = time[lane]
    held.store(lane: lane, to: &strapdown.held)
  }

  @inline(__always)
  mutating func integrate(
    _ sample: LaneSample, bias: LaneVector3<Lanes>, over dt: Lanes, where isUsed: Lanes.Mask
  ) {
    let mean = held.mean(sample.value, over: dt, where: isUsed)
    let previous = earthFromDevice
    let now = (previous * LaneQuaternion(smallRotation: dt * (mean - bias))).normalized(else: previous)
    earthFromDevice.set(now, where: isUsed)
    midway.set((previous + now).normalized(else: now), where: isUsed)
    rate.set(sample.value, where: isUsed)
    time.set(sample.time, where: isUsed)
  }

  /// The attitude that a sample of another sensor was measured in.
  @inline(__always)
  func attitude(
    at sampleTime: Lanes, bias: LaneVector3<Lanes>, within longest: Lanes, where isUsed: Lanes.Mask
  ) -> LaneQuaternion<Lanes> {
    let isBetween = isUsed .& .!(sampleTime .== time)
    guard isBetween.isAny else { return midway }
    let isNear = (sampleTime - time).magnitude .<= longest
    let offset = Lanes.select(isNear, sampleTime - time - 0.5 * held.interval, .none)
    let carried = earthFromDevice * LaneQuaternion(smallRotation: offset * (rate - bias))
    return .select(isBetween, .select(isNear, carried, earthFromDevice), midway)
  }

  /// Turns the earth frame.
  @inline(__always)
  mutating func correct(by rotation: LaneQuaternion<Lanes>, where isUsed: Lanes.Mask) {
    earthFromDevice.set((rotation * earthFromDevice).normalized(else: earthFromDevice), where: isUsed)
    midway.set((rotation * midway).normalized(else: midway), where: isUsed)
  }
}

extension Strapdown {
  /// Whether lanes can go on from it: it has followed two samples.
  var isSteady: Bool { time != nil && held.isSteady }
}

extension SampleHold {
  /// Whether lanes can go on from it: it knows a sample and the time between two.
  var isSteady: Bool { last != nil && interval != nil }
}
