internal import LinearAlgebra

/// `VQF.BiasEstimation` in lanes, once its low-pass runs.
struct LaneBiasEstimation: Sendable {
  private(set) var bias = LaneVector3<Lanes>.zero
  private var covariance = LaneSymmetricMatrix3(SymmetricMatrix3(scale: 1))
  private var rows = (LaneVectorLowPass(), LaneVectorLowPass(), LaneVectorLowPass())
  private var (biasX, biasY) = (LaneLowPass(), LaneLowPass())

  mutating func load(_ estimation: VQF.BiasEstimation, lane: Int) {
    bias[lane] = estimation.bias
    covariance[lane] = estimation.covariance
    let (first, second) = (estimation.lowPass.first, estimation.lowPass.second)
    rows.0[lane] = (first.x, second.x)
    rows.1[lane] = (first.y, second.y)
    rows.2[lane] = (first.z, second.z)
    biasX[lane] = (first.biasX, second.biasX)
    biasY[lane] = (first.biasY, second.biasY)
  }

  func store(lane: Int, to estimation: inout VQF.BiasEstimation) {
    estimation.bias = bias[lane]
    estimation.covariance = covariance[lane]
    guard estimation.lowPass.isRunning else { return }
    let (x, y, z) = (rows.0[lane], rows.1[lane], rows.2[lane])
    estimation.lowPass.first = VQF.TiltRegressors(
      x: x.first, y: y.first, z: z.first, biasX: biasX[lane].first, biasY: biasY[lane].first)
    estimation.lowPass.second = VQF.TiltRegressors(
      x: x.second, y: y.second, z: z.second, biasX: biasX[lane].second, biasY: biasY[lane].second)
  }

  /// Takes an inclination correction, as the filter's.
  @inline(__always)
  mutating func update(
    up: LaneVector3<Lanes>, rotation q: LaneQuaternion<Lanes>, restRate: LaneVector3<Lanes>,
    isResting: Lanes.Mask, _ c: Noise, _ lowPass: LaneLowPassDesign, where isUsed: Lanes.Mask
  ) {
    let isUsed = isUsed .& c.learns
    let level = q.rows
    var low = (
      rows.0.update(level.0, lowPass, where: isUsed), rows.1.update(level.1, lowPass, where: isUsed),
      rows.2.update(level.2, lowPass, where: isUsed)
    )
    let lowX = biasX.update(level.0.dot(bias), lowPass, where: isUsed)
    let lowY = biasY.update(level.1.dot(bias), lowPass, where: isUsed)
    let grown = covariance.grown(by: c.process, upTo: c.initial)
    covariance.set(grown, where: isUsed)
    var innovation = LaneVector3(
      -up.y * c.rate + lowX - low.0.dot(bias), up.x * c.rate + lowY - low.1.dot(bias), -low.2.dot(bias))
    var noise = (level: c.motion, vertical: c.vertical)
    if isResting.isAny {
      innovation.set(restRate - bias, where: isResting)
      low.0.set(LaneVector3(.unitX), where: isResting)
      low.1.set(LaneVector3(.unitY), where: isResting)
      low.2.set(LaneVector3(.unitZ), where: isResting)
      noise.level.set(c.rest, where: isResting)
      noise.vertical.set(c.rest, where: isResting)
    }
    let correction = covariance.correction(rows: low, innovation.clipped(to: c.bound), noise: noise)
    let isLearned = isUsed .& (isResting .| c.learnsInMotion)
    let isCorrected = isLearned .& correction.exists
    covariance.set(correction.covariance, where: isCorrected)
    bias.set(bias + correction.step, where: isCorrected)
    bias.set(bias.clipped(to: c.bound), where: isLearned)
  }

  /// `VQF.BiasEstimation.Noise` in lanes.
  struct Noise: Sendable {
    /// Where a bias is learned at all.
    var learns = Lanes.Mask(repeating: false)
    var learnsInMotion = Lanes.Mask(repeating: false)
    var (rate, initial, process) = (Lanes.none, Lanes.none, Lanes.none)
    var (rest, motion, vertical) = (Lanes(repeating: 1), Lanes(repeating: 1), Lanes(repeating: 1))
    var bound = Lanes.none

    mutating func load(_ noise: VQF.BiasEstimation.Noise, learns: Bool, lane: Int) {
      (self.learns[lane], learnsInMotion[lane]) = (learns, noise.learnsInMotion)
      (rate[lane], initial[lane], process[lane]) = (noise.rate, noise.initial, noise.process)
      (rest[lane], motion[lane], vertical[lane]) = (noise.rest, noise.motion, noise.vertical)
      bound[lane] = noise.bound
    }
  }
}

extension LaneQuaternion<Lanes> {
  /// The rows of the matrix of a unit quaternion.
  @inline(__always)
  fileprivate var rows: (LaneVector3<Lanes>, LaneVector3<Lanes>, LaneVector3<Lanes>) {
    (
      LaneVector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      LaneVector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      LaneVector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    )
  }
}
