import Foundation
import InertialNumerics
import InertialSensors
import TestSupport
import Testing

@testable import InertialRecognition

@Suite("Pedometer and swinging limbs")
struct PedometerSwingTests {
  private func rotation(
    strength: Double = 2, planarity: Double = 0.6, regularity: Double = 0.9, period: Double? = 1.1
  ) -> RotationMeasure {
    RotationMeasure(strength: strength, planarity: planarity, regularity: regularity, period: period)
  }

  private func swing(planarity: Double = 0.6, regularity: Double = 0.9, period: Double = 1.1) throws -> LimbSwing {
    try #require(LimbSwing(rotation(planarity: planarity, regularity: regularity, period: period)))
  }

  /// Returns the steps of samples during a constant rotation.
  private func steps(in samples: [MotionSample], _ rotation: RotationMeasure?) -> Int {
    var pedometer = Pedometer()
    let outputs = samples.flatMap { sample in
      pedometer.note(rotation)
      return pedometer.update(sample)
    }
    return (outputs + pedometer.finish()).count { if case .step = $0 { true } else { false } }
  }

  @Test("a swing has a minimum strength and regularity, and a period")
  func minimums() {
    #expect(LimbSwing(rotation(strength: 0.51)) != nil && LimbSwing(rotation(strength: 0.49)) == nil)
    #expect(LimbSwing(rotation(regularity: 0.51)) != nil && LimbSwing(rotation(regularity: 0.49)) == nil)
    #expect(LimbSwing(rotation(period: nil)) == nil && LimbSwing(nil) == nil)
  }

  @Test("a firm swing, a stride and a limb with many axes have limits")
  func limits() throws {
    for (regularity, isFirm) in [(0.71, true), (0.69, false)] {
      #expect(try swing(regularity: regularity).isFirm == isFirm)
    }
    for (period, isStride) in [(0.59, false), (0.61, true), (1.39, true), (1.41, false)] {
      #expect(try swing(period: period).isStride == isStride)
    }
    for (planarity, hasManyAxes) in [(0.79, true), (0.81, false)] {
      #expect(try swing(planarity: planarity).hasManyAxes == hasManyAxes)
    }
  }

  @Test("a swing confirms a stride of its period or half of it, within 12 %", arguments: [1.0, 0.5])
  func confirmation(factor: Double) throws {
    let swing = try swing(period: 1)
    for (stride, isConfirmed) in [(0.89, true), (0.87, false), (1.11, true), (1.13, false)] {
      #expect(swing.confirms(stride: factor * stride, isStrong: true) == isConfirmed, "\(stride)")
    }
    #expect(!swing.confirms(stride: 2, isStrong: true))
  }

  @Test("a quick swing is a stride of a run, and the nod of a device in a slow walk")
  func nods() throws {
    for (period, isStrong, isStride) in [(0.79, true, true), (0.79, false, false), (0.81, false, true)] {
      #expect(try swing(period: period).confirms(stride: period, isStrong: isStrong) == isStride)
    }
    let walk = SimulatedGait(cadence: 1.5).samples(rate: 50, 30)
    #expect(abs(steps(in: walk, rotation(strength: 1, period: 1 / 1.5)) - 45) <= 2)
  }

  @Test("a hand that rotates faster than a walker's or a runner's limb gestures")
  func gestures() {
    for (cadence, limit) in [(nil, 4.5), (2.0, 4.5), (2.2, 7.5)] {
      #expect(LimbSwing.isGesture(rotation(strength: limit + 0.1), cadence: cadence))
      #expect(!LimbSwing.isGesture(rotation(strength: limit - 0.1), cadence: cadence))
      #expect(!LimbSwing.isGesture(rotation(strength: 10, regularity: 0.49), cadence: cadence))
    }
    #expect(!LimbSwing.isGesture(nil, cadence: nil))
  }

  @Test("a crank rotates a device about one axis once per beat, a limb once per two steps or about several axes")
  func cranks() {
    func isGesture(_ strength: Double = 1.1, period: Double = 0.5, planarity: Double = 0.9) -> Bool {
      LimbSwing.isGesture(rotation(strength: strength, planarity: planarity, period: period), cadence: 2)
    }
    #expect(isGesture() && isGesture(period: 0.55) && isGesture(period: 0.45))
    #expect(!isGesture(0.9) && !isGesture(planarity: 0.79))
    #expect(!isGesture(period: 0.57) && !isGesture(period: 0.43) && !isGesture(period: 1))
    #expect(!LimbSwing.isGesture(rotation(strength: 1.1, planarity: 0.9, period: 0.5), cadence: nil))
  }

  @Test("steps of a hanging arm count however fast it swings about several axes")
  func fastArms() {
    func isGesture(isOnArm: Bool?) -> Bool {
      GaitEvidence(cadence: 2, isOnArm: isOnArm).isGesture(rotation(strength: 5))
    }
    #expect(!isGesture(isOnArm: true) && isGesture(isOnArm: false) && isGesture(isOnArm: nil))
    for (steadiness, planarity, isOnArm) in [(1.2, 0.7, true), (1.05, 0.7, false), (1.2, 0.85, false)] {
      let measure = measure(swing: LimbSwing(rotation(planarity: planarity)), steadiness: steadiness)
      #expect(GaitRule.isOnArm(measure) == isOnArm, "\(steadiness) g, \(planarity)")
    }
    #expect(!GaitRule.isOnArm(measure(swing: nil, steadiness: 1.2)))
  }

  @Test("a hand that rotates a device faster than a limb has no steps")
  func gesturesHaveNoSteps() {
    let walk = SimulatedGait().samples(rate: 50, 30)
    #expect(steps(in: walk, rotation(strength: 8)) == 0 && steps(in: walk, rotation()) > 50)
  }

