internal import SystemLibrary

/// How cycling and driving are told by physics, without training.
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
  /// 1: legs move slowly; the fast share of pedalling stays below.
  package var pedalFastShare = 1.2
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
  ///   - speed: m/s over ground; nil where it is not known.
  func likelihoods(of window: ActivityWindow, model: SIMD4<Float>, speed: Double?) -> ActivityLikelihoods {
    // Windows overlap by half, so each counts half.
    let halved = model.squareRoot() / model.squareRoot().sum()
    let (stationary, walking, running) = (Double(halved.x), Double(halved.y), Double(halved.z))
    let share = Double(window.fast / window.slow)
    let level = max(Double(window.level), 1e-4)
    let steady = logistic((steadyKurtosis - Double(window.kurtosis)) / 0.5)
    let vibration = logistic(6 * log(share / leastFastShare)) * logistic(6 * log(Double(window.fast) / leastVibration))
    // Weak, and faster than any gait: no foot does that.
    let weak = logistic(6 * log(carLimit / level))
    let sharp = weak * logistic(6 * log(share / gaitFastShare))
    let tilt = max(Double(window.tilt), 1e-4)
    let settled = logistic(4 * log(carTilt / tilt))
    let carried = logistic(6 * log(rideTilt / tilt))
    // What looks like a gait otherwise may be one.
    let rest = 1 - walking - running
    let vehicle = vibration * steady * (0.3 + 0.7 * max(rest, sharp))
    var bicycle = logistic(4 * (log(level / bicycleLevel) - log(share)))
    if let speed { bicycle *= logistic((carSpeed - speed) / 0.7) }
    var car = 0.9 * vehicle * (1 - bicycle) * settled * weak
    let shaken = vehicle * (bicycle * carried + (1 - bicycle) * settled)
    // Who moves on without a gait is carried.
    if let speed { car = max(car, 0.3 * rest * logistic((speed - carriedSpeed) / 0.2)) }
    let ride = 0.9 * max(pedalling(window) * logistic(6 * log(pedalFastShare / share)), vehicle * bicycle * carried)
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
    if let speed { result.weigh(bySpeed: factors(speed)) }
    return result
  }

  private func pedalling(_ window: ActivityWindow) -> Double {
    logistic((Double(window.repetition) - pedalRepetition) / 0.06)
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
    factors[.walking] = below(fastestWalk, 0.3) * (0.2 + 0.8 * logistic((speed - slowestWalk) / 0.15))
    factors[.running] = below(fastestRun, 0.5) * (0.1 + 0.9 * logistic((speed - slowestRun) / 0.2))
    factors[.cycling] = below(fastestRide, 1) * (0.1 + 0.9 * logistic((speed - slowestRide) / 0.3))
    factors[.automotive] = 1
    return factors
  }
}

/// 0 to 1, a half at 0.
private func logistic(_ x: Double) -> Double { 1 / (1 + exp(-min(max(x, -40), 40))) }
