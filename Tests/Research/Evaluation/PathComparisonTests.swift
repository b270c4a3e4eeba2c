import Testing

@Suite("Paths against a reference") struct PathComparisonTests {
  /// A curved path in space, with ten samples per second.
  private static let times = (0..<400).map { Double($0) / 10 }
  private static let places = times.map {
    Vector3(20 * sin(0.11 * $0), 9 * cos(0.23 * $0) + 0.4 * $0, 2 * sin(0.05 * $0))
  }

  private func track(
    _ places: [Vector3] = places, times: [Double] = times, sigma: Vector3? = nil, hasHeights: Bool = true
  ) throws -> PositionTrack {
    try PositionTrack(
      times: times, positions: places, sigmas: sigma.map { Array(repeating: $0, count: places.count) },
      hasHeights: hasHeights)
  }

  private func options(_ alignment: AlignmentMode, over interval: PathInterval = .time(60)) -> PathComparison.Options {
    var options = PathComparison.Options()
    (options.alignment, options.interval) = (alignment, interval)
    return options
  }

  // MARK: Alignment

  @Test(
    "a copy that is rotated about the vertical and shifted has no error, and the rotation is returned",
    arguments: [-3.0, 0.4, 2])
  func turned(yaw: Double) throws {
    let turn = Quaternion(angle: yaw, axis: .unitZ)
    let copy = Self.places.map { turn.rotateInverse($0 - Vector3(5, -7, 3)) }
    let comparison = try PathComparison(estimate: track(copy), reference: track())
    #expect(comparison.absolute.maximum < 1e-12)
    #expect(abs(remainder(comparison.alignment.rotation.rotationVector.z - yaw, 2 * .pi)) < 1e-12)
    #expect((comparison.alignment.translation - Vector3(5, -7, 3)).norm < 1e-12)
    #expect(try PathComparison(estimate: track(copy), reference: track(), options: options(.none)).absolute.rmse > 3)
  }

  @Test("a copy that is rotated in space has no error after SE(3), but one after a rotation about the vertical")
  func turnedInSpace() throws {
    let turn = Quaternion(rotationVector: Vector3(0.3, -0.5, 1.9))
    let copy = Self.places.map { turn.rotate($0) + Vector3(1, 2, 3) }
    let free = try PathComparison(estimate: track(copy), reference: track(), options: options(.frame))
    #expect(free.absolute.maximum < 1e-11)
    #expect(try PathComparison(estimate: track(copy), reference: track()).absolute.rmse > 1)
  }

  @Test("SE(3) does not mirror a path: a mirror image keeps an error")
  func mirrored() throws {
    let mirror = Self.places.map { Vector3($0.x, -$0.y, $0.z) }
    let comparison = try PathComparison(estimate: track(mirror), reference: track(), options: options(.frame))
    #expect(comparison.absolute.rmse > 0.5 && abs(comparison.alignment.rotation.norm - 1) < 1e-12)
  }

  @Test("no rotation and no shift is better than the fitted one", arguments: [AlignmentMode.yaw, .frame])
  func minimum(mode: AlignmentMode) throws {
    var generator = SeededGenerator(seed: 11)
    let noisy = Self.places.map { $0 + Vector3(generator.normal(), generator.normal(), generator.normal()) }
    let pairs = zip(noisy, Self.places).map { (estimate: $0, reference: $1) }
    let best = try PathAlignment.fit(mode, to: pairs)
    func error(_ alignment: PathAlignment) -> Double {
      pairs.reduce(0) { $0 + (alignment.apply($1.estimate) - $1.reference).squaredNorm }
    }
    for axis in [Vector3.unitX, .unitY, .unitZ] where mode == .frame || axis == .unitZ {
      for step in [-1e-3, 1e-3] {
        // About the path's own centre, where a rotation moves it least.
        let middle = pairs.reduce(Vector3.zero) { $0 + (1 / Double(pairs.count)) * $1.reference }
        let turn = Quaternion(angle: step, axis: axis)
        let other = PathAlignment(
          rotation: turn * best.rotation, translation: turn.rotate(best.translation - middle) + middle)
        #expect(error(other) > error(best))
        var moved = best
        moved.translation += step * axis
        #expect(error(moved) > error(best))
      }
    }
  }

