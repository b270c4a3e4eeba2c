internal import InertialSystem

/// How cycling and driving are told by physics, without training.
///
/// A thigh that pedals turns about a hip that rests on a saddle: to and fro about one axis, evenly, and the device moves no
/// further than its distance from the hip makes it; who walks swings the thigh as far, but is lifted at each of two steps
/// in that time, and an arm is longer. A vehicle moves a device without turning it, which no limb can. And what shakes but has no gait in it
/// is no walk, however strong.
///
/// A vehicle shakes steadily and faster than a person moves. A car's springs keep slow shaking away and leave a level
/// that its makers hold below discomfort (about 0.06 g by ISO 2631-1); a bicycle passes more on, the slow part above
/// all. Pedalling repeats itself like a gait, but has no heel strike, whose jolts upwards make walking skewed to one
/// side. Where there is a speed, it says which of them can be.
package struct VehicleRules: Sendable, Hashable, Codable {
  /// g: below, what shakes faster than 5 Hz is a hand's tremor or a sensor's noise.
  package var leastVibration = 0.021
  /// 1: root mean square above 5 Hz by that below 3.5 Hz; persons by themselves move slower.
  package var leastFastShare = 0.5
  /// 1: the same share, from which on weak shaking is no gait.
  package var gaitFastShare = 1.3
  /// g: all of the acceleration; more is a bicycle's rather than a car's where the fast share is 1.
  package var bicycleLevel = 0.065
  /// g: all of the acceleration; a car does not shake more than that for long.
  package var carLimit = 0.2
  /// rad: gravity's direction in the device strays by less in a car, whose passengers sit still; a hand that plays with
  /// the device turns it further.
  package var carTilt = 0.04
  /// rad: the same on a bicycle, where the bumps alone speak for one: a thigh swings by less. On six rides it was 0.04 to
  /// 0.15; hands that turn a device make 0.2 to 0.9.
  package var rideTilt = 0.45
  /// rad/s: a bicycle's bumps turn the device by less; legs that turn it further and do not pedal walk.
  package var rideTurning = 2.0
  /// Kurtosis of steady shaking at the most; a normal distribution has 3, single bumps have more.
  package var steadyKurtosis = 5.0
  /// g: a person at rest moves the device less than that.
  package var restLevel = 0.03
  /// Autocorrelation of pedalling at the least, and skewness of its acceleration downwards; heel strikes have it below 0.
  package var pedalRepetition = 0.5
  package var pedalSkewness = 0.15
  /// g: the vertical acceleration of pedalling is between.
  package var leastPedalLevel = 0.05
  package var pedalLevel = 0.4
  /// Hz: a slower sensor smooths heel strikes away, so that their lack says nothing.
  package var pedalRate = 20.0
  /// 1: legs move slowly; the fast share of pedalling stays below.
  package var pedalFastShare = 1.2
  /// The turning of a thigh that pedals, in which three things speak together: the part about one axis, for legs that pedal
  /// stay in their plane; how far from the axis the device would be, m, if all of its slow acceleration came from the
  /// turning (a pocket is some 0.2 m from the hip; walking adds the body's rise and makes that 0.3 to 0.6, a swinging arm
  /// 0.5 to 1); and the fast acceleration by the rotation rate, g s, of which heel strikes make more. Each is written where
  /// it says nothing.
  package var pedalPlanarity = 0.8
  package var pedalRadius = 0.42
  package var pedalJolts = 0.09
  /// Hz: a slower sensor does not have the band of the fast acceleration. Its heel strikes are told by how often the vertical
  /// acceleration beats while the limb swings once: on pedals once, on feet twice or more.
  package var joltRate = 36.0
  package var pedalBeats = 1.5
  /// rad: gravity's direction in the device strays by more where a hand turns it; a thigh that pedals makes 0.17 to 0.25.
  package var pedalTilt = 0.33
  /// m: no pocket is closer to the hip; what turns in a hand turns about itself.
  package var leastRadius = 0.12
  /// Correlation of the turning a period before; and rad/s: 15 degrees to either side, 0.8 times a second, are 0.9.
  package var pedalRegularity = 0.6
  package var pedalStrength = 0.6
  /// g s: slow acceleration by rotation rate, and g: from which on a device is moved but not turned. People who sit have
  /// 0.1 to 0.3 and hands that push a device to and fro 0.3 to 0.4, cars 1 to 2, trains 0.3 to 0.8.
  package var carriedRatio = 0.35
  package var carriedLevel = 0.01
  /// Correlation, half a gait's: two steps of a walk are more alike, two bumps of a road less.
  package var gaitRepetition = 0.55
  /// rad/s: a limb that swings in a walk turns by more.
  package var leastSwing = 0.6
  /// rad/s: a limb that walks turns to and fro by less, and one that runs; chopping and shaking hands make 4 to 12.
  package var fastestWalkingLimb = 4.5
  package var fastestLimb = 7.5
  /// Of the probability of a walk where the pedometer sees no gait: a walk of some seconds has none yet.
  package var stepless = 0.5
  /// The same, where a ride's shaking is weighed: what has gone on for longer is no walk.
  package var doubt = 0.85
  /// Steps a second: nobody runs slower.
  package var slowestCadence = 2.1
  /// m/s: a faster one is not walked, run, cycled; and a slower one is not either.
  package var fastestWalk = 2.5
  package var fastestRun = 7.0
  package var fastestRide = 12.0
  package var slowestWalk = 0.7
  package var slowestRun = 1.2
  package var slowestRide = 1.5
  /// m/s: who is faster than that, and does not walk or run, is carried.
  package var carriedSpeed = 1.2
  /// m/s: where the shaking does not say which, a faster vehicle is a car.
  package var carSpeed = 8.0
  /// m/s: the scatter of a speed at rest.
  package var restSpeed = 0.3

  package init() {}

  /// Likelihoods of the states for a window.
  /// - Parameters:
  ///   - model: probabilities of stationary, walking and running.
  ///   - gait: what the pedometer sees; nil where nobody counts steps.
  ///   - speed: m/s over ground; nil where it is not known.
  func likelihoods(
    of window: ActivityWindow, model: SIMD4<Float>, gait: GaitEvidence?, speed: Double?
  ) -> ActivityLikelihoods {
    // Windows overlap by half, so each counts half.
    let halved = model.squareRoot() / model.squareRoot().sum()
    let turning = turning(window)
    let steps = gait.map { max(logistic(($0.repetition - gaitRepetition) / 0.04), swing(window)) } ?? 1
    let belief = stepless + (1 - stepless) * steps
    let stationary = Double(halved.x)
    var (walking, running) = (belief * Double(halved.y), belief * Double(halved.z))
    if let rotation = window.rotation { walking *= 1 - fast(rotation, than: fastestWalkingLimb) }
    if let cadence = gait?.cadence, cadence < slowestCadence {
      (walking, running) = (walking + 0.9 * running, 0.1 * running)
    }
    let share = Double(window.fast / window.slow)
    let level = max(Double(window.level), 1e-4)
    let steady = logistic((steadyKurtosis - Double(window.kurtosis)) / 0.5)
    let vibration = logistic(6 * log(share / leastFastShare)) * logistic(6 * log(Double(window.fast) / leastVibration))
    // Weak, and faster than any gait: no foot does that.
    let weak = logistic(6 * log(carLimit / level))
    let sharp = weak * logistic(6 * log(share / gaitFastShare))
    let tilt = max(Double(window.tilt), 1e-4)
    let settled = logistic(4 * log(carTilt / tilt))
    let turns = window.rotation.map { max($0.strength, 1e-3) } ?? 1e-3
    let carried = logistic(6 * log(rideTilt / tilt)) * logistic(6 * log(rideTurning / turns))
    // What looks like a gait otherwise may be one.
    let rest = 1 - (doubt + (1 - doubt) * steps) * Double(halved.y + halved.z)
    let vehicle = vibration * steady * (0.3 + 0.7 * max(rest, sharp))
    var bicycle = logistic(4 * (log(level / bicycleLevel) - log(share)))
    if let speed { bicycle *= logistic((carSpeed - speed) / 0.7) }
    var car = 0.9 * vehicle * (1 - bicycle) * settled * weak
    let shaken = vehicle * (bicycle * carried + (1 - bicycle) * settled)
    // What is moved and not turned is carried.
    if gait != nil { car = max(car, 0.8 * translation(window) * settled * weak * (1 - steps)) }
    // Who moves on without a gait is carried.
    if let speed { car = max(car, 0.3 * rest * logistic((speed - carriedSpeed) / 0.2)) }
    // What pedals move they also turn.
    let turned = window.rotation.map { logistic(($0.regularity - 0.5) / 0.05) } ?? 1
    let pedals = max(
      turned * pedalling(window) * logistic(6 * log(pedalFastShare / share)),
      turning * logistic(6 * log(pedalTilt / tilt)))
    let ride = 0.9 * max(pedals, vehicle * bicycle * carried)
    // A fiftieth: no rule is sure that it is not.
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
    // In a vehicle a device lies, or is carried, more often than it is played with.
    result[.waiting] = stationary * left * (0.6 + 0.3 * settled)
    // On a bicycle at a light it stays where it was, in a pocket on a leg that stands.
    result[.pausing] = stationary * left * (0.8 + 0.1 * settled)
    if let speed { result.weigh(bySpeed: factors(speed)) }
    return result
  }

  /// How much the device turns like a thigh that pedals.
  private func turning(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation, let period = rotation.period else { return 0 }
    let radius = 9.81 * Double(window.slow) * period / (2 * .pi * rotation.strength)
    let score =
      12 * (rotation.planarity - pedalPlanarity) + 3 * log(pedalRadius / max(radius, 1e-3))
      + heelless(window, strength: rotation.strength, period: period)
    return logistic(2.5 * score) * logistic((rotation.regularity - pedalRegularity) / 0.05)
      * logistic(6 * log(rotation.strength / pedalStrength)) * logistic(8 * log(max(radius, 1e-3) / leastRadius))
  }

  /// How much speaks for legs that strike no heels, 0.5 at the most.
  private func heelless(_ window: ActivityWindow, strength: Double, period: Double) -> Double {
    guard window.rate < joltRate else {
      return min(3 * log(pedalJolts / max(Double(window.fast) / strength, 1e-4)), 0.5)
    }
    return Double(window[.verticalPeakFrequency]) * period < pedalBeats ? 0.5 : -1
  }

  /// How much the device swings with a limb that walks: a gait that a coarse accelerometer may miss.
  func swing(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation, rotation.period != nil else { return 0 }
    return logistic((rotation.regularity - pedalRegularity) / 0.05) * logistic(8 * log(rotation.strength / leastSwing))
      * (1 - turning(window))
  }

  /// Whether the device turns to and fro faster than any limb that walks, runs or pedals turns it.
  func isGesture(_ window: ActivityWindow) -> Bool {
    window.rotation.map { fast($0, than: fastestLimb) > 0.5 } ?? false
  }

  /// Whether the device turns faster than the limb of somebody who steps as fast as that; steps a second, nil: not known.
  func isGesture(_ window: ActivityWindow, cadence: Double?) -> Bool {
    guard (cadence ?? 0) < slowestCadence else { return isGesture(window) }
    return window.rotation.map { fast($0, than: fastestWalkingLimb) > 0.5 } ?? false
  }

  /// How much the device turns to and fro by more than a limit, rad/s.
  private func fast(_ rotation: RotationMeasure, than limit: Double) -> Double {
    logistic((rotation.regularity - 0.5) / 0.05) * logistic(12 * log(max(rotation.strength, 1e-3) / limit))
  }

  /// How much the device is moved without being turned.
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
      * logistic(6 * log(max(Double(window.verticalLevel), 1e-4) / leastPedalLevel))
  }

  /// How well a speed fits each state, 0.01 at the least: a receiver may be wrong.
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
}

/// 0 to 1, a half at 0.
private func logistic(_ x: Double) -> Double { 1 / (1 + exp(-min(max(x, -40), 40))) }
