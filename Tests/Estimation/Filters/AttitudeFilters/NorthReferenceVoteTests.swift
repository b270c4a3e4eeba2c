import Foundation
import InertialNumerics
import InertialRotations
import InertialSensors
import InertialSimulation
import TestSupport
import Testing

@testable import InertialFilters

@Suite("Evidence for north")
struct NorthReferenceVoteTests {
  private static let north = Vector3(20, 0, -40)
  private static let other = Vector3(14, 14, -40)

  /// Adds a field for some seconds from a time on; returns `true` if the other north should then be accepted.
  @discardableResult
  private static func show(
    _ field: Vector3, from start: Double, for seconds: Double, to evidence: inout NorthReferenceVote
  ) -> Bool {
    var isWrong = false
    for step in 0..<Int((10 * seconds).rounded()) where !isWrong {
      isWrong = evidence.add(field, over: 0.1, at: start + 0.1 * Double(step))
    }
    return isWrong
  }

  @Test("another north is accepted after it was shown for longer, and for at least 20 s")
  func majority() {
    for (first, second) in [(1.0, 20.0), (10, 20), (30, 30), (200, 60)] {
      var evidence = NorthReferenceVote()
      #expect(!Self.show(Self.north, from: 0, for: first, to: &evidence))
      #expect(!Self.show(Self.other, from: first, for: second - 0.5, to: &evidence))
      #expect(Self.show(Self.other, from: first + second - 0.5, for: 1, to: &evidence))
    }
  }

  @Test("a field that keeps changing is not another north, for any duration")
  func wandering() {
    var evidence = NorthReferenceVote()
    for step in 0..<3000 {
      let angle = 0.03 * Double(step)
      let field = Vector3(40 * cos(angle), 40 * sin(angle), -40)
      let isWrong = evidence.add(field, over: 0.1, at: 0.1 * Double(step))
      #expect(!isWrong)
    }
  }

  @Test("a field stronger than the earth's anywhere is not a north, if the accepted north is plausible")
  func beyondEarth() {
    var evidence = NorthReferenceVote()
    Self.show(Self.north, from: 0, for: 5, to: &evidence)
    let magnet = 1.6 * Self.other
    #expect(magnet.norm > 67)
    #expect(!Self.show(magnet, from: 5, for: 100, to: &evidence))
    #expect(evidence.headingVariance == 0 && isNear(evidence.field, Self.north, within: 1e-9))
    // The hidden evidence is not lost immediately, and another north is still accepted when it is shown.
    #expect(Self.show(Self.other, from: 105, for: 21, to: &evidence))
    // Fields without a known unit cannot be checked.
    var raw = NorthReferenceVote()
    Self.show(10 * Self.north, from: 0, for: 5, to: &raw)
    #expect(Self.show(10 * Self.other, from: 5, for: 21, to: &raw))
  }

  @Test("a stronger field in the same direction shows the same north")
  func stronger() {
    var evidence = NorthReferenceVote()
    Self.show(Self.north, from: 0, for: 5, to: &evidence)
    #expect(!Self.show(1.3 * Self.north, from: 5, for: 100, to: &evidence))
    #expect(evidence.headingVariance == 0 && isNear(evidence.field, 1.3 * Self.north, within: 1e-9))
  }

  @Test("the heading's variance follows from the other north's azimuth and the evidence for each")
  func doubt() {
    var evidence = NorthReferenceVote()
    Self.show(Self.north, from: 0, for: 30, to: &evidence)
    #expect(evidence.headingVariance == 0)
    Self.show(Self.other, from: 30, for: 10, to: &evidence)
    #expect(isNear(evidence.headingVariance, 0.25 * (.pi / 4) * (.pi / 4), within: 1e-3))
    Self.show(Self.north, from: 40, for: 11, to: &evidence)
    #expect(evidence.headingVariance == 0)
  }

  @Test("corrections of the heading by the field keep both norths at the positions from the gyroscope")
  func turning() {
    var evidence = NorthReferenceVote()
    Self.show(Self.north, from: 0, for: 30, to: &evidence)
    Self.show(Self.other, from: 30, for: 10, to: &evidence)
    evidence.turn(by: -.pi / 4)
    #expect(isNear(evidence.headingVariance, 0, within: 1e-9))
    #expect(isNear(evidence.field, Vector3(20 * 0.5.squareRoot(), -20 * 0.5.squareRoot(), -40), within: 1e-9))
  }

  @Test("the rejected interval is from the accepted north's first field to the other's, and is undone with it")
  func disowned() {
    var evidence = NorthReferenceVote()
    Self.show(Self.north, from: 0, for: 30, to: &evidence)
    Self.show(Self.other, from: 30, for: 31, to: &evidence)
    let first = evidence.exchange(at: 60)
    #expect(first.disowned.contains(0) && first.disowned.contains(30) && !first.disowned.contains(30.2))
    #expect(!first.isBack && isNear(evidence.field, Self.other, within: 1e-9))
    Self.show(Self.north, from: 100, for: 70, to: &evidence)
    let second = evidence.exchange(at: 170)
    #expect(second.isBack && isNear(second.disowned.lowerBound, 30, within: 0.2))
    #expect(isNear(second.disowned.upperBound, 100, within: 0.2))
  }

  @Test("the rejected interval begins with the earth axes of the norths")
  func disownedAfterNewAxes() {
    var evidence = NorthReferenceVote(since: 500)
    Self.show(Self.north, from: 501, for: 30, to: &evidence)
    Self.show(Self.other, from: 531, for: 31, to: &evidence)
    let change = evidence.exchange(at: 562)
    #expect(change.disowned.lowerBound == 500 && isNear(change.disowned.upperBound, 531, within: 0.2))
  }

