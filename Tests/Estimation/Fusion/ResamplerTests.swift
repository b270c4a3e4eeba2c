import InertialFusion
import InertialNumerics
import InertialRotations
import InertialSensors
import TestSupport
import Testing

@Suite("Resampler of device motions")
struct ResamplerTests {
  /// Returns a motion of a device that rotates about the vertical at 1 rad/s, with vectors that change linearly.
  private func motion(_ time: Double) -> DeviceMotion {
    let attitude = Attitude(quaternion: Quaternion(angle: time, axis: .unitZ))
    return DeviceMotion(
      time: time, attitude: attitude, gravity: attitude.gravity, userAcceleration: Vector3(time, 0, 1),
      rotationRate: Vector3(0, 2 * time, 1), magneticField: Vector3(20, time, -40), magneticFieldAccuracy: .high,
      heading: attitude.heading(), attitudeSigma: Vector3(time, 1, 1), gyroscopeBias: Vector3(0, 0, time),
      flags: .resting)
  }

  private func resample(_ motions: [DeviceMotion], rate: Double, maximumGap: Double = 0.5) -> (
    motions: [DeviceMotion], skipped: Int
  ) {
    var resampler = DeviceMotionResampler(rate: rate, maximumGap: maximumGap)
    var result: [DeviceMotion] = []
    for motion in motions {
      resampler.append(motion)
      while let next = resampler.next() { result.append(next) }
    }
    return (result, resampler.skippedCount)
  }

