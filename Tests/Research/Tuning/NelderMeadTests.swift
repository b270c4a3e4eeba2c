import Testing

@testable import InertialResearch

@Suite struct NelderMeadTests {
  private func search(_ start: [Double], box: SearchBox? = nil) -> NelderMead {
    NelderMead(start: start, steps: Array(repeating: 0.5, count: start.count), box: box ?? .unbounded(start.count))
  }

  @Test("Rosenbrock's valley is followed to its end", arguments: [2, 4])
  func rosenbrock(_ n: Int) throws {
    var simplex = search(Array(repeating: -1.2, count: n))
    simplex.minimize(budget: 600 * n, TestFunctions.rosenbrock)
    let best = try #require(simplex.best)
    #expect(best.value < 1e-10, "\(best)")
    #expect(distance(best.point, Array(repeating: 1, count: n)) < 1e-5 && simplex.isConverged)
  }

  @Test("twelve coordinates, at which the coefficients of 1965 stall, are searched to the minimum")
  func many() throws {
    var simplex = search(Array(repeating: 1, count: 12))
    simplex.minimize(budget: 12000, TestFunctions.sphere)
    #expect(try #require(simplex.best).value < 1e-6)
  }

  @Test("one coordinate is sufficient")
  func single() throws {
    var simplex = search([5])
    simplex.minimize(budget: 200) { ($0[0] - 2) * ($0[0] - 2) + 1 }
    let best = try #require(simplex.best)
    #expect(abs(best.point[0] - 2) < 1e-4 && abs(best.value - 1) < 1e-8)
  }

  @Test("all evaluated points are inside the box, and a minimum outside is found at the box's side")
  func bounds() throws {
    let box = SearchBox([1...3, -2...2])
    var simplex = NelderMead(start: [3, 0.5], steps: [1, 1], box: box)
    var isInside = true
    simplex.minimize(budget: 300) { point in
      isInside = isInside && box.clamped(point) == point
      return TestFunctions.sphere(point)
    }
    #expect(try isInside && distance(try #require(simplex.best).point, [1, 0]) < 1e-4)
  }

  @Test("if the box ends at the start, the simplex extends in the opposite direction and stays a simplex")
  func startInCorner() throws {
    var simplex = NelderMead(start: [1, 1], steps: [1, 1], box: SearchBox([0...1, 0...1]))
    #expect(simplex.ask() == [[1, 1], [0, 1], [1, 0]])
    simplex.minimize(budget: 300) { TestFunctions.sphere([$0[0] - 0.4, $0[1] - 0.6]) }
    #expect(distance(try #require(simplex.best).point, [0.4, 0.6]) < 1e-4)
  }

  @Test("a NaN or infinite value is worse than any other")
  func invalid() throws {
    var simplex = search([3, 3])
    simplex.minimize(budget: 400) { point in
      if point[0] < 1 { return .nan }
      return point[1] < -2 ? .infinity : TestFunctions.sphere(point)
    }
    let best = try #require(simplex.best)
    #expect(best.value.isFinite && best.point[0] >= 1)
    #expect(distance(best.point, [1, 0]) < 0.02, "\(best)")
  }

  @Test("if all values are invalid, the search ends with its budget and is not converged")
  func hopeless() throws {
    var simplex = search([0, 0])
    #expect(simplex.best == nil)
    let count = simplex.minimize(budget: 50) { _ in .nan }
    #expect(count >= 50 && !simplex.isConverged)
    #expect(try #require(simplex.best).value == .infinity)
  }

  @Test("the first steps match the paper: reflection, expansion, contraction and shrinkage")
  func steps() {
    // In two coordinates the coefficients are 1, 2, 1/2 and 1/2.
    var simplex = NelderMead(start: [0, 0], steps: [1, 1], box: .unbounded(2))
    simplex.tell([2, 3, 1])
    // Best (0, 1), then (0, 0), worst (1, 0): centroid (0, 1/2), reflection (−1, 1).
    #expect(simplex.ask() == [[-1, 1]])
    var expanded = simplex
    expanded.tell([0.5])
    #expect(expanded.ask() == [[-2, 1.5]])
    var inside = simplex
    inside.tell([4])
    #expect(inside.ask() == [[0.5, 0.25]])
    inside.tell([5])
    #expect(inside.ask() == [[0, 0.5], [0.5, 0.5]])
    var outside = simplex
    outside.tell([2.5])
    #expect(outside.ask() == [[-0.5, 0.75]])
    // Between best and second worst: accepted, and the next worst is reflected.
    simplex.tell([1.5])
    #expect(simplex.ask() == [[-1, 2]])
  }

  @Test("points outside a box are mirrored at its sides, repeatedly if needed, and infinite sides have no effect")
  func mirrors() {
    let box = SearchBox([0...2, -Double.infinity...1, 3...3, 1...(.infinity)])
    for (x, expected) in [(0.5, 0.5), (2.5, 1.5), (-0.5, 0.5), (4.5, 0.5), (-3, 1), (6, 2), (1e6 + 0.5, 0.5)] {
      #expect(box.mirrored([x, 0, 3, 2])[0] == expected, "\(x)")
    }
    #expect(box.mirrored([1, 1.5, 7, -4]) == [1, 0.5, 3, 6])
  }
}
