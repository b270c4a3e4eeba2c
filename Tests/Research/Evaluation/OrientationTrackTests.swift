import InertialSensors
import Testing

struct OrientationTrackTests {
  @Test("the orientation between samples is on the great arc, and at a sample it is the sample's own")
  func interpolation() throws {
    let (a, b) = (Quaternion(angle: 0.2, axis: .unitX), Quaternion(angle: 1.2, axis: .unitX))
    let track = try OrientationTrack(times: [1, 2, 5], quaternions: [a, -b, a], frame: .nwu)
    let middle = try #require(track.orientation(at: 1.25, maximumGap: 1))
    #expect(isSameRotation(middle, Quaternion(angle: 0.45, axis: .unitX), within: 1e-15))
    #expect(track.orientation(at: 1, maximumGap: 0) == a && track.orientation(at: 2, maximumGap: 0) == -b)
    #expect(track.orientation(at: 0.999, maximumGap: 10) == nil && track.orientation(at: 5, maximumGap: 0) == a)
    #expect(track.orientation(at: 5.001, maximumGap: 10) == nil)
    // The limit of the gap, from both sides.
    #expect(track.orientation(at: 3, maximumGap: 3) != nil && track.orientation(at: 3, maximumGap: 2.999) == nil)
  }

  @Test("invalid orientations are not used for interpolation")
  func invalid() throws {
    let (nothing, zero) = (Quaternion(x: .nan, y: 0, z: 0, w: 1), Quaternion(x: 0, y: 0, z: 0, w: 0))
    let track = try OrientationTrack(
      times: [0, 1, 2, 3, 4], quaternions: [.identity, nothing, .identity, .identity, zero], frame: .nwu)
    #expect((0..<5).map(track.isValid) == [true, false, true, true, false])
    for time in [0.5, 1, 1.5, 3.5, 4] { #expect(track.orientation(at: time, maximumGap: 2) == nil) }
    for time in [0.0, 2, 2.5, 3] { #expect(track.orientation(at: time, maximumGap: 2) != nil) }
  }

  @Test("columns of different lengths and decreasing timestamps are errors with their position")
  func columns() {
    #expect(throws: EvaluationError.countMismatch(times: 2, values: 1)) {
      try OrientationTrack(times: [0, 1], quaternions: [.identity], frame: .nwu)
    }
    for times in [[0, 2, 1], [0, 1, .nan], [0, 1, .infinity]] {
      #expect(throws: EvaluationError.timesNotIncreasing(index: 2)) {
        try OrientationTrack(times: times, quaternions: [.identity, .identity, .identity], frame: .nwu)
      }
    }
  }

  @Test("a track in another earth frame maps sensor vectors to the same directions")
  func frames() throws {
    let quaternions = Quaternion.random(20, seed: 1)
    let track = try OrientationTrack(times: (0..<20).map(Double.init), quaternions: quaternions, frame: .ned)
    let enu = track.converted(to: .enu)
    #expect(enu.frame == .enu)
    for (a, b) in zip(track.quaternions, enu.quaternions) {
      let v = Vector3(1, 2, 3)
      #expect(isNear(EarthFrame.vector(a.rotate(v), from: .ned, to: .enu), b.rotate(v), within: 4e-15))
    }
    #expect(track.converted(to: .ned) == track && track.shifted(by: 0.5).times == track.times.map { $0 + 0.5 })
  }

  @Test("columns of a recording become tracks and movement flags")
  func recordedColumns() throws {
    var recording = Recording()
    for (index, q) in Quaternion.random(5, seed: 2).enumerated() {
      recording.append(SensorSample(time: Double(index), channel: .referenceAttitude, q))
    }
    for (time, flag) in [(0.5, 1.0), (2, 0), (3.5, 1)] {
      recording.append(SensorSample(time: time, channel: .movement, x: flag))
    }
    let track = try OrientationTrack(try #require(recording[.referenceAttitude]), frame: .enu)
    #expect(track.times == [0, 1, 2, 3, 4])
    #expect(isSameRotation(track.quaternions[3], Quaternion.random(5, seed: 2)[3], within: 1e-15))
    let movements = try #require(recording[.movement])
    let movement = OrientationComparison.movement(movements, at: track.times)
    #expect(movement == [false, true, false, false, true])
    #expect(throws: EvaluationError.countMismatch(times: 3, values: 0)) {
      try OrientationTrack(movements, frame: .enu)
    }
  }
}
