internal import InertialSystem

/// Physical rules that detect cycling and driving in motion that the model does not classify as gait with certainty.
///
/// The thigh of a cyclist rotates about a hip that rests on a saddle: regularly back and forth about one axis. The
/// device moves no further than its distance from the hip allows. A walker's thigh swings as far, but is lifted with
/// each of two steps in that time, and an arm is longer. A vehicle moves a device without rotating it, which a limb
/// cannot. Shaking without gait is not a walk, however strong it is.
///
/// A vehicle shakes steadily, faster than a person moves, and vertically, as a road does; a hand shakes in any direction.
/// A car's suspension absorbs slow vibration and keeps it below discomfort (about 0.06 g by ISO 2631-1); a bicycle
/// transmits more. If the speed is known, it limits the possible states. What the model classifies as gait with
/// certainty is never a ride.
package struct VehicleRules: Sendable, Hashable, Codable {
  /// The minimum acceleration above 5 Hz of a vehicle's vibration, in g; hand tremor and sensor noise are below.
  package var minimumVibration = 0.021
  /// The minimum ratio of the root mean square above 5 Hz to that below 3.5 Hz (the fast ratio) of a vehicle; people
  /// by themselves move more slowly.
  package var minimumFastRatio = 0.5
  /// The acceleration from 0.3 to 3.5 Hz, in g, above which a bicycle is more likely than a car: the level of
  /// discomfort, which a suspension avoids.
  package var bicycleLevel = 0.06
  /// The maximum total acceleration of sustained shaking in a car, in g.
  package var carLimit = 0.2
  /// The maximum deviation of gravity's direction in the device in a car, in radians. Passengers sit still; a hand
  /// that plays with the device rotates it further.
  package var carTilt = 0.03
  /// The same maximum in a device that only the bumps of a bicycle move, in radians. Hands that rotate a device reach
  /// 0.2 to 0.9.
  package var rideTilt = 0.2
  /// The maximum rotation rate caused by a bicycle's bumps, in rad/s. Legs that rotate the device faster and do not
  /// pedal are walking.
  package var rideTurning = 2.0
  /// The maximum kurtosis of steady shaking; a normal distribution has 3, single bumps have more.
  package var steadyKurtosis = 5.0
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
  /// The maximum amplitude of a pedalling thigh, in radians: a crank of 0.17 m moves a thigh of 0.40 m by 25 degrees to
  /// either side, and the body rocks. Arms swing further.
  package var pedalSwing = 0.5
  /// The minimum ratio of the vertical to the horizontal acceleration of a pedalling thigh and of a device on a road;
  /// equal accelerations along the three axes have 0.71. A pedalling thigh is at most 50 degrees below the horizontal,
  /// so that it moves up and down rather than forth and back; legs and arms hang. Wheels roll over bumps.
  package var rideLift = 0.5
  /// The minimum autocorrelation of the rotation of pedalling.
  package var pedalRegularity = 0.6
  /// The minimum ratio of slow acceleration to rotation rate, in g s, and the minimum slow acceleration, in g, of a
  /// device that is moved but not rotated. Sitting people have 0.1 to 0.3, hands that push a device back and forth
  /// 0.3 to 0.4, cars 1 to 2, trains 0.3 to 0.8.
  package var carriedRatio = 0.35
  package var carriedLevel = 0.01
  /// The frequency of other motion relative to the activities; the model is trained as if all were equally frequent.
  package var otherMotion = 0.4
  /// The probability of other motion within a ride, for instance between two turns of the pedals, relative to that
  /// outside of rides.
  package var rideOther = 0.7
  /// The probability of a bicycle if a device is shaken like on a road, and the speed is unknown.
  package var roadCertainty = 0.45
  /// The probability of walking and running above which a motion is not a ride.
  package var certainGait = 0.95
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
  ///   - model: The probabilities of stationary, walking, running and other motion.
  ///   - speed: The ground speed, in m/s, or `nil` if it is unknown.
  func likelihoods(of window: ActivityWindow, model: SIMD4<Float>, speed: Double?) -> ActivityLikelihoods {
    // Windows overlap by half, so each has half the weight.
    let halved = model.squareRoot() / model.squareRoot().sum()
    let stationary = Double(halved.x)
    let (walking, running) = (Double(halved.y), Double(halved.z))
    let settled = logistic(4 * log(carTilt / max(Double(window.tilt), 1e-4)))
    var (cycling, automotive) = rides(window, gait: Double(model.y + model.z), settled: settled, speed: speed)
    let left = max(1 - cycling - automotive, 0.02)
    let other = otherMotion * Double(halved.w) * left
    // In a ride, the rider also does other things.
    (cycling, automotive) = (max(cycling, rideOther * other), max(automotive, rideOther * other))
    var result = ActivityLikelihoods()
    result[.stationary] = stationary * left * 0.98 + 0.01
    result[.walking] = walking * left * 0.98 + 0.01
    result[.running] = running * left * 0.98 + 0.01
    result[.other] = other * 0.98 + 0.01
    result[.cycling] = cycling
    result[.automotive] = automotive
    // In a vehicle a device usually lies still or is carried.
    result[.waiting] = stationary * left * (0.7 + 0.25 * settled)
    // On a bicycle at a traffic light the device stays in place, for instance in a pocket on a standing leg.
    result[.pausing] = stationary * left * (0.8 + 0.1 * settled)
    if let speed { result.weigh(bySpeed: factors(speed)) }
    return result
  }

  /// Returns the likelihoods of cycling and of a vehicle, at least 0.02, since no rule excludes a ride with certainty.
  ///
  /// - Parameter gait: The probability of walking and running by the model. A certain gait is never a ride.
  private func rides(
    _ window: ActivityWindow, gait: Double, settled: Double, speed: Double?
  ) -> (cycling: Double, automotive: Double) {
    let ratio = Double(window.fast / window.slow)
    let level = max(Double(window.level), 1e-4)
    let tilt = max(Double(window.tilt), 1e-4)
    let steady = logistic((steadyKurtosis - Double(window.kurtosis)) / 0.5)
    let vibration =
      logistic(6 * log(ratio / minimumFastRatio)) * logistic(6 * log(Double(window.fast) / minimumVibration))
    let weak = logistic(6 * log(carLimit / level))
    let turns = window.rotation.map { max($0.strength, 1e-3) } ?? 1e-3
    let carried = logistic(6 * log(rideTilt / tilt)) * logistic(6 * log(rideTurning / turns))
    let lift = logistic(6 * log(max(Double(window.lift), 1e-3) / rideLift))
    let vehicle = vibration * steady * lift
    var bicycle = logistic(4 * log(Double(window.slow) / bicycleLevel))
    if let speed { bicycle *= logistic((carSpeed - speed) / 0.7) }
    // A device that is moved but not rotated is carried, and so is a person who moves forward without gait.
    var car = settled * weak * max(0.9 * vehicle * (1 - bicycle), 0.8 * translation(window))
    // Shaking like on a road is weak evidence of a bicycle without its speed.
    let certainty = speed == nil ? roadCertainty : 0.9
    if let speed { car = max(car, 0.3 * logistic((speed - carriedSpeed) / 0.2)) }
    let pedals = turning(window) * lift
    // Walking and running are slower than a car.
    let isFast = speed.map { logistic(($0 - carSpeed) / 0.7) } ?? 0
    let isRide = max(logistic((certainGait - gait) / 0.03), isFast)
    return (
      max(max(0.9 * pedals, certainty * vehicle * bicycle * carried) * isRide, 0.02), max(car * isRide, 0.02)
    )
  }

  /// Returns the degree to which the device rotates like a pedalling thigh, 0...1.
  private func turning(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation, let period = rotation.period,
      let radius = rotation.radius(of: Double(window.slow))
    else { return 0 }
    let swing = 2.0.squareRoot() * rotation.strength * period / (2 * .pi)
    let score =
      12 * (rotation.planarity - pedalPlanarity) + 3 * log(pedalRadius / max(radius, 1e-3))
      + heelless(window, strength: rotation.strength, period: period)
    return logistic(2.5 * score) * logistic((rotation.regularity - pedalRegularity) / 0.05)
      * logistic(12 * log(pedalSwing / swing))
  }

  /// Returns the evidence for legs without heel strikes, at most 0.5.
  private func heelless(_ window: ActivityWindow, strength: Double, period: Double) -> Double {
    guard window.rate < joltRate else {
      return min(3 * log(pedalJolts / max(Double(window.fast) / strength, 1e-4)), 0.5)
    }
    return Double(window[.verticalPeakFrequency]) * period < pedalBeats ? 0.5 : -1
  }

  /// Returns the degree to which the device is moved without rotation, 0...1.
  private func translation(_ window: ActivityWindow) -> Double {
    guard let rotation = window.rotation else { return 0 }
    let slow = Double(window.slow)
    return logistic(6 * log(slow / max(rotation.strength, 0.003) / carriedRatio))
      * logistic(6 * log(slow / carriedLevel))
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
}

/// Returns the logistic function, 0...1; 0.5 at 0.
private func logistic(_ x: Double) -> Double { 1 / (1 + exp(-min(max(x, -40), 40))) }
