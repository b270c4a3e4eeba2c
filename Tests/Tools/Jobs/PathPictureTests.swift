import Foundation
import InertialNumerics
import Testing

@testable import InertialJobs

@Suite("Pictures of paths")
struct PathPictureTests {
  private func moments(
    _ times: [Double], _ place: (Double) -> Vector3, sigma: (Double) -> Vector3 = { _ in Vector3(repeating: 0.1) }
  ) -> [PathPicture.Moment] {
    times.map { PathPicture.Moment(time: $0, position: place($0), sigma: sigma($0)) }
  }

  private func picture(_ moments: [PathPicture.Moment], isNorthUp: Bool = false) -> PathPicture {
    PathPicture(isNorthUp: isNorthUp, origin: 0, longestGap: 0.5, moments: moments)
  }

  private static let minute = stride(from: 0.0, through: 60, by: 0.1).map { $0 }

  @Test("with north up have east to the right: X is north and Y west; without, X is to the right")
  func axes() {
    let walk = moments(Self.minute, { Vector3($0, $0 / 2, 0) }, sigma: { Vector3(0.01 * $0, 0.02 * $0, 0.03) })
    let (plain, north) = (picture(walk), picture(walk, isNorthUp: true))
    #expect(plain.end! == (60, 30) && north.end! == (-30, 60))
    #expect(north.start! == (0, 0) && plain.span == 60 && north.span == 60)
    #expect(abs(plain.endReach.x - 0.6 * 2.4477) < 1e-3 && abs(plain.endReach.y - 1.2 * 2.4477) < 1e-3)
    #expect(abs(north.endReach.x - 1.2 * 2.4477) < 1e-3 && abs(north.endReach.y - 0.6 * 2.4477) < 1e-3)
    #expect(abs(plain.endReach.z - 0.03 * 1.96) < 1e-4)
  }

  @Test(
    "have 95 % of the ends that the sigmas stand for inside of the end's outline, and every place inside of the band")
  func band() throws {
    let sigma = { (time: Double) in Vector3(0.2 + 0.02 * time, 0.1 + 0.01 * time, 0) }
    let place = { (time: Double) in Vector3(8 * cos(time / 5), 8 * sin(time / 5), 0) }
    let picture = picture(moments(Self.minute, place, sigma: sigma))
    let outline = try #require(picture.endOutline)
    var random = SeededGenerator(seed: 4)
    let (end, last) = (place(60), sigma(60))
    let inside = (0..<20_000).count { _ in
      Self.contains(outline, (end.x + last.x * random.normal(), end.y + last.y * random.normal()))
    }
    #expect(abs(Double(inside) / 20_000 - 0.95) < 0.006)
    // Each ellipse of the path is inside of the band, but for what its corners and the distance between outlines cut off.
    for time in stride(from: 0.0, through: 60, by: 1.7) {
      let (centre, sigma) = (place(time), sigma(time))
      for angle in stride(from: 0.0, to: 6.28, by: 0.5) {
        let reach = 0.93 * PathPicture.planeFactor
        let edge = (centre.x + reach * sigma.x * cos(angle), centre.y + reach * sigma.y * sin(angle))
        #expect(picture.band.contains { Self.contains($0, edge) }, "\(time) s, \(angle)")
      }
    }
    // All go round the same way, so that together they are no darker than one.
    for outline in picture.band { #expect(Self.area(outline) > 0) }
    #expect(picture.band.count < 300)
  }

  private static func area(_ outline: [PathPicture.Place]) -> Double {
    zip(outline, outline.dropFirst() + outline.prefix(1)).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y } / 2
  }

  /// Of a convex outline to the left.
  private static func contains(_ outline: [PathPicture.Place], _ point: PathPicture.Place) -> Bool {
    zip(outline, outline.dropFirst() + outline.prefix(1)).allSatisfy { a, b in
      (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) >= 0
    }
  }

  @Test("of a hundred thousand moments are a few thousand points, and nowhere off by what a screen shows")
  func decimated() throws {
    let times = (0..<100_000).map { Double($0) / 100 }
    let place = { (time: Double) in Vector3(40 * sin(time / 50) + sin(time), 30 * cos(time / 37), 0) }
    let picture = picture(moments(times, place))
    let points = picture.stretches.flatMap { zip($0.x, $0.y).map { ($0, $1) } }
    #expect((500...20_000).contains(points.count))
    let least = picture.span / 1500
    for time in stride(from: 0.0, to: 1000, by: 3.3) {
      let centre = place(time)
      let nearest = points.map { hypot($0.0 - centre.x, $0.1 - centre.y) }.min() ?? .infinity
      #expect(nearest <= 1.01 * least, "\(time) s")
    }
    #expect(picture.heights.count <= 2001)
  }

