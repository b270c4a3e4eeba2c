internal import InertialNumerics

extension VQF {
  /// A detector of rest: rate and acceleration have stayed near their low-passed values for some time, and the rate is
  /// small enough for a bias.
  ///
  /// Laidig and Seel 2023.
  struct RestDetection: Sendable, Codable, Equatable {
    var isResting = false
    /// The low-passed rate, in rad/s: the bias while at rest.
    var rate = Vector3.zero
    var time = 0.0
    var rateLowPass = MeanStartLowPass<Vector3>()
    var forceLowPass = MeanStartLowPass<Vector3>()

    mutating func add(rate newRate: Vector3, _ lowPass: LowPassDesign, _ limits: Limits) {
      rate = rateLowPass.update(newRate, lowPass)
      if (newRate - rate).squaredNorm >= limits.squaredRate || rate.maximumMagnitude > limits.biasBound { end() }
    }

    mutating func add(force: Vector3, _ lowPass: LowPassDesign, _ limits: Limits) {
      let low = forceLowPass.update(force, lowPass)
      guard (force - low).squaredNorm < limits.squaredForce else { return end() }
      time += lowPass.interval
      if time >= limits.duration { isResting = true }
    }

    private mutating func end() {
      time = 0
      isResting = false
    }

    mutating func retuneRate(from old: LowPassDesign, to new: LowPassDesign) {
      rateLowPass.retune(from: old, to: new)
    }

    mutating func retuneForce(from old: LowPassDesign, to new: LowPassDesign) {
      forceLowPass.retune(from: old, to: new)
    }

    struct Limits: Sendable {
      /// The largest squared deviation of the rate from its low-pass, in (rad/s)².
      let squaredRate: Double
      /// The largest squared deviation of the force from its low-pass, in g².
      let squaredForce: Double
      /// The minimum duration, in seconds.
      let duration: Double
      /// The largest bias about any axis, in rad/s.
      let biasBound: Double
    }
  }
}
