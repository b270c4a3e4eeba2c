import InertialFilters
import InertialNumerics
import InertialRotations
import TestSupport
import Testing

@Suite("One-shot solvers and bad input")
struct OneShotBadInputTests {
  static let good = [
    VectorPair(device: Vector3(0.1, -0.2, 1), earth: .unitZ),
    VectorPair(device: Vector3(1, 0.3, -0.9), earth: Vector3(0.5, 0, -0.8)),
    VectorPair(device: Vector3(-0.3, 1, 0.2), earth: Vector3(0, 1, 0.1)),
  ]

  /// Returns the maximum number of good pairs for the solver, at most three.
  static func pairs(for solver: OneShotSolver) -> [VectorPair] { Array(good.prefix(solver.maximumPairs ?? 3)) }

  @Test("names are unique, each finds its solver, and all solvers have a description")
  func registry() throws {
    let names = OneShotSolver.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names == ["tilt", "ecompass", "triad", "fqa", "saam", "famc", "davenport", "quest", "svd", "flae", "oleq"])
    for name in names { #expect(OneShotSolver.named(name)?.name == name) }
    #expect(OneShotSolver.named("Quest") == nil)
    for solver in OneShotSolver.all {
      #expect(!solver.summary.isEmpty && !solver.source.isEmpty)
      #expect(solver.minimumPairs >= 1 && solver.minimumPairs <= solver.maximumPairs ?? .max)
    }
    #expect(OneShotSolver.optimal.map(\.name) == ["davenport", "quest", "svd", "flae", "oleq"])
  }

