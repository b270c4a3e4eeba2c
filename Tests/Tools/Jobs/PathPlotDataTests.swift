import InertialNavigation
import Testing

@testable import InertialJobs

@Suite("Plots of paths") struct PathPlotDataTests {
  @Test("a walk has successive steps: nine isolated ones are none")
  func stepsInARow() {
    #expect(TrackRecording.longestRow(of: []) == 0)
    #expect(TrackRecording.longestRow(of: (0..<9).map { Double($0) * 5 }) == 1)
    #expect(TrackRecording.longestRow(of: (0..<9).map { Double($0) * 0.6 }) == 9)
    #expect(TrackRecording.longestRow(of: [0, 1, 2, 10, 11, 12, 13, 30]) == 4)
  }

  private func moments(
    _ times: [Double], _ place: (Double) -> Vector3, sigma: (Double) -> Vector3 = { _ in Vector3(repeating: 0.1) }
  ) -> [TrackEstimate] {
    times.map {
      TrackEstimate(
        time: $0, position: place($0), velocity: .zero, positionSigma: sigma($0), velocitySigma: .zero)
    }
  }

  private func plotData(_ moments: [TrackEstimate], isNorthUp: Bool = false) -> PathPlotData {
    PathPlotData(isNorthUp: isNorthUp, origin: 0, maximumGap: 0.5, moments: moments)
  }

  private static let minute = stride(from: 0.0, through: 60, by: 0.1).map { $0 }

  @Test("a plot with north up has east to the right (X north, Y west), and other plots have X to the right")
  func axes() {
    let walk = moments(Self.minute, { Vector3($0, $0 / 2, 0) }, sigma: { Vector3(0.01 * $0, 0.02 * $0, 0.03) })
    let (plain, north) = (plotData(walk), plotData(walk, isNorthUp: true))
    #expect(plain.end! == (60, 30) && north.end! == (-30, 60))
    #expect(north.start! == (0, 0) && plain.span == 60 && north.span == 60)
    #expect(abs(plain.endReach.x - 0.6 * 2.4477) < 1e-3 && abs(plain.endReach.y - 1.2 * 2.4477) < 1e-3)
    #expect(abs(north.endReach.x - 1.2 * 2.4477) < 1e-3 && abs(north.endReach.y - 0.6 * 2.4477) < 1e-3)
    #expect(abs(plain.endReach.z - 0.03 * 1.96) < 1e-4)
  }