  private static let trajectory = RandomSplineTrajectory(duration: 150, restDuration: 3, seed: 31)
  private static let samples = Simulation(
    trajectory: trajectory, sensors: .phone.forFilters(rates: (50, 50, 25)), duration: 150, seed: 4
  ).samples()

  /// Returns a recording with 20 µT from the west for some time.
  private static func disturbed(in times: Range<Double>) -> [SensorSample] {
    samples.map { sample in
      guard sample.channel == .calibratedMagneticField, times.contains(sample.time) else { return sample }
      let added = trajectory.state(at: sample.time).attitude.rotateInverse(Vector3(0, 20, 0))
      return with(sample) { ($0.x, $0.y, $0.z) = ($0.x + added.x, $0.y + added.y, $0.z + added.z) }
    }
  }

  /// Returns the error of a smoothed heading, in degrees.
  private static func heading(_ late: TimedAttitudeEstimate) -> Double {
    AttitudeError(late.estimate.earthFromDevice, truth: trajectory.state(at: late.time).attitude).heading
  }

  @Test("a recording that begins with a wrong north accepts the right one once it was shown for longer")
  func wrongStart() {
    var filter = MotionPriorKalman()
    var (before, after, jumps) = (Double.infinity, 0.0, 0)
    var widest = 0.0
    filter.follow(Self.disturbed(in: 0..<25), on: Self.trajectory) { time, estimate, error in
      if time > 5, time < 25 { before = min(before, abs(error.heading)) }
      if time > 70 { after = max(after, abs(error.heading)) }
      if time > 35, time < 45 { widest = max(widest, estimate.attitudeSigma!.z) }
      if estimate.flags.contains(.jumped), time > 5 { jumps += 1 }
    }
    #expect(before > 30 && after < 8)
    // In between, the other north counts as a possibility.
    #expect(widest > 0.2)
    #expect(jumps > 0)
  }

  @Test(
    "offline the wrong north of a start is omitted, and flagged",
    arguments: [HeadingReference.magneticNorth, .initialHeading])
  func wrongStartOffline(reference: HeadingReference) {
    var smoother = MotionPriorKalman.smoother(
      parameters: with(MotionPriorKalman.smoothingParameters) { $0.headingReference = reference })
    var worst = 0.0
    var constant: Double?
    var (flagged, late) = (0, 0)
    var (inside, count, narrowest) = (0, 0, Double.infinity)
    for estimate in smoother.estimates(of: Self.disturbed(in: 0..<25)) {
      let error = Self.heading(estimate)
      if constant == nil { constant = reference == .magneticNorth ? 0 : error }
      worst = max(worst, abs(error - constant!))
      let sigma = estimate.estimate.attitudeSigma!.z * 180 / .pi
      narrowest = min(narrowest, sigma)
      if abs(error - constant!) <= 2 * sigma { inside += 1 }
      count += 1
      if estimate.estimate.flags.contains(.magneticDisturbance) {
        if estimate.time < 25 { flagged += 1 } else if estimate.time > 30 { late += 1 }
      }
    }
    #expect(worst < 6)
    #expect(flagged > 1200 && late == 0)
    // Before the field, only the gyroscope propagated the heading: its sigma is the initial one of the field plus the
    // growth.
    #expect(narrowest > 0.2 && (reference == .initialHeading || Double(inside) > 0.9 * Double(count)))
  }

  @Test("a gap resets north: a disturbance after it does not invalidate the fields before it")
  func wrongNorthAfterGap() {
    var smoother = MotionPriorKalman.smoother(parameters: MotionPriorKalman.smoothingParameters)
    var (worstBefore, worstAfter) = (0.0, 0.0)
    let samples = Self.disturbed(in: 60..<90).filter { !(60..<64).contains($0.time) }
    for estimate in smoother.estimates(of: samples) {
      let error = abs(Self.heading(estimate))
      if estimate.time < 60 { worstBefore = max(worstBefore, error) }
      if estimate.time > 65 { worstAfter = max(worstAfter, error) }
      #expect(estimate.time > 60 || !estimate.estimate.flags.contains(.magneticDisturbance))
    }
    #expect(worstBefore < 6 && worstAfter < 6)
  }

  @Test("a gap in the middle of a wrong north's evidence discards the evidence")
  func gapForgetsNorth() {
    var filter = MotionPriorKalman()
    for sample in Self.disturbed(in: 60..<80) where !(80..<84).contains(sample.time) {
      filter.take(sample)
      // Twenty seconds of iron have less evidence than a minute of north; after the gap, neither has any.
      if sample.time > 79, sample.time < 80 { #expect(filter.state.north.headingVariance > 0) }
      if sample.time > 86 { #expect(filter.state.north.headingVariance == 0) }
    }
  }

  @Test("a disturbance of 25 s in a recording does not become north, and an arbitrary frame's X never jumps")
  func disturbance() {
    for (reference, times) in [(HeadingReference.magneticNorth, 60.0..<85), (.initialHeading, 0..<25)] {
      var filter = MotionPriorKalman(parameters: with(.init()) { $0.headingReference = reference })
      var (largest, jumps) = (0.0, 0)
      var first: Double?
      filter.follow(Self.disturbed(in: times), on: Self.trajectory) { time, estimate, error in
        guard time > 5 else { return }
        if first == nil { first = error.heading }
        largest = max(largest, abs(error.heading - first!))
        if estimate.flags.contains(.jumped) { jumps += 1 }
      }
      #expect(largest < 12 && jumps == 0)
    }
  }
}