  @Test("too few and too many pairs are errors that state the accepted number", arguments: OneShotSolver.all)
  func counts(solver: OneShotSolver) throws {
    for count in 0..<solver.minimumPairs {
      #expect(throws: OneShotError.tooFewPairs(given: count, needed: solver.minimumPairs)) {
        try solver.attitude(Array(Self.good.prefix(count)))
      }
    }
    if let maximum = solver.maximumPairs {
      #expect(throws: OneShotError.tooManyPairs(given: maximum + 1, taken: maximum)) {
        try solver.attitude(Array(Self.good.prefix(maximum + 1)))
      }
    } else {
      _ = try solver.attitude(Self.good + Self.good + Self.good)
    }
  }

  @Test(
    "a zero, infinite or NaN vector is an error that names its pair", arguments: OneShotSolver.all,
    [Vector3.zero, Vector3(.nan, 0, 1), Vector3(1, .infinity, 0), Vector3(-.infinity, 0, 0), Vector3(0, .nan, .nan)])
  func noDirection(solver: OneShotSolver, bad: Vector3) throws {
    for index in Self.pairs(for: solver).indices {
      for inDevice in [true, false] {
        var pairs = Self.pairs(for: solver)
        if inDevice { pairs[index].device = bad } else { pairs[index].earth = bad }
        #expect(throws: OneShotError.noDirection(pair: index)) { try solver.attitude(pairs) }
      }
    }
    #expect(throws: OneShotError.noDirection(pair: 0)) {
      try solver.attitude(acceleration: bad, field: Vector3(20, 0, -40))
    }
    if solver.minimumPairs > 1 {
      #expect(throws: OneShotError.noDirection(pair: 1)) {
        try solver.attitude(acceleration: Vector3(0, 0, -1), field: bad)
      }
      for dip in [Double.nan, .infinity] {
        #expect(throws: OneShotError.noDirection(pair: 1)) {
          try solver.attitude(acceleration: Vector3(0, 0, -1), field: Vector3(20, 0, -40), dip: dip)
        }
      }
    }
  }

  @Test("a weight that is not positive and finite is an error that names its pair", arguments: OneShotSolver.all)
  func weights(solver: OneShotSolver) throws {
    for index in Self.pairs(for: solver).indices {
      for weight in [0, -1, .nan, Double.infinity, -.infinity] {
        var pairs = Self.pairs(for: solver)
        pairs[index].weight = weight
        #expect(throws: OneShotError.invalidWeight(pair: index)) { try solver.attitude(pairs) }
      }
    }
  }

  @Test("weights with an infinite sum are an error of the optimal methods", arguments: OneShotSolver.optimal)
  func infiniteSum(solver: OneShotSolver) throws {
    var pairs = Array(Self.good.prefix(2))
    for index in pairs.indices { pairs[index].weight = 1.5e308 }
    #expect(throws: OneShotError.invalidWeight(pair: 1)) { try solver.attitude(pairs) }
    #expect(throws: OneShotError.invalidWeight(pair: 1)) { try solver.method.attitude(pairs[0], pairs[1]) }
    for index in pairs.indices { pairs[index].weight = 5e307 }
    _ = try solver.attitude(pairs)
  }

  @Test(
    "parallel and opposite directions, in the device or on earth, do not determine an attitude",
    arguments: OneShotSolver.complete)
  func parallel(solver: OneShotSolver) throws {
    for q in Quaternion.nastyCases + Quaternion.random(20, seed: 51) {
      for factor in [1.0, -1, 3e-5] {
        let device = q.rotate(Vector3(0.3, 0.5, -0.8))
        #expect(throws: OneShotError.undetermined) {
          try solver.attitude([
            VectorPair(device: device, earth: .unitZ), VectorPair(device: factor * device, earth: factor * .unitZ),
          ])
        }
      }
    }
    #expect(throws: OneShotError.undetermined) {
      try solver.attitude(acceleration: Vector3(0, 0, -1), field: Vector3(0, 0, -50))
    }
    #expect(throws: OneShotError.undetermined) {
      try solver.attitude(acceleration: Vector3(0, 0, -1), field: Vector3(0, 0, -50), dip: .pi / 2)
    }
  }

  @Test("for vectors parallel in only one frame, a method of two vectors has no triad")
  func parallelInOneFrame() throws {
    for solver in OneShotSolver.twoVector {
      for (device, earth) in [(Vector3.unitX, Vector3.unitZ), (.unitZ, .unitX)] {
        #expect(throws: OneShotError.undetermined, "\(solver.name)") {
          try solver.attitude([VectorPair(device: .unitZ, earth: .unitZ), VectorPair(device: device, earth: earth)])
        }
      }
    }
  }

  @Test(
    "directions closer than the limit are rejected, and just beyond it they give the first direction",
    arguments: OneShotSolver.complete)
  func limit(solver: OneShotSolver) throws {
    for truth in Quaternion.random(20, seed: 52) {
      let tooClose = closePairs(angle: 1.5e-6, truth)
      #expect(throws: OneShotError.undetermined) { try solver.attitude(tooClose) }
      let justBeyond = closePairs(angle: 3e-6, truth)
      let q = try solver.attitude(justBeyond)
      #expect(isNear(q.rotate(justBeyond[0].device), justBeyond[0].earth, within: 1e-5))
      // A rounding error of a few 1e-16, over the information, 2e-12.
      #expect(isSameRotation(q, truth, within: 1e-3))
    }
  }

  private func closePairs(angle: Double, _ truth: Quaternion) -> [VectorPair] {
    let first = Vector3(0.6, 0, 0.8)
    return AttitudeSolversTests.pairs(of: [first, Quaternion(angle: angle, axis: .unitY).rotate(first)], in: truth)
  }

  @Test(
    "directions that contradict each other symmetrically are rejected by every optimal method",
    arguments: OneShotSolver.optimal)
  func contradiction(solver: OneShotSolver) throws {
    let axes = [Vector3.unitX, .unitY, .unitZ]
    // The point reflection: all half turns are equally good.
    #expect(throws: OneShotError.undetermined) { try solver.attitude(axes.map { VectorPair(device: $0, earth: -$0) }) }
    // They cancel completely.
    #expect(throws: OneShotError.undetermined) {
      try solver.attitude([VectorPair(device: .unitX, earth: .unitX), VectorPair(device: .unitX, earth: -.unitX)])
    }
    // A reflection has a solution if its axes differ in weight: the axis with the smallest weight is inverted.
    let mirrored = [
      VectorPair(device: .unitX, earth: .unitX, weight: 3), VectorPair(device: .unitY, earth: .unitY, weight: 2),
      VectorPair(device: .unitZ, earth: -.unitZ, weight: 1),
    ]
    #expect(isSameRotation(try solver.attitude(mirrored), .identity, within: 1e-12))
  }

  @Test("huge, tiny and denormal vectors are valid directions", arguments: OneShotSolver.complete)
  func sizes(solver: OneShotSolver) throws {
    let expected = try solver.attitude(Array(Self.good.prefix(2)))
    for size in [1e-300, 1e-160, 1e-140, 1e140, 1e160, 1e307] {
      for index in 0..<2 {
        var pairs = Array(Self.good.prefix(2))
        pairs[index].device *= size
        pairs[1 - index].earth *= size
        #expect(isSameRotation(try solver.attitude(pairs), expected, within: 1e-12), "\(size)")
      }
    }
    // Denormal numbers have few digits; along the axes they need none.
    let minimum = Double.leastNonzeroMagnitude
    let axes = [
      VectorPair(device: Vector3(minimum, 0, 0), earth: Vector3(0, 0, minimum)),
      VectorPair(device: Vector3(0, -minimum, 0), earth: Vector3(-minimum, 0, 0)),
    ]
    let q = try solver.attitude(axes)
    #expect(isNear(q.rotate(.unitX), .unitZ, within: 1e-12) && isNear(q.rotate(.unitY), .unitX, within: 1e-12))
  }

  @Test("for any input, the output is a finite unit quaternion or an error", arguments: OneShotSolver.all)
  func anything(solver: OneShotSolver) throws {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 1 - 1e-16, 1e-8, 1e-16, -1e-16, .leastNonzeroMagnitude, 1e-308, 1e154, 1e155, 1.7e308, -1.7e308,
      .infinity, -.infinity, .nan, .pi, 0.5,
    ]
    var generator = SeededGenerator(seed: 53)
    func number() -> Double { numbers[Int(generator.uniform() * Double(numbers.count))] }
    // Most lists with an infinity or a NaN end immediately: every second list is finite.
    func finite() -> Double {
      let x = number()
      return x.isFinite ? x : 0.25
    }
    var (solved, refused) = (0, 0)
    for round in 0..<1_500 {
      let make = round % 2 == 0 ? number : finite
      let count = solver.maximumPairs ?? (2 + Int(generator.uniform() * 5))
      let pairs = (0..<count).map { _ in
        VectorPair(device: Vector3(make(), make(), make()), earth: Vector3(make(), make(), make()), weight: abs(make()))
      }
      do {
        let q = try solver.attitude(pairs)
        solved += 1
        #expect(q.isFinite && abs(q.norm - 1) < 1e-12, "\(pairs)")
      } catch {
        refused += 1
      }
    }
    #expect(solved > 50 && refused > 50)
  }

  @Test("the covariance is rejected for an attitude that is not a solution or weights without a finite one")
  func covariance() throws {
    let problem = try WahbaProblem(Self.good)
    let q = try Davenport.attitude(of: problem)
    _ = try problem.attitudeCovariance(at: q)
    #expect(throws: OneShotError.undetermined) {
      try problem.attitudeCovariance(at: q * Quaternion(x: 1, y: 0, z: 0, w: 0))
    }
    #expect(throws: OneShotError.undetermined) {
      try problem.attitudeCovariance(at: Quaternion(x: .nan, y: 0, z: 0, w: 1))
    }
    let weightless = Self.good.map {
      VectorPair(device: $0.device, earth: $0.earth, weight: Double.leastNonzeroMagnitude)
    }
    #expect(throws: OneShotError.undetermined) { try WahbaProblem(weightless).attitudeCovariance(at: q) }
  }

  @Test("errors have a description of the problem")
  func descriptions() {
    #expect(OneShotError.tooFewPairs(given: 1, needed: 2).description == "1 vector pairs are too few; use at least 2")
    #expect(OneShotError.tooManyPairs(given: 3, taken: 2).description == "3 vector pairs are too many; use at most 2")
    #expect(OneShotError.noDirection(pair: 1).description.contains("vector pair 1 has no direction"))
    #expect(OneShotError.invalidWeight(pair: 2).description.contains("vector pair 2"))
    #expect(OneShotError.undetermined.description.contains("parallel"))
    #expect(OneShotError.invalidStep.description.contains("not finite"))
  }
}
