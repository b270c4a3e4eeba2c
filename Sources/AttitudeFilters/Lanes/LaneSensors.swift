internal import LinearAlgebra
internal import Sensors

/// A sample of each lane, or none: a lane whose time is NaN has none.
struct LaneSample: Sendable {
  var time: Lanes
  var value: LaneVector3<Lanes>
  /// Where there is a sample.
  var exists: Lanes.Mask
}

/// `SampleGate` in lanes: each channel's last time (−∞ before its first sample) and what it refused last.
struct LaneGate: Sendable {
  var gyroscopeTime = Lanes(repeating: -.infinity)
  var accelerometerTime = Lanes(repeating: -.infinity)
  var fieldTime = Lanes(repeating: -.infinity)
  var gyroscopeRejected = Lanes.Mask(repeating: false)
  var accelerometerRejected = Lanes.Mask(repeating: false)
  var fieldRejected = Lanes.Mask(repeating: false)

  mutating func load(_ gate: SampleGate, lane: Int) {
    gyroscopeTime[lane] = gate.gyroscope.lastTime ?? -.infinity
    accelerometerTime[lane] = gate.accelerometer.lastTime ?? -.infinity
    fieldTime[lane] = gate.field.lastTime ?? -.infinity
    gyroscopeRejected[lane] = gate.flags.contains(.gyroscopeRejected)
    accelerometerRejected[lane] = gate.flags.contains(.accelerometerRejected)
    fieldRejected[lane] = gate.flags.contains(.magneticFieldRejected)
  }

  func store(lane: Int, to gate: inout SampleGate) {
    func time(_ value: Double) -> Double? { value == -.infinity ? nil : value }
    gate.gyroscope.lastTime = time(gyroscopeTime[lane])
    gate.accelerometer.lastTime = time(accelerometerTime[lane])
    gate.field.lastTime = time(fieldTime[lane])
    gate.flags.setMembership(of: .gyroscopeRejected, gyroscopeRejected[lane])
    gate.flags.setMembership(of: .accelerometerRejected, accelerometerRejected[lane])
    gate.flags.setMembership(of: .magneticFieldRejected, fieldRejected[lane])
  }

  /// The raw value of the flags, as a number.
  @inline(__always)
  var flags: Lanes {
    let none = Lanes(repeating: 0)
    func bits(_ mask: Lanes.Mask, _ flag: AttitudeFlags) -> Lanes {
      .select(mask, Lanes(repeating: Double(flag.rawValue)), none)
    }
    return bits(gyroscopeRejected, .gyroscopeRejected) + bits(accelerometerRejected, .accelerometerRejected)
      + bits(fieldRejected, .magneticFieldRejected)
  }

  @inline(__always)
  static func allowsRate(_ rate: LaneVector3<Lanes>) -> Lanes.Mask {
    rate.isWithin(SensorLimits.standard.rotationRate)
  }

  @inline(__always)
  static func allowsAcceleration(_ acceleration: LaneVector3<Lanes>) -> Lanes.Mask {
    let zero = Lanes(repeating: 0)
    let isZero = (acceleration.x .== zero) .& (acceleration.y .== zero) .& (acceleration.z .== zero)
    return acceleration.isWithin(SensorLimits.standard.acceleration) .& .!isZero
  }

  /// By the squared norm, which needs no root.
  @inline(__always)
  static func allowsField(_ field: LaneVector3<Lanes>) -> Lanes.Mask {
    let range = SensorLimits.standard.calibratedField
    let squared = field.squaredNorm
    return (range.lowerBound * range.lowerBound .<= squared)
      .& (squared .<= Lanes(repeating: range.upperBound * range.upperBound))
  }

  /// Takes the samples of a channel.
  ///
  /// - Returns: where they may be used, and the seconds since the sample before.
  @inline(__always)
  static func admit(
    _ sample: LaneSample, where isAllowed: Lanes.Mask, _ lastTime: inout Lanes, _ rejected: inout Lanes.Mask
  ) -> (isUsed: Lanes.Mask, dt: Lanes) {
    rejected = (sample.exists .& .!isAllowed) .| (.!sample.exists .& rejected)
    let dt = sample.time - lastTime
    let isUsed = sample.exists .& isAllowed .& (Lanes(repeating: 0) .< dt)
    lastTime = .select(isUsed, sample.time, lastTime)
    return (isUsed, dt)
  }
}

extension LaneVector3<Lanes> {
  /// Whether all components are numbers within a limit.
  @inline(__always)
  fileprivate func isWithin(_ limit: Double) -> Lanes.Mask {
    let limit = Lanes(repeating: limit)
    return (x.magnitude .<= limit) .& (y.magnitude .<= limit) .& (z.magnitude .<= limit)
  }
}

/// `SampleHold` in lanes, once it has had its first samples.
struct LaneHold: Sendable {
  private var last = LaneVector3<Lanes>(.zero)
  private(set) var interval = Lanes(repeating: 1)

  mutating func load(_ hold: SampleHold, lane: Int) {
    last[lane] = hold.last ?? .zero
    interval[lane] = hold.interval ?? 1
  }

  func store(lane: Int, to hold: inout SampleHold) {
    hold.last = last[lane]
    hold.interval = interval[lane]
  }