  @Test("the alignment by the origin makes the first positions coincide and rotates nothing")
  func origin() throws {
    let moved = Self.places.map { $0 + Vector3(4, 4, -1) }
    let comparison = try PathComparison(estimate: track(moved), reference: track(), options: options(.origin))
    #expect(comparison.absolute.maximum < 1e-12 && comparison.alignment.rotation == .identity)
  }

  // MARK: Absolute and relative errors

  @Test("a path with a scale error of 3 % has an ATE of 3 % of its spread and an RTE of 3 % of the distance")
  func scale() throws {
    let times = (0..<200).map(Double.init)
    let line = times.map { Vector3(1.5 * $0, 0, 0) }
    let comparison = try PathComparison(
      estimate: track(line.map { 1.03 * $0 }, times: times), reference: track(line, times: times),
      options: options(.yaw, over: .distance(30)))
    let middle = 1.5 * 199 / 2
    let spread = try #require(Statistics.rootMeanSquare(line.map { $0.x - middle }))
    #expect(abs(comparison.absolute.rmse - 0.03 * spread) < 1e-9)
    #expect(abs(try #require(comparison.relative).median - 0.9) < 1e-9)
    // 30 m take 20 s: each of the first 180 points has its pair, and the last ones have theirs at 27 m and more.
    #expect(try #require(comparison.relative).count == 182 && abs(comparison.referenceLength - 1.5 * 199) < 1e-9)
  }

  @Test("a path that drifts by 0.1 m/s is 6 m off after a minute, and 1 m after ten seconds")
  func drift() throws {
    let times = (0...1200).map { Double($0) / 10 }
    let circle = times.map { Vector3(5 * cos(0.3 * $0), 5 * sin(0.3 * $0), 0) }
    let drifting = zip(circle, times).map { $0 + $1 * Vector3(0.06, 0.08, 0) }
    for (seconds, expected) in [(60.0, 6.0), (10, 1)] {
      let comparison = try PathComparison(
        estimate: track(drifting, times: times), reference: track(circle, times: times),
        options: options(.none, over: .time(seconds)))
      #expect(abs(try #require(comparison.relative).median - expected) < 1e-9)
    }
    // Without a pair of points the RTE is missing.
    let short = try PathComparison(estimate: track(), reference: track(), options: options(.none, over: .time(1000)))
    #expect(short.relative == nil)
  }

  @Test(
    "the pairs of the RTE match evo's rule for all pairs, implemented naively",
    arguments: [PathInterval.time(7), .distance(12)])
  func pairs(interval: PathInterval) throws {
    var generator = SeededGenerator(seed: 5)
    var (times, places, found): ([Double], [Vector3], [Vector3]) = ([], [], [])
    var (time, position) = (0.0, Vector3.zero)
    for _ in 0..<150 {
      time += 0.2 + 3 * Double.random(in: 0...1, using: &generator)
      position += Vector3(generator.normal(), generator.normal(), 0.1 * generator.normal())
      times.append(time)
      places.append(position)
      found.append(position + 0.3 * Vector3(generator.normal(), generator.normal(), generator.normal()))
    }
    var ways = [0.0]
    for index in 1..<places.count { ways.append(ways[index - 1] + (places[index] - places[index - 1]).norm) }
    let (marks, length): ([Double], Double) =
      switch interval {
      case .time(let seconds): (times, seconds)
      case .distance(let metres): (ways, metres)
      }
    // evo's filter_pairs_by_path with all_pairs and a tolerance of a tenth: the first of the nearest.
    var errors: [Double] = []
    for i in 0..<(places.count - 1) {
      let far = ((i + 1)..<places.count).map { abs(marks[$0] - marks[i] - length) }
      let j = i + 1 + far.firstIndex(of: far.min()!)!
      guard far.min()! <= 0.1 * length else { continue }
      errors.append(((found[j] - found[i]) - (places[j] - places[i])).norm)
    }
    let comparison = try PathComparison(
      estimate: track(found, times: times), reference: track(places, times: times),
      options: options(.none, over: interval))
    let relative = try #require(comparison.relative)
    #expect(relative.count == errors.count && errors.count > 50)
    #expect(abs(relative.rmse - (Statistics.rootMeanSquare(errors) ?? .nan)) < 1e-12)
  }