  @Test("are cut at round times, and tell the order of the parts")
  func stretches() {
    let picture = PathPicture(
      isNorthUp: false, origin: 100, longestGap: 0.5,
      moments: moments(Self.minute.map { $0 + 103.2 }, { Vector3($0, 0, 0) }))
    #expect(picture.stretches.map(\.from) == [100, 115, 130, 145, 160])
    #expect(picture.stretches.map(\.tone) == [0, 0.25, 0.5, 0.75, 1])
    // Each part goes on to where the next begins.
    for (a, b) in zip(picture.stretches, picture.stretches.dropFirst()) { #expect(a.x.last == b.x.first) }
    #expect(PathPicture.roundTime(atLeast: 1e6) == 12 * 86_400)
  }

  @Test("are broken where nothing is told for long")
  func gaps() {
    let picture = picture(moments(Self.minute.filter { !(20...30).contains($0) }, { Vector3($0, 0, 0) }))
    let breaks = picture.stretches.flatMap(\.x).count(where: \.isNaN)
    let joins = zip(picture.stretches, picture.stretches.dropFirst()).count { $0.x.last == $1.x.first }
    #expect(breaks + (picture.stretches.count - 1 - joins) == 1)
  }

  @Test("of no moment, of one, and of what is not finite have nothing that is not finite")
  func few() {
    let none = picture([])
    #expect(none.stretches.isEmpty && none.band.isEmpty && none.end == nil && none.endOutline == nil)
    let one = picture(moments([5], { _ in Vector3(3, 4, 0) }))
    #expect(one.start! == (3, 4) && one.end! == (3, 4) && one.span == 0 && one.endOutline?.count == 72)
    #expect(one.stretches.flatMap(\.x) == [3] && one.band.count <= 1)
    var walk = moments(Self.minute, { Vector3($0, 0, 0) })
    (walk[10].position.x, walk[20].position.y, walk[30].time) = (.nan, .infinity, .nan)
    (walk[40].sigma.x, walk[50].position.z) = (.infinity, .nan)
    let picture = picture(walk)
    #expect(picture.stretches.flatMap { $0.x + $0.y }.allSatisfy { $0.isFinite })
    #expect(picture.band.joined().allSatisfy { $0.x.isFinite && $0.y.isFinite })
    #expect(picture.heights.allSatisfy { $0.isFinite })
    walk[walk.count - 1].sigma = Vector3(repeating: .nan)
    #expect(self.picture(walk).endOutline == nil)
  }

  @Test("have a dot at each stance of a foot, at each step of a walker, and at each stop of a vehicle")
  func dots() {
    /// A stance of 0.4 s each second.
    var foot = moments(Self.minute, { Vector3($0, 0, 0) })
    for index in foot.indices {
      let phase = foot[index].time.truncatingRemainder(dividingBy: 1)
      foot[index].isStanding = phase > 0.55
      foot[index].stepCount = foot[index].time.rounded(.down)
    }
    let strides = picture(foot)
    #expect(strides.dotName == "stance" && strides.dots.count == 60)
    #expect(strides.dots.allSatisfy { abs($0.x.truncatingRemainder(dividingBy: 1) - 0.75) < 0.11 })
    var hand = foot
    for index in hand.indices { hand[index].isStanding = false }
    let steps = picture(hand)
    #expect(steps.dotName == "step" && steps.dots.count == 60)
    // A metre apart.
    #expect(steps.dots(apart: 0.9).count == 60 && steps.dots(apart: 1.2).isEmpty)
    var car = moments(Self.minute, { Vector3(min($0, 30), 0, 0) })
    for index in car.indices { car[index].isStanding = car[index].time > 30 && car[index].time < 40 }
    let stops = picture(car)
    #expect(stops.dotName == "stop" && stops.dots.count == 1)
  }

  @Test("tell floors between ways up or down, and none of a level path")
  func levels() {
    /// 20 s on each floor, 6 s and 3.2 m of stairs between.
    let up = picture(
      moments(
        stride(from: 0.0, through: 72, by: 0.2).map { $0 },
        { time in
          let floor = (time / 26).rounded(.down)
          return Vector3(time, 0, 3.2 * (floor + min(1, max(0, (time - 26 * floor - 20) / 6))))
        }))
    #expect(up.levels.count == 3)
    for (floor, level) in up.levels.enumerated() { #expect(abs(level.height - 3.2 * Double(floor)) < 0.4) }
    #expect(zip(up.levels, up.levels.dropFirst()).allSatisfy { $0.to < $1.from })
    let level = picture(moments(Self.minute, { Vector3($0, 0, 0.2 * sin(6 * $0)) }))
    #expect(level.levels.isEmpty && level.knowsHeight)
    #expect(!picture(moments(Self.minute, { Vector3($0, 0, 0) })).knowsHeight)
  }
}
