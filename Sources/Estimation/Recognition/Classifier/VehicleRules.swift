internal import InertialSystem

/// Physical rules that detect cycling and driving, without training.
///
/// The thigh of a cyclist rotates about a hip that rests on a saddle: regularly back and forth about one axis. The
/// device moves no further than its distance from the hip allows. A walker's thigh swings as far, but is lifted with
/// each of two steps in that time, and an arm is longer. A vehicle moves a device without rotating it, which a limb
/// cannot. Shaking without gait is not a walk, however strong it is.
///
/// A vehicle shakes steadily and faster than a person moves. A car's suspension absorbs slow vibration and keeps the
/// level below discomfort (about 0.06 g by ISO 2631-1); a bicycle transmits more, above all at low frequencies.
/// Pedalling is as periodic as gait, but has no heel strike, whose upward jolts skew the acceleration of walking. If
/// the speed is known, it limits the possible states.
package struct VehicleRules: Sendable, Hashable, Codable {
  /// The minimum acceleration above 5 Hz of a vehicle's vibration, in g; hand tremor and sensor noise are below.
  package var minimumVibration = 0.021
  /// The minimum ratio of the root mean square above 5 Hz to that below 3.5 Hz (the fast ratio) of a vehicle; people
  /// by themselves move more slowly.
  package var minimumFastRatio = 0.5
  /// The fast ratio above which weak shaking is not gait.
  package var gaitFastRatio = 1.3
  /// The total acceleration, in g, above which a bicycle is more likely than a car if the fast ratio is 1.
  package var bicycleLevel = 0.065
  /// The maximum total acceleration of sustained shaking in a car, in g.
  package var carLimit = 0.2
  /// The maximum deviation of gravity's direction in the device in a car, in radians. Passengers sit still; a hand
  /// that plays with the device rotates it further.
  package var carTilt = 0.04
  /// The same maximum on a bicycle, if only the bumps indicate one, in radians: a thigh swings by less. Six rides had
  /// 0.04 to 0.15; hands that rotate a device reach 0.2 to 0.9.
  package var rideTilt = 0.45
  /// The maximum rotation rate caused by a bicycle's bumps, in rad/s. Legs that rotate the device faster and do not
  /// pedal are walking.
  package var rideTurning = 2.0
  /// The maximum kurtosis of steady shaking; a normal distribution has 3, single bumps have more.
  package var steadyKurtosis = 5.0
  /// The maximum acceleration of a person at rest, in g.
  package var restLevel = 0.03
  /// The minimum autocorrelation of pedalling, and the minimum skewness of its downward acceleration; heel strikes
  /// have a negative skewness.
  package var pedalRepetition = 0.5
  package var pedalSkewness = 0.15
  /// The range of the vertical acceleration of pedalling, in g.
  package var minimumPedalLevel = 0.05
  package var pedalLevel = 0.4
  /// The minimum sample rate at which heel strikes are visible, in Hz, so that their absence indicates pedalling.
  package var pedalRate = 20.0
  /// The maximum fast ratio in pedalling; legs move slowly.
  package var pedalFastRatio = 1.2
  /// The neutral values of three criteria for the rotation of a pedalling thigh, which are combined: the fraction of
  /// the rotation about one axis, since pedalling legs stay in their plane; the distance of the device from the axis,
  /// in m, if all of its slow acceleration resulted from the rotation (a pocket is about 0.2 m from the hip; walking
  /// adds the body's vertical movement, which results in 0.3 to 0.6, a swinging arm 0.5 to 1); and the ratio of the
  /// fast acceleration to the rotation rate, in g s, which is larger with heel strikes.
  package var pedalPlanarity = 0.8
  package var pedalRadius = 0.42
  package var pedalJolts = 0.09
  /// The minimum sample rate that contains the band of the fast acceleration, in Hz. Below it, heel strikes are
  /// detected by the number of beats of the vertical acceleration per swing of the limb: one on pedals, two or more
  /// on foot.
  package var joltRate = 36.0
  package var pedalBeats = 1.5
  /// The maximum deviation of gravity's direction in the device while pedalling, in radians. A pedalling thigh has
  /// 0.17 to 0.25, a hand that rotates the device has more.
  package var pedalTilt = 0.33
  /// The minimum radius, in m: a pocket is not closer to the hip; a device rotated in a hand rotates about itself.
  package var minimumRadius = 0.12
  /// The minimum autocorrelation of the rotation of pedalling, and its minimum strength in rad/s; 15 degrees to
  /// either side, 0.8 times per second, are 0.9.
  package var pedalRegularity = 0.6
  package var pedalStrength = 0.6
  /// The minimum ratio of slow acceleration to rotation rate, in g s, and the minimum slow acceleration, in g, of a
  /// device that is moved but not rotated. Sitting people have 0.1 to 0.3, hands that push a device back and forth
  /// 0.3 to 0.4, cars 1 to 2, trains 0.3 to 0.8.
  package var carriedRatio = 0.35
  package var carriedLevel = 0.01
  /// The correlation at which gait is half certain: two steps of a walk have more, two bumps of a road less.
  package var gaitRepetition = 0.55
  /// The minimum rotation rate of a limb that swings in a walk, in rad/s.
  package var minimumSwing = 0.6
  /// The maximum rotation rates of a walking and of a running limb, in rad/s; chopping and shaking hands reach 4 to
  /// 12.
  package var fastestWalkingLimb = 4.5
  package var fastestLimb = 7.5
  /// The factor of the probability of a walk if the pedometer finds no gait. It is not lower because steps are not
  /// detected in the first seconds of a walk.
  package var gaitlessWalkFactor = 0.5
  /// The same factor for the evaluation of a ride's shaking. Longer motion without gait is not a walk; see
  /// `ActivityEvidence.isStepless`.
  package var gaitlessWalkFactorInRide = 0.85
  /// The minimum cadence of running, in steps per second.
  package var slowestCadence = 2.1
  /// The maximum and minimum speeds of walking, running and cycling, in m/s.
  package var fastestWalk = 2.5
  package var fastestRun = 7.0
  package var fastestRide = 12.0
  package var slowestWalk = 0.7
  package var slowestRun = 1.2
  package var slowestRide = 1.5
  /// The speed, in m/s, above which a person who does not walk or run is carried.
  package var carriedSpeed = 1.2
  /// The speed, in m/s, above which a vehicle is a car if the shaking is ambiguous.
  package var carSpeed = 8.0
  /// The scatter of the measured speed at rest, in m/s.
  package var restSpeed = 0.3

  package init() {}

  /// Returns the likelihoods of the states for a window.
  ///
  /// - Parameters:
  ///   - model: The probabilities of stationary, walking and running.
  ///   - gait: The pedometer's evidence of gait, or `nil` without a pedometer.
  ///   - speed: The ground speed, in m/s, or `nil` if it is unknown.
  func likelihoods(
    of window: ActivityWindow, model: SIMD4<Float>, gait: GaitEvidence?, speed: Double?
  ) -> ActivityLikelihoods {
    // Windows overlap by half, so each has half the weight.
    let halved = model.squareRoot() / model.squareRoot().sum()
    let turning = turning(window)
    let steps = gait.map { max(logistic(($0.repetition - gaitRepetition) / 0.04), swing(window)) } ?? 1
    let belief = gaitlessWalkFactor + (1 - gaitlessWalkFactor) * steps
    let stationary = Double(halved.x)
    var (walking, running) = (belief * Double(halved.y), belief * Double(halved.z))
    if let rotation = window.rotation { walking *= 1 - fast(rotation, than: fastestWalkingLimb) }
    if let cadence = gait?.cadence, cadence < slowestCadence {
      (walking, running) = (walking + 0.9 * running, 0.1 * running)
    }
    let ratio = Double(window.fast / window.slow)
    let level = max(Double(window.level), 1e-4)
    let steady = logistic((steadyKurtosis - Double(window.kurtosis)) / 0.5)
    let vibration =
      logistic(6 * log(ratio / minimumFastRatio)) * logistic(6 * log(Double(window.fast) / minimumVibration))
    // Weak shaking that is faster than any gait does not come from feet.
    let weak = logistic(6 * log(carLimit / level))
    let sharp = weak * logistic(6 * log(ratio / gaitFastRatio))
    let tilt = max(Double(window.tilt), 1e-4)
    let settled = logistic(4 * log(carTilt / tilt))
    let turns = window.rotation.map { max($0.strength, 1e-3) } ?? 1e-3
    let carried = logistic(6 * log(rideTilt / tilt)) * logistic(6 * log(rideTurning / turns))
    // An apparent gait without other evidence may still be gait.
    let rest = 1 - (gaitlessWalkFactorInRide + (1 - gaitlessWalkFactorInRide) * steps) * Double(halved.y + halved.z)
    let vehicle = vibration * steady * (0.3 + 0.7 * max(rest, sharp))
    var bicycle = logistic(4 * (log(level / bicycleLevel) - log(ratio)))
    if let speed { bicycle *= logistic((carSpeed - speed) / 0.7) }
    var car = 0.9 * vehicle * (1 - bicycle) * settled * weak
    let shaken = vehicle * (bicycle * carried + (1 - bicycle) * settled)
    // A device that is moved but not rotated is carried.
    if gait != nil { car = max(car, 0.8 * translation(window) * settled * weak * (1 - steps)) }
    // A person who moves forward without gait is carried.
    if let speed { car = max(car, 0.3 * rest * logistic((speed - carriedSpeed) / 0.2)) }
    // Pedals also rotate the device.
    let turned = window.rotation.map { logistic(($0.regularity - 0.5) / 0.05) } ?? 1
    let pedals = max(
      turned * pedalling(window) * logistic(6 * log(pedalFastRatio / ratio)),
      turning * logistic(6 * log(pedalTilt / tilt)))
    let ride = 0.9 * max(pedals, vehicle * bicycle * carried)
    // The lower limit is 0.02, since no rule excludes a state with certainty.
    let (cycling, automotive) = (max(ride, 0.02), max(car, 0.02))
    let left = max(1 - cycling - automotive, 0.02)
    let afoot = 1 - 0.9 * shaken * sharp
    let moved = 1 - 0.9 * shaken * logistic(5 * log(level / restLevel))
    var result = ActivityLikelihoods()
    result[.stationary] = (stationary * left * 0.98 + 0.01) * moved
    result[.walking] = (walking * left * 0.98 + 0.01) * afoot
    result[.running] = (running * left * 0.98 + 0.01) * afoot
    result[.cycling] = cycling
    result[.automotive] = automotive
    // In a vehicle a device usually lies still or is carried.
    result[.waiting] = stationary * left * (0.6 + 0.3 * settled)
    // On a bicycle at a traffic light the device stays in place, for instance in a pocket on a standing leg.
    result[.pausing] = stationary * left * (0.8 + 0.1 * settled)
    if let speed { result.weigh(bySpeed: factors(speed)) }
    return result
  }

  /// Returns the degree to which the device rotates like a pedalling thigh, 0...1.
  private func turning(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation, let period = rotation.period else { return 0 }
    let radius = 9.81 * Double(window.slow) * period / (2 * .pi * rotation.strength)
    let score =
      12 * (rotation.planarity - pedalPlanarity) + 3 * log(pedalRadius / max(radius, 1e-3))
      + heelless(window, strength: rotation.strength, period: period)
    return logistic(2.5 * score) * logistic((rotation.regularity - pedalRegularity) / 0.05)
      * logistic(6 * log(rotation.strength / pedalStrength)) * logistic(8 * log(max(radius, 1e-3) / minimumRadius))
  }

  /// Returns the evidence for legs without heel strikes, at most 0.5.
  private func heelless(_ window: ActivityWindow, strength: Double, period: Double) -> Double {
    guard window.rate < joltRate else {
      return min(3 * log(pedalJolts / max(Double(window.fast) / strength, 1e-4)), 0.5)
    }
    return Double(window[.verticalPeakFrequency]) * period < pedalBeats ? 0.5 : -1
  }

  /// Returns the degree to which the device swings with a walking limb, 0...1: gait that an accelerometer with a low
  /// sample rate may miss.
  func swing(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation, rotation.period != nil else { return 0 }
    return logistic((rotation.regularity - pedalRegularity) / 0.05)
      * logistic(8 * log(rotation.strength / minimumSwing))
      * (1 - turning(window))
  }

  /// Whether the device rotates back and forth faster than any limb during walking, running or pedalling.
  func isGesture(_ window: ActivityWindow) -> Bool {
    window.rotation.map { fast($0, than: fastestLimb) > 0.5 } ?? false
  }

  /// Whether the device rotates faster than a limb at the given cadence, in steps per second, or `nil` if the cadence
  /// is unknown.
  func isGesture(_ window: ActivityWindow, cadence: Double?) -> Bool {
    guard (cadence ?? 0) < slowestCadence else { return isGesture(window) }
    return window.rotation.map { fast($0, than: fastestWalkingLimb) > 0.5 } ?? false
  }

  /// Returns the degree to which the device rotates back and forth faster than a limit in rad/s, 0...1.
  private func fast(_ rotation: RotationMeasure, than limit: Double) -> Double {
    logistic((rotation.regularity - 0.5) / 0.05) * logistic(12 * log(max(rotation.strength, 1e-3) / limit))
  }

  /// Returns the degree to which the device is moved without rotation, 0...1.
  private func translation(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation else { return 0 }
    let slow = Double(window.slow)
    return logistic(6 * log(slow / max(rotation.strength, 0.003) / carriedRatio))
      * logistic(6 * log(slow / carriedLevel))
  }

  private func pedalling(_ window: ActivityWindow) -> Double {
    logistic((window.rate - pedalRate) / 1.5)
      * logistic((Double(window.repetition) - pedalRepetition) / 0.06)
      * logistic((Double(window.skewness) - pedalSkewness) / 0.08)
      * logistic((pedalLevel - Double(window.verticalLevel)) / 0.05)
      * logistic(6 * log(max(Double(window.verticalLevel), 1e-4) / minimumPedalLevel))
  }

  /// Returns the factors of the states for a speed. They are at least 0.01, since a receiver can be wrong.
  private func factors(_ speed: Double) -> ActivityLikelihoods {
    func below(_ limit: Double, _ width: Double) -> Double { 0.01 + 0.99 * exp(-max(speed - limit, 0) / width) }
    var factors = ActivityLikelihoods()
    factors[.stationary] = below(0, restSpeed)
    factors[.waiting] = below(0, restSpeed)
    factors[.pausing] = below(0, restSpeed)
    factors[.walking] = below(fastestWalk, 0.3) * (0.2 + 0.8 * logistic((speed - slowestWalk) / 0.15))
    factors[.running] = below(fastestRun, 0.5) * (0.1 + 0.9 * logistic((speed - slowestRun) / 0.2))
    factors[.cycling] = below(fastestRide, 1) * (0.1 + 0.9 * logistic((speed - slowestRide) / 0.3))
    factors[.automotive] = 1
    return factors
  }

  /// The keys of saved values, which keep their names.
  private enum CodingKeys: String, CodingKey {
    case minimumVibration = "leastVibration", minimumFastRatio = "leastFastShare"
    case gaitFastRatio = "gaitFastShare", bicycleLevel, carLimit, carTilt, rideTilt, rideTurning
    case steadyKurtosis, restLevel, pedalRepetition, pedalSkewness, minimumPedalLevel = "leastPedalLevel"
    case pedalLevel, pedalRate, pedalFastRatio = "pedalFastShare", pedalPlanarity, pedalRadius, pedalJolts
    case joltRate, pedalBeats, pedalTilt, minimumRadius = "leastRadius", pedalRegularity, pedalStrength
    case carriedRatio, carriedLevel, gaitRepetition, minimumSwing = "leastSwing", fastestWalkingLimb
    case fastestLimb, gaitlessWalkFactor = "stepless", gaitlessWalkFactorInRide = "doubt", slowestCadence
    case fastestWalk, fastestRun, fastestRide, slowestWalk, slowestRun, slowestRide, carriedSpeed, carSpeed
    case restSpeed
  }
}

/// Returns the logistic function, 0...1; 0.5 at 0.
private func logistic(_ x: Double) -> Double { 1 / (1 + exp(-min(max(x, -40), 40))) }
