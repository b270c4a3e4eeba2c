internal import LinearAlgebra
internal import Rotations

/// `FactoredAttitude` in lanes, once the start-up is over and gravity's low-pass runs.
struct LaneFactoredAttitude: Sendable {
  private var inertialFromDevice = LaneQuaternion<Lanes>(.identity)
  private var levelFromInertial = LaneQuaternion<Lanes>(.identity)
  private(set) var levelFromDevice = LaneQuaternion<Lanes>(.identity)
  private var force = LaneVectorLowPass()
  private var heading = LaneHeading()

  mutating func load(_ attitude: FactoredAttitude, lane: Int) {
    inertialFromDevice[lane] = attitude.inertialFromDevice
    levelFromInertial[lane] = attitude.leveling.levelFromInertial
    levelFromDevice[lane] = attitude.levelFromDevice
    force.load(attitude.force, lane: lane)
    heading.load(attitude.heading, lane: lane)
  }

  func store(lane: Int, to attitude: inout FactoredAttitude) {
    attitude.inertialFromDevice = inertialFromDevice[lane]
    attitude.leveling.levelFromInertial = levelFromInertial[lane]
    attitude.levelFromDevice = levelFromDevice[lane]
    force.store(lane: lane, to: &attitude.force)
    heading.store(lane: lane, to: &attitude.heading)
  }

  @inline(__always)
  var earthFromDevice: LaneQuaternion<Lanes> { levelFromDevice.turnedAboutZ(heading.earthFromLevel) }

  /// Follows a rate without bias; `updateLevel` is to follow.
  @inline(__always)
  mutating func integrate(_ rate: LaneVector3<Lanes>, over dt: Lanes, where isUsed: Lanes.Mask) {
    let turned = inertialFromDevice * LaneQuaternion(smallRotation: dt * rate)
    inertialFromDevice.set(turned.renormalized, where: isUsed)
  }

  /// Levels the earth frame with the low-passed force; `updateLevel` is to follow.
  ///
  /// - Returns: where the low-passed force pointed before, a unit vector in the level frame as it was.
  @inline(__always)
  mutating func level(
    _ deviceForce: LaneVector3<Lanes>, _ lowPass: LaneLowPassDesign, where isUsed: Lanes.Mask
  ) -> LaneVector3<Lanes> {
    let low = force.update(inertialFromDevice.rotate(deviceForce), lowPass, where: isUsed)
    let levelForce = levelFromInertial.rotate(low)
    let squaredNorm = levelForce.squaredNorm
    // Not for a force that averages to nothing.
    let hasDirection = 1e-200 .<= squaredNorm
    let up = LaneVector3.select(
      hasDirection, (Lanes(repeating: 1) / squaredNorm.root) * levelForce, LaneVector3(.unitZ))
    levelFromInertial.set(levelFromInertial.turnedOntoZ(up), where: isUsed .& hasDirection)
    return up
  }

  /// The attitude without a field, once its factors have changed.
  @inline(__always)
  mutating func updateLevel(where isUsed: Lanes.Mask) {
    levelFromDevice.set(levelFromInertial * inertialFromDevice, where: isUsed)
  }

  /// Corrects the heading with a field in the level frame.
  @inline(__always)
  mutating func correctHeading(
    field: LaneVector3<Lanes>, _ gains: LaneHeading.Gains, trust: Lanes, where isUsed: Lanes.Mask
  ) {
    heading.correct(azimuth: .arcTangent(field.y, field.x), gains, trust: trust, where: isUsed)
  }
}

/// `HeadingCorrection` in lanes, once its tie is final.
struct LaneHeading: Sendable {
  private var northAngle = Lanes.none
  private var meanGain = Lanes.none
  /// The earth's angle less `northAngle`, radians.
  private var tie = Lanes.none

  struct Gains: Sendable {
    private(set) var gain = Lanes.none
    private(set) var timeConstant = Lanes(repeating: 1)
    private(set) var interval = Lanes.none

    mutating func load(_ gains: HeadingCorrection.Gains, lane: Int) {
      (gain[lane], timeConstant[lane], interval[lane]) = (gains.gain, gains.timeConstant, gains.interval)
    }
  }

  mutating func load(_ heading: HeadingCorrection, lane: Int) {
    (northAngle[lane], meanGain[lane]) = (heading.northAngle, heading.meanGain)
    // Without a tie no field was used, and the angle to the north is 0 still.
    tie[lane] = heading.tie ?? heading.startAngle
  }

  func store(lane: Int, to heading: inout HeadingCorrection) {
    (heading.northAngle, heading.meanGain) = (northAngle[lane], meanGain[lane])
  }

  @inline(__always)
  var earthFromLevel: Lanes { northAngle + tie }

  @inline(__always)
  mutating func correct(azimuth: Lanes, _ gains: Gains, trust: Lanes, where isUsed: Lanes.Mask) {
    let error = (-azimuth - northAngle).wrappedOnce
    var gain = trust * gains.gain
    let isMean = isUsed .& (Lanes.none .< meanGain)
    if isMean.isAny {
      gain = .select(isMean, .greater(gain, meanGain), gain)
      let next = meanGain / (meanGain + 1)
      meanGain.set(.select(next * gains.timeConstant .< gains.interval, .none, next), where: isMean)
    }
    northAngle.set((northAngle + gain * error).wrappedOnce, where: isUsed)
  }
}