  /// The mean over `dt` seconds that end with this sample.
  @inline(__always)
  mutating func mean(_ value: LaneVector3<Lanes>, over dt: Lanes, where isUsed: Lanes.Mask) -> LaneVector3<Lanes> {
    let isLost = isUsed .& (1.5 * interval .< dt)
    var mean = value
    var next = interval + 0.05 * (dt - interval)
    if isLost.isAny {
      let between = Lanes(repeating: 0.5) * (last + value)
      let filled = (Lanes(repeating: 1) / dt) * (interval * value + (dt - interval) * between)
      mean = .select(isLost, filled, value)
      next = .select(isLost, interval + 0.01 * (.lesser(dt, 3 * interval) - interval), next)
    }
    interval = .select(isUsed, next, interval)
    last = .select(isUsed, value, last)
    return mean
  }
}

/// `HeldVector` in lanes; times of −∞ before the first sample.
struct LaneHeldVector: Sendable {
  private var value = LaneVector3<Lanes>(.zero)
  private var time = Lanes(repeating: -.infinity)
  private var sampleTime = Lanes(repeating: -.infinity)

  mutating func load(_ held: HeldVector, lane: Int) {
    value[lane] = held.value
    time[lane] = held.time ?? -.infinity
    sampleTime[lane] = held.time == nil ? -.infinity : held.sampleTime
  }

  func store(lane: Int, to held: inout HeldVector) {
    held = HeldVector()
    guard time[lane] > -.infinity else { return }
    held.value = value[lane]
    held.time = time[lane]
    held.sampleTime = sampleTime[lane]
  }

  /// Where there was a sample once.
  var exists: Lanes.Mask { Lanes(repeating: -.infinity) .< time }

  @inline(__always)
  mutating func take(_ sample: LaneSample, where isUsed: Lanes.Mask) {
    value = .select(isUsed, sample.value, value)
    time = .select(isUsed, sample.time, time)
    sampleTime = .select(isUsed, sample.time, sampleTime)
  }

  /// Turns the vector to a later time, at a rate (rad/s), where it is asked for and not too old.
  ///
  /// - Returns: where there is a vector.
  @inline(__always)
  mutating func turn(
    to later: Lanes, at rate: LaneVector3<Lanes>, for longest: Lanes, above least: Lanes,
    where isAsked: Lanes.Mask
  ) -> (vector: LaneVector3<Lanes>, exists: Lanes.Mask) {
    let isYoung = isAsked .& (later - sampleTime .<= longest)
    let isOld = isYoung .& (time .< later)
    var vector = value
    if isOld.isAny {
      let ago = Lanes.select(isOld, later - time, Lanes(repeating: 0))
      vector = value.turned(by: -ago * rate)
    }
    let exists = isYoung .& (least .<= vector.squaredNorm)
    let follows = isOld .& exists
    value = .select(follows, vector, value)
    time = .select(follows, later, time)
    return (vector, exists)
  }
}

/// `RestDetector` in lanes, once it has had its first samples.
struct LaneRest: Sendable {
  private(set) var rate = LaneVector3<Lanes>(.zero)
  private var acceleration = LaneVector3<Lanes>(.zero)
  private var quietTime = Lanes(repeating: 0)
  private var accelerationIsQuiet = Lanes.Mask(repeating: false)
  private var thresholds = Thresholds()

  private struct Thresholds: Sendable {
    var rate = Lanes(repeating: 0)
    var acceleration = Lanes(repeating: 0)
    var duration = Lanes(repeating: 0)
    var biasBound = Lanes(repeating: 0)
  }

  mutating func load(_ rest: RestDetector, _ thresholds: RestDetector.Thresholds, lane: Int) {
    rate[lane] = rest.rate ?? .zero
    acceleration[lane] = rest.acceleration ?? .zero
    quietTime[lane] = rest.quietTime
    accelerationIsQuiet[lane] = rest.accelerationIsQuiet
    self.thresholds.rate[lane] = thresholds.rate
    self.thresholds.acceleration[lane] = thresholds.acceleration
    self.thresholds.duration[lane] = thresholds.duration
    self.thresholds.biasBound[lane] = thresholds.biasBound
  }

  func store(lane: Int, to rest: inout RestDetector) {
    rest.rate = rate[lane]
    rest.acceleration = acceleration[lane]
    rest.quietTime = quietTime[lane]
    rest.accelerationIsQuiet = accelerationIsQuiet[lane]
  }

  @inline(__always)
  var isResting: Lanes.Mask { thresholds.duration .<= quietTime }

  /// The raw value of the flag, as a number.
  @inline(__always)
  var flags: Lanes {
    .select(isResting, Lanes(repeating: Double(AttitudeFlags.resting.rawValue)), Lanes(repeating: 0))
  }

  @inline(__always)
  mutating func add(rate newRate: LaneVector3<Lanes>, dt: Lanes, weight: Lanes, where isUsed: Lanes.Mask) {
    let low = rate + weight * (newRate - rate)
    let isQuiet =
      ((newRate - low).maximumMagnitude .< thresholds.rate) .& (low.maximumMagnitude .< thresholds.biasBound)
      .& accelerationIsQuiet
    let longer = Lanes.lesser(quietTime + dt, thresholds.duration + 1)
    quietTime = .select(isUsed, .select(isQuiet, longer, Lanes(repeating: 0)), quietTime)
    rate = .select(isUsed, low, rate)
  }

  @inline(__always)
  mutating func add(acceleration new: LaneVector3<Lanes>, weight: Lanes, where isUsed: Lanes.Mask) {
    let low = acceleration + weight * (new - acceleration)
    let isQuiet = (new - low).maximumMagnitude .< thresholds.acceleration
    accelerationIsQuiet = (isUsed .& isQuiet) .| (.!isUsed .& accelerationIsQuiet)
    acceleration = .select(isUsed, low, acceleration)
  }

  @inline(__always)
  static func weight(of dt: Lanes) -> Lanes {
    (1 / RestDetector.timeConstant * dt).oneMinusExponential
  }
}