  @Test("at any rate the times are exactly the start plus k intervals", arguments: [7.0, 25, 50, 100, 250, 1000])
  func grid(rate: Double) {
    let motions = (0...300).map { motion(3.7 + Double($0) * 0.01) }
    let (result, skipped) = resample(motions, rate: rate)
    #expect(result.count == Int(3 * rate) + 1)
    #expect(skipped == 0)
    for (k, row) in result.enumerated() { #expect(row.time == 3.7 + Double(k) * (1 / rate)) }
  }

  @Test(
    "between motions attitude is interpolated by slerp, vectors linearly, heading along the shorter arc",
    arguments: [7.0, 1000])
  func values(rate: Double) {
    let (result, _) = resample((0...700).map { motion(Double($0) * 0.01) }, rate: rate)
    for row in result {
      let truth = motion(row.time)
      #expect(isSameRotation(row.attitude.quaternion, truth.attitude.quaternion, within: 1e-13))
      #expect(isNear(row.gravity, truth.gravity, within: 1e-14))
      #expect(isNear(row.userAcceleration!, truth.userAcceleration!, within: 1e-13))
      #expect(isNear(row.rotationRate, truth.rotationRate, within: 1e-13))
      #expect(isNear(row.magneticField!, truth.magneticField!, within: 1e-13))
      #expect(isNear(row.attitudeSigma!, truth.attitudeSigma!, within: 1e-13))
      #expect(isNear(row.gyroscopeBias, truth.gyroscopeBias, within: 1e-13))
      #expect((0..<360).contains(row.heading))
      #expect(isNear(difference(row.heading, truth.heading), 0, within: 1e-9))
      #expect(row.flags == .resting && row.magneticFieldAccuracy == .high)
    }
  }

  @Test("halfway between two attitudes is half the rotation, across signs and about any axis")
  func halfway() {
    let attitudes = Quaternion.random(20, seed: 3)
    for (a, b) in zip(attitudes, attitudes.dropFirst()) {
      var (first, second) = (motion(0), motion(0.1))
      first.attitude = Attitude(quaternion: a)
      second.attitude = Attitude(quaternion: -b)
      let (result, _) = resample([first, second], rate: 20)
      let half = result[1].attitude.quaternion
      #expect(isNear(half.angle(to: a), half.angle(to: b), within: 1e-12))
      #expect(isNear(half.angle(to: a), a.angle(to: b) / 2, within: 1e-12))
      #expect(isNear(result[1].gravity, Attitude(quaternion: half).gravity, within: 1e-14))
    }
  }

  @Test("a motion whose time is on the grid is unchanged")
  func onGrid() {
    let motions = (0...50).map { motion(Double($0) * 0.01) }
    let (result, _) = resample(motions, rate: 50)
    #expect(result.count == 26)
    for (k, row) in result.enumerated() {
      var expected = motions[2 * k]
      expected.time = row.time
      #expect(row == expected)
    }
  }

  @Test("across a gap no rows are interpolated: they are omitted and counted", arguments: [1.0, 10, 100])
  func gap(rate: Double) {
    let before: [DeviceMotion] = (0...100).map { motion(Double($0) * 0.01) }
    let after: [DeviceMotion] = (0...100).map { motion(4.005 + Double($0) * 0.01) }
    let (result, skipped) = resample(before + after, rate: rate)
    #expect(result.allSatisfy { $0.time <= 1 || $0.time >= 4.005 })
    #expect(result.count + skipped == Int((5.005 * rate).rounded(.down)) + 1)
    #expect(skipped == Int((4.005 * rate).rounded(.up)) - 1 - Int(rate))
    for row in result { #expect(isNear(row.userAcceleration!.x, row.time, within: 1e-12)) }
  }

  @Test("a gap of any length is skipped in constant time")
  func longGap() {
    let (result, skipped) = resample([motion(0), motion(0.01), motion(1e9)], rate: 100)
    #expect(result.count == 3)
    #expect(skipped == 99_999_999_998)
    let (farther, lost) = resample([motion(0), motion(1e300), motion(0.01)], rate: 100)
    #expect(farther.map(\.time) == [0, 0.01])
    #expect(lost == 1)
  }

  @Test("a value missing in one neighbour is missing in all rows between; a heading of −1 stays −1")
  func unknown() {
    var (a, b) = (motion(0), motion(0.1))
    (a.userAcceleration, b.magneticField, a.attitudeSigma, a.heading) = (nil, nil, nil, -1)
    let (result, _) = resample([a, b], rate: 20)
    #expect(result[1].userAcceleration == nil && result[1].magneticField == nil)
    #expect(result[1].attitudeSigma == nil && result[1].heading == -1)
    #expect(result[2].userAcceleration == b.userAcceleration)
  }

  @Test("accuracy and flags are the earlier neighbour's")
  func earlier() {
    var (a, b) = (motion(0), motion(0.1))
    (a.flags, b.flags) = ([.converging, .gap], [])
    (a.magneticFieldAccuracy, b.magneticFieldAccuracy) = (.low, .high)
    let (result, _) = resample([a, b], rate: 20)
    #expect(result.map(\.flags) == [[.converging, .gap], [.converging, .gap], []])
    #expect(result.map(\.magneticFieldAccuracy) == [.low, .low, .high])
  }

  @Test("at a lower rate a row has all measurements since the previous row, at a higher one each appears once")
  func measurements() {
    let kinds = MeasurementKind.allCases
    func motion(_ index: Int) -> DeviceMotion {
      var motion = self.motion(Double(index) * 0.01)
      motion.measurements = index % 3 == 0 ? [MeasurementOutcome(kinds[index / 3 % kinds.count], leftOut: .motion)] : []
      return motion
    }
    let reported = (0...300).flatMap { motion($0).measurements! }
    for rate in [7.0, 25, 100, 250] {
      let (rows, _) = resample((0...300).map(motion), rate: rate)
      let found = rows.flatMap { $0.measurements ?? [] }
      // The measurements after the last row are still pending.
      #expect(found == Array(reported.prefix(found.count)) && found.count > reported.count - 6)
      for row in rows.dropFirst() where rate == 25 { #expect((1...2).contains(row.measurements!.count)) }
    }
    #expect(resample((0...300).map { self.motion(Double($0) * 0.01) }, rate: 25).motions[7].measurements == nil)
  }
}