  @Test("landmarks without heights are compared horizontally, regardless of the path's heights")
  func landmarks() throws {
    let marks = stride(from: 0, to: 400, by: 37)
    let reference = try track(marks.map { Self.places[$0] }, times: marks.map { Self.times[$0] }, hasHeights: false)
    let climbing = Self.places.enumerated().map { $1 + Vector3(0, 0, Double($0)) }
    let comparison = try PathComparison(estimate: track(climbing, sigma: Vector3(1, 1, 1)), reference: reference)
    #expect(comparison.absolute.maximum < 1e-12 && comparison.points.count == 11)
    #expect(comparison.vertical == nil && comparison.verticalCoverage == nil && comparison.horizontalCoverage == 1)
  }

  @Test("the path is linear between samples, and unknown in gaps and more than 0.2 s beyond its ends")
  func interpolated() throws {
    let path = try track([Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(11, 0, 0)], times: [0, 1, 11])
    let reference = try track(
      [-1, -0.1, 0.25, 5, 11.1, 12].map { Vector3($0, 0, 0) }, times: [-1, -0.1, 0.25, 5, 11.1, 12])
    let comparison = try PathComparison(estimate: path, reference: reference, options: options(.none))
    #expect(comparison.points.map(\.time) == [-0.1, 0.25, 11.1] && comparison.missingCount == 3)
    #expect(abs(comparison.points[1].error.x) < 1e-15)
    var patient = options(.none)
    patient.maximumGap = 10
    #expect(try PathComparison(estimate: path, reference: reference, options: patient).points.count == 4)
  }

  @Test("skipped seconds are neither evaluated nor missing, and a known clock offset is removed")
  func skipped() throws {
    var late = options(.none)
    (late.clockShift, late.skip) = (1.5, 10)
    let path = try track(times: Self.times.map { $0 - 1.5 })
    let comparison = try PathComparison(estimate: path, reference: track(), options: late)
    #expect(comparison.absolute.maximum < 1e-12 && comparison.points.first?.time == 10 && comparison.missingCount == 0)
  }

  // MARK: Stated sigmas

  @Test(
    "95 % of errors as stated are inside for any orientation of the sigmas, and 53 and 67 % of doubled ones",
    arguments: [0, 1.1, Double.pi / 2], [1.0, 2])
  func coverage(yaw: Double, factor: Double) throws {
    let sigma = Vector3(2, 0.3, 0.7)
    var generator = SeededGenerator(seed: 3)
    let count = 20_000
    let times = (0..<count).map { Double($0) / 100 }
    // So long that the effect of the noise on the fitted rotation is negligible.
    let truth = times.map { Vector3(1000 * sin(0.031 * $0), 900 * cos(0.02 * $0), 10 * sin($0)) }
    let turn = Quaternion(angle: yaw, axis: .unitZ)
    let path = truth.map { position in
      let noise = Vector3(sigma.x * generator.normal(), sigma.y * generator.normal(), sigma.z * generator.normal())
      return turn.rotateInverse(position) + factor * noise
    }
    let comparison = try PathComparison(
      estimate: track(path, times: times, sigma: sigma), reference: track(truth, times: times))
    // 1 − exp(−χ²/2/k²) of χ² = 5.991, and erf(√(3.841/2)/k).
    let level = 1 - exp(-0.5 * 5.991 / (factor * factor))
    let upright = erf((3.841 / 2).squareRoot() / factor)
    // Three standard deviations of a fraction are 0.011 at most.
    #expect(abs(try #require(comparison.horizontalCoverage) - level) < 0.011)
    #expect(abs(try #require(comparison.verticalCoverage) - upright) < 0.011)
  }