  private func measure(
    swing: LimbSwing?, stepCorrelation: Double = 0.5, fraction: Double = 0.6, steadiness: Double = 1,
    skewness: Double = 0, strength: Double = 0.3, period: Double = 0.55, pace: GaitPace = .ordinary
  ) -> GaitMeasure {
    GaitMeasure(
      pace: pace, period: period / pace.cell, stepCorrelation: stepCorrelation, strideCorrelation: 0.8,
      amplitude: 0.1, strength: strength, fraction: fraction, steadiness: steadiness, skewness: skewness,
      swing: swing)
  }

  private func holds(_ measure: GaitMeasure) -> Bool {
    GaitRule.holds(measure, isWalking: false, goesOn: false, Pedometer.Parameters())
  }

  @Test("a confirmed limb may rotate more than it steps, and skip a beat, but does not swing purely")
  func limbs() throws {
    for bad in [(0.5, 0.3, 1.0), (0.5, 0.6, 0.5), (-0.59, 0.6, 1)] {
      func gait(_ swing: LimbSwing?) -> GaitMeasure {
        measure(swing: swing, stepCorrelation: bad.0, fraction: bad.1, steadiness: bad.2)
      }
      let (limb, planar, other) = (try swing(), try swing(planarity: 0.81), try swing(period: 1.3))
      #expect(holds(gait(limb)) && !holds(gait(nil)) && !holds(gait(planar)) && !holds(gait(other)))
    }
    let (limb, slow) = (try swing(), try swing(period: 1.5))
    #expect(!holds(measure(swing: limb, stepCorrelation: -0.61)))
    // A slow arm exercises.
    #expect(!holds(measure(swing: slow, stepCorrelation: -0.3, period: 0.75)))
  }

  @Test("the centripetal acceleration shows that an arm hangs")
  func hanging() throws {
    func gait(_ steadiness: Double, _ swing: LimbSwing) -> GaitMeasure {
      measure(swing: swing, stepCorrelation: -0.9, fraction: 0.3, steadiness: steadiness, skewness: -0.8)
    }
    let (firm, loose) = (try swing(planarity: 0.9), try swing(planarity: 0.9, regularity: 0.69))
    #expect(holds(gait(1.11, firm)) && !holds(gait(1.09, firm)) && !holds(gait(1.11, loose)))
  }

  @Test("an apparent slow step that is a whole swing is not a step")
  func wholeStrides() throws {
    let swing = try swing()
    for (period, isStep) in [(1.1, false), (1.22, false), (1.24, true)] {
      #expect(holds(measure(swing: swing, period: period, pace: .slow)) == isStep)
    }
    #expect(holds(measure(swing: nil, period: 1.1, pace: .slow)))
  }

  @Test("a firm swing of a limb that jolts replaces another period of the acceleration")
  func following() throws {
    func period(_ swing: LimbSwing?, strength: Double = 0.26) -> Double {
      var measure = measure(swing: swing, strength: strength, period: 0.4)
      GaitRule.followSwing(&measure, Pedometer.Parameters())
      return measure.periodInSeconds
    }
    let limb = try swing()
    #expect(abs(period(limb) - 0.55) < 1e-9 && abs(period(limb, strength: 0.24) - 0.4) < 1e-9)
    for other in [nil, try swing(planarity: 0.81), try swing(regularity: 0.69), try swing(period: 1.41)] {
      #expect(abs(period(other) - 0.4) < 1e-9)
    }
  }

  @Test("an arm with one beat per swing makes two steps per swing, and appears as slow steps without a gyroscope")
  func oneBeat() {
    let arm = samples(rate: 50, seconds: 60) { Vector3(0, 0, -1.15 - 0.2 * sin(2 * .pi * $0 / 1.1)) }
    let (aware, alone) = (steps(in: arm, rotation(planarity: 0.9)), steps(in: arm, nil))
    #expect(abs(aware - 109) <= 5 && abs(alone - 55) <= 3, "\(aware), \(alone)")
  }

  @Test("jolts without a period are steps if the limb swings, and no steps without a gyroscope")
  func aliasedJolts() {
    var generator = SeededGenerator(seed: 4)
    let jolts = samples(rate: 25, seconds: 60) { _ in Vector3(0, 0, -1 - 0.4 * generator.normal()) }
    let (aware, alone) = (steps(in: jolts, rotation(period: 1)), steps(in: jolts, nil))
    #expect((75...125).contains(aware) && alone < 10, "\(aware), \(alone)")
  }

  @Test("six steps count if a walk of 16 steps has ended less than 12 s before")
  func walkMemory() {
    func count(_ walk: Double, _ rest: Double) -> Int {
      Pedometer.steps(in: SimulatedGait().samples(rate: 50, walk, rest, 3.3, 5))
    }
    #expect(abs(count(20, 7) - 43) <= 2 && abs(count(20, 17) - 36) <= 1, "\(count(20, 7)), \(count(20, 17))")
    #expect(abs(count(7, 7) - 12) <= 1, "\(count(7, 7))")
  }

  @Test("the swing is part of the saved state, and does not outlast a gap in the samples")
  func state() throws {
    var pedometer = Pedometer()
    for sample in SimulatedGait().samples(rate: 50, 10) { _ = pedometer.update(sample) }
    pedometer.note(rotation())
    let saved = try JSONDecoder().decode(Pedometer.State.self, from: JSONEncoder().encode(pedometer.state))
    #expect(saved == pedometer.state && saved.swing != nil)
    _ = pedometer.update(MotionSample(time: 20, acceleration: Vector3(0, 0, -1)))
    #expect(pedometer.state.swing == nil)
  }
}