  @Test("the end's outline contains 95 % of the possible ends, and the band contains every position")
  func band() throws {
    let sigma = { (time: Double) in Vector3(0.2 + 0.02 * time, 0.1 + 0.01 * time, 0) }
    let place = { (time: Double) in Vector3(8 * cos(time / 5), 8 * sin(time / 5), 0) }
    let plotData = plotData(moments(Self.minute, place, sigma: sigma))
    let outline = try #require(plotData.endOutline)
    var random = SeededGenerator(seed: 4)
    let (end, last) = (place(60), sigma(60))
    let inside = (0..<20_000).count { _ in
      Self.contains(outline, (end.x + last.x * random.normal(), end.y + last.y * random.normal()))
    }
    #expect(abs(Double(inside) / 20_000 - 0.95) < 0.006)
    // The band contains each ellipse of the path except for the parts cut off at corners and between outlines.
    for time in stride(from: 0.0, through: 60, by: 1.7) {
      let (centre, sigma) = (place(time), sigma(time))
      for angle in stride(from: 0.0, to: 6.28, by: 0.5) {
        let reach = 0.93 * PathPlotData.planeFactor
        let edge = (centre.x + reach * sigma.x * cos(angle), centre.y + reach * sigma.y * sin(angle))
        #expect(plotData.band.contains { Self.contains($0, edge) }, "\(time) s, \(angle)")
      }
    }
    // All outlines have the same orientation, so overlapping ones are not darker than a single one.
    for outline in plotData.band { #expect(Self.area(outline) > 0) }
    #expect(plotData.band.count < 300)
  }

  private static func area(_ outline: [PathPlotData.Place]) -> Double {
    zip(outline, outline.dropFirst() + outline.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
  }

  /// Returns whether a convex counter-clockwise outline contains a point.
  private static func contains(_ outline: [PathPlotData.Place], _ point: PathPlotData.Place) -> Bool {
    zip(outline, outline.dropFirst() + outline.prefix(1)).allSatisfy { a, b in
      (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
    }
  }

  @Test("a plot of a hundred thousand samples has a few thousand points without visible error")
  func decimated() throws {
    let times = (0..<100_000).map { Double($0) / 100 }
    let place = { (time: Double) in Vector3(40 * sin(time / 50) + sin(time), 30 * cos(time / 37), 0) }
    let plotData = plotData(moments(times, place))
    let points = plotData.stretches.flatMap { Array(zip($0.x, $0.y)) }
    #expect((500...20_000).contains(points.count) && plotData.heights.count <= 2001)
    for time in stride(from: 0.0, to: 1000, by: 3.3) {
      let centre = place(time)
      let nearest = points.map { hypot($0.0 - centre.x, $0.1 - centre.y) }.min() ?? .infinity
      #expect(nearest <= 1.01 * plotData.span / 1500, "\(time) s")
    }
  }

  @Test("segments are cut at round times and have tones in chronological order")
  func stretches() {
    let plotData = PathPlotData(
      isNorthUp: false, origin: 100, maximumGap: 0.5,
      moments: moments(Self.minute.map { $0 + 103.2 }, { Vector3($0, 0, 0) }))
    #expect(plotData.stretches.map(\.from) == [100, 115, 130, 145, 160])
    #expect(plotData.stretches.map(\.tone) == [0, 0.25, 0.5, 0.75, 1])
    // Each segment ends at the start of the next.
    for (a, b) in zip(plotData.stretches, plotData.stretches.dropFirst()) { #expect(a.x.last == b.x.first) }
    #expect(PathPlotData.roundTime(atLeast: 1e6) == 12 * 86_400)
  }

  @Test("lines are interrupted at long gaps")
  func gaps() {
    let plotData = plotData(moments(Self.minute.filter { !(20...30).contains($0) }, { Vector3($0, 0, 0) }))
    let breaks = plotData.stretches.flatMap(\.x).count(where: \.isNaN)
    let joins = zip(plotData.stretches, plotData.stretches.dropFirst()).count { $0.x.last == $1.x.first }
    #expect(breaks + (plotData.stretches.count - 1 - joins) == 1)
  }

  @Test("plots of no sample, of one sample and of non-finite samples have only finite values")
  func few() {
    let none = plotData([])
    #expect(none.stretches.isEmpty && none.band.isEmpty && none.end == nil && none.endOutline == nil)
    let one = plotData(moments([5], { _ in Vector3(3, 4, 0) }))
    #expect(one.start! == (3, 4) && one.end! == (3, 4) && one.span == 0 && one.endOutline?.count == 72)
    #expect(one.stretches.flatMap(\.x) == [3] && one.band.count <= 1)
    var walk = moments(Self.minute, { Vector3($0, 0, 0) })
    (walk[10].position.x, walk[20].position.y, walk[30].time) = (.nan, .infinity, .nan)
    (walk[40].positionSigma.x, walk[50].position.z) = (.infinity, .nan)
    let plotData = plotData(walk)
    let numbers = plotData.stretches.flatMap { $0.x + $0.y } + plotData.band.joined().flatMap { [$0.x, $0.y] }
    #expect(numbers.allSatisfy(\.isFinite) && plotData.heights.allSatisfy { $0.isFinite })
    walk[walk.count - 1].positionSigma = Vector3(repeating: .nan)
    #expect(self.plotData(walk).endOutline == nil)
  }

  @Test("plots have a dot at each stance of a foot, each step of a pedestrian and each stop of a vehicle")
  func dots() {
    /// A stance of 0.4 s each second.
    let foot = moments(Self.minute, { Vector3($0, 0, 0) }).map { moment in
      with(moment) {
        $0.isStanding = moment.time.truncatingRemainder(dividingBy: 1) > 0.55
        $0.stepCount = Int(moment.time)
      }
    }
    let strides = plotData(foot)
    #expect(strides.dotName == "stance" && strides.dots.count == 60)
    #expect(strides.dots.allSatisfy { abs($0.x.truncatingRemainder(dividingBy: 1) - 0.75) < 0.11 })
    let steps = plotData(foot.map { with($0) { $0.isStanding = false } })
    #expect(steps.dotName == "step" && steps.dots.count == 60)
    // The steps are a metre apart.
    #expect(steps.dots(apart: 0.9).count == 60 && steps.dots(apart: 1.2).isEmpty)
    let car = moments(Self.minute, { Vector3(min($0, 30), 0, 0) })
    let stops = plotData(car.map { with($0) { $0.isStanding = $0.time > 30 && $0.time < 40 } })
    #expect(stops.dotName == "stop" && stops.dots.count == 1)
  }

  @Test("a path with floor changes has floors, and a level path has no floors")
  func levels() {
    /// A path with 20 s on each floor and stairs of 6 s and 3.2 m in between.
    func place(_ time: Double) -> Vector3 {
      let floor = (time / 26).rounded(.down)
      return Vector3(time, 0, 3.2 * (floor + min(1, max(0, (time - 26 * floor - 20) / 6))))
    }
    let up = plotData(moments(stride(from: 0.0, through: 72, by: 0.2).map { $0 }, place))
    #expect(up.levels.count == 3)
    for (floor, level) in up.levels.enumerated() { #expect(abs(level.height - 3.2 * Double(floor)) < 0.4) }
    #expect(zip(up.levels, up.levels.dropFirst()).allSatisfy { $0.to < $1.from })
    let level = plotData(moments(Self.minute, { Vector3($0, 0, 0.2 * sin(6 * $0)) }))
    #expect(level.levels.isEmpty && level.knowsHeight)
    #expect(!plotData(moments(Self.minute, { Vector3($0, 0, 0) })).knowsHeight)
  }
}