  @Test("a path without sigmas has no coverage, and a sigma of 0 allows no error")
  func noSigma() throws {
    #expect(try PathComparison(estimate: track(), reference: track()).horizontalCoverage == nil)
    let sure = try PathComparison(
      estimate: track(sigma: .zero), reference: track(Self.places.map { $0 + Vector3(0, 0, 0.1) }),
      options: options(.none))
    #expect(sure.horizontalCoverage == 1 && sure.verticalCoverage == 0)
    #expect(PositionBound(error: .zero, sigma: Vector3(1, .nan, 1)) == nil)
    #expect(PositionBound(error: .zero, sigma: Vector3(1, -1, 1)) == nil)
  }

  // MARK: Loops

  @Test("a loop closure is the distance of end and start, in metres and relative to the horizontal path length")
  func loop() throws {
    let circle = (0...1000).map { step in
      let fraction = Double(step) / 1000
      return Vector3(
        10 * cos(2 * .pi * fraction) + 0.3 * fraction, 10 * sin(2 * .pi * fraction) + 0.4 * fraction,
        3 * sin(.pi * fraction) - 0.2 * fraction)
    }
    let path = try track(circle, times: (0...1000).map(Double.init), sigma: Vector3(0.2, 0.2, 0.2))
    let closure = try #require(PathClosure(path))
    #expect(abs(closure.horizontal - 0.5) < 1e-12 && abs(closure.vertical + 0.2) < 1e-12)
    #expect(abs(closure.pathLength - 20 * .pi) < 0.1)
    #expect(abs(try #require(closure.horizontalPercent) - 50 / closure.pathLength) < 1e-12)
    #expect(abs(try #require(closure.verticalPercent) - 20 / closure.pathLength) < 1e-12)
    // 0.5 m are 2.5 sigmas of 2.45, and 0.2 m one of 1.96.
    #expect(closure.isInsideHorizontally == false && closure.isInsideVertically == true)
  }

  @Test("standing still with a noise of centimetres has no path length")
  func standing() throws {
    var generator = SeededGenerator(seed: 8)
    let still = Self.times.map { _ in 0.005 * Vector3(generator.normal(), generator.normal(), generator.normal()) }
    #expect(try track(still).length == 0 && PathClosure(try track(still))?.horizontalPercent == nil)
    #expect(PathClosure(try track([], times: [])) == nil)
  }

  // MARK: Invalid comparisons

  @Test("an invalid comparison is an error: no common time, a single position, a line, no finite numbers")
  func refused() throws {
    let (path, later) = (try track(), try track(times: Self.times.map { $0 + 100 }))
    #expect(throws: EvaluationError.noCommonPositions(estimate: 0...39.9, reference: 100...139.9)) {
      try PathComparison(estimate: path, reference: later)
    }
    #expect(throws: EvaluationError.noCommonPositions(estimate: nil, reference: 0...39.9)) {
      try PathComparison(estimate: try track([], times: []), reference: path)
    }
    let one = try track([Vector3(1, 2, 3)], times: [5])
    #expect(throws: EvaluationError.alignmentUndetermined(.yaw, points: 1)) {
      try PathComparison(estimate: path, reference: one)
    }
    #expect(try PathComparison(estimate: path, reference: one, options: options(.origin)).absolute.maximum == 0)
    let line = try track(Self.times.map { Vector3($0, 2 * $0, 0) })
    #expect(throws: EvaluationError.alignmentUndetermined(.frame, points: 400)) {
      try PathComparison(estimate: line, reference: line, options: options(.frame))
    }
    #expect(throws: EvaluationError.notAPosition(index: 1)) {
      try PositionTrack(times: [0, 1], positions: [.zero, Vector3(0, .nan, 0)])
    }
    #expect(throws: EvaluationError.timesNotIncreasing(index: 1)) {
      try PositionTrack(times: [0, -1], positions: [.zero, .zero])
    }
    #expect(throws: EvaluationError.countMismatch(times: 1, values: 2)) {
      try PositionTrack(times: [0], positions: [.zero, .zero])
    }
  }
}
